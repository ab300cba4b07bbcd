import { type ClipFormat, clipFormats } from "../../../contract/clip-formats.ts";
import type { Config } from "../../config.ts";

/** The format of a clip that is created without naming one. */
export function defaultClipFormat({ CLIP_HEIGHT: height }: Pick<Config, "CLIP_HEIGHT">): ClipFormat {
  return height === clipFormats["1080p"].height ? "1080p" : "720p";
}
