/** The formats that a clip's video can have, by the name that the API has for each. Pixels, and frames a second. */
export const clipFormats = {
  "720p": { width: 1280, height: 720, framesPerSecond: 60 },
  "1080p": { width: 1920, height: 1080, framesPerSecond: 60 },
  vertical: { width: 1080, height: 1920, framesPerSecond: 60 },
} as const satisfies Record<string, { width: number; height: number; framesPerSecond: number }>;

export type ClipFormat = keyof typeof clipFormats;

/** In the order in which pages offer them. */
export const clipFormatNames = ["720p", "1080p", "vertical"] as const satisfies readonly ClipFormat[];

export const clipFormatLabels: Record<ClipFormat, string> = { "720p": "720p", "1080p": "1080p", vertical: "Vertical" };

/**
 * The format of a video by its size in pixels. A size that no format has, as videos of other versions could have it, goes to the
 * nearest of its shape.
 */
export function formatOfSize({ width, height }: { width: number; height: number }): ClipFormat {
  if (height > width) return "vertical";
  return height >= clipFormats["1080p"].height ? "1080p" : "720p";
}

export function isClipFormat(name: unknown): name is ClipFormat {
  return (clipFormatNames as readonly unknown[]).includes(name);
}
