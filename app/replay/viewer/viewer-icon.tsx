const paths = {
  play: "M7 4.5v15l12.5-7.5L7 4.5Z",
  pause: "M6 4.5h4.2v15H6v-15Zm7.8 0H18v15h-4.2v-15Z",
  previous: "M5 5h2.6v14H5V5Zm14.5 0v14L9 12l10.5-7Z",
  next: "M16.4 5H19v14h-2.6V5ZM4.5 5 15 12 4.5 19V5Z",
  sound: "M3 9v6h4l5 4.5v-15L7 9H3Zm11.2-1.8a5 5 0 0 1 0 9.6v2.3a7.2 7.2 0 0 0 0-14.2v2.3Z",
  muted:
    "M3 9v6h4l5 4.5v-15L7 9H3Zm11.3.7 1.6-1.6 2.3 2.3 2.3-2.3 1.6 1.6-2.3 2.3 2.3 2.3-1.6 1.6-2.3-2.3-2.3 2.3-1.6-1.6 2.3-2.3-2.3-2.3Z",
  full: "M4 4h6v2.4H6.4V10H4V4Zm10 0h6v6h-2.4V6.4H14V4ZM4 14h2.4v3.6H10V20H4v-6Zm13.6 0H20v6h-6v-2.4h3.6V14Z",
  small: "M7.6 4H10v6H4V7.6h3.6V4ZM14 4h2.4v3.6H20V10h-6V4ZM4 14h6v6H7.6v-3.6H4V14Zm10 0h6v2.4h-3.6V20H14v-6Z",
  close: "m5 6.6 1.6-1.6L12 10.4 17.4 5 19 6.6 13.6 12l5.4 5.4-1.6 1.6-5.4-5.4L6.6 19 5 17.4l5.4-5.4L5 6.6Z",
} as const;

export type ViewerIconName = keyof typeof paths;

/** The viewer's own pictures, which come with it. */
export function ViewerIcon({ name }: { name: ViewerIconName }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 24 24" className="size-5 flex-none" fill="currentColor">
      <path d={paths[name]} />
    </svg>
  );
}
