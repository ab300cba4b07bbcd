import { lengthText } from "../../shell/clock-text.ts";

/**
 * How long a clip is, in a corner of its picture, whose parent is positioned.
 * @param seconds null of a clip that is not finished, which has no length
 * @param className the corner
 */
export function ClipLength({ seconds, className }: { seconds: number | null; className: string }) {
  if (!seconds) return null;
  return (
    <span
      className={`pointer-events-none absolute rounded bg-void/85 px-1.5 py-px text-xs font-semibold tabular-nums ${className}`}
    >
      <span className="sr-only">Length </span>
      {lengthText(seconds)}
    </span>
  );
}
