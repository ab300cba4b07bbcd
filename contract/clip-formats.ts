/** The formats a clip can be made in. */
export type ClipFormat = "720p" | "1080p" | "vertical";

/** Pixels and frames a second of every format. */
export const clipFormats: Record<ClipFormat, { width: number; height: number; framesPerSecond: number }> = {
  "720p": { width: 1280, height: 720, framesPerSecond: 60 },
  "1080p": { width: 1920, height: 1080, framesPerSecond: 60 },
  vertical: { width: 1080, height: 1920, framesPerSecond: 60 },
};
