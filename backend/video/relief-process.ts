/** The process that draws the relief of a match before a clip needs it, started by `start-relief.ts`. */
import { decodeReplayTrack } from "../../replay/decode-track.ts";
import { nextFromParent, onParentGone, tellParent } from "../children/parent-channel.ts";
import { drawOwnRelief } from "./clip-ground.ts";
import type { FrameSize } from "./kept-reliefs.ts";
import { readTrack } from "./read-track.ts";

/** The first and only message from start-relief.ts. */
export interface ReliefJob {
  /** An encoded replay track, plain or gzipped. */
  trackPath: string;
  mapFootprintsPath?: string | undefined;
  frame: FrameSize;
  outputDirectory: string;
}

onParentGone(() => process.exit());
void nextFromParent<ReliefJob>().then(async ({ trackPath, ...options }) => {
  try {
    // The ground of the match's clips; its relief is left if that is the match's own.
    const ground = await drawOwnRelief(decodeReplayTrack(await readTrack(trackPath)), options);
    await tellParent({ type: "done", result: { ground } });
    process.exit(0);
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    await tellParent({ type: "failed", message: message || String(error), code });
    process.exit(1);
  }
});
