import { type ClipFormat, clipFormats } from "../../contract/clip-formats.ts";

/** Frame sizes of clips by format, in pixels. */
export const formatSizes = Object.fromEntries(
  Object.entries(clipFormats).map(([format, { width, height }]) => [format, { width, height }]),
) as Record<ClipFormat, { width: number; height: number }>;
