import { isDiskFull } from "../storage/disk-full.ts";

/** `code` of a RenderError that is not about the clip: ffmpeg was killed by somebody or did not progress. */
export const interruptedCode = "INTERRUPTED";

/** Rendering failed; the message is one sentence for the player. */
export class RenderError extends Error {
  /** ENOSPC when the disk is full, as in file operations; or `interruptedCode`. */
  readonly code: string | undefined;

  constructor(message: string, code?: string) {
    super(message);
    this.code = code;
  }
}

/** Turns the file system's "no space left" into a RenderError; returns other errors unchanged. */
export function fromFileSystem(error: unknown): unknown {
  return isDiskFull(error) && !(error instanceof RenderError) ? noSpaceLeft() : error;
}

export function noSpaceLeft(): RenderError {
  return new RenderError("There is no space left on the disk.", "ENOSPC");
}
