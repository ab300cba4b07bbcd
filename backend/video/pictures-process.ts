/** The process that draws the pictures of a match, started by `start-pictures.ts`. */
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { decodeReplayTrack } from "../../replay/decode-track.ts";
import { nextFromParent, onParentGone, tellParent } from "../children/parent-channel.ts";
import { type ClipGround, chooseGround, type GroundOptions, openRelief } from "./clip-ground.ts";
import type { FrameSize } from "./kept-reliefs.ts";
import { drawMatchPictures, picturesFile, type StillMoment } from "./match-pictures.ts";
import { readTrack } from "./read-track.ts";

/** The first and only message from start-pictures.ts. */
export interface PicturesJob extends Pick<GroundOptions, "mapFootprintsPath" | "reliefPaths" | "outputDirectory"> {
  /** An encoded replay track, plain or gzipped. */
  trackPath: string;
  frame: FrameSize;
  moments: readonly StillMoment[];
  /** False: only the stills. */
  withGround: boolean;
}

export interface PicturesResult {
  ground: ClipGround;
}

onParentGone(() => process.exit());
void nextFromParent<PicturesJob>().then(
  async ({ trackPath, mapFootprintsPath, reliefPaths, frame, moments, withGround, outputDirectory }) => {
    try {
      const { track, ground } = await chooseGround(decodeReplayTrack(await readTrack(trackPath)), mapFootprintsPath);
      const { relief } = await openRelief(track, frame, reliefPaths?.[ground]);
      const onProgress = (progress: number) => void tellParent({ type: "progress", progress });
      const file = await drawMatchPictures(track, relief, moments, { withGround, onProgress });
      const path = join(outputDirectory, picturesFile);
      await writeFile(`${path}.part`, file);
      await rename(`${path}.part`, path);
      await tellParent({ type: "done", result: { ground } satisfies PicturesResult });
      process.exit(0);
    } catch (error) {
      const { message, code } = error as NodeJS.ErrnoException;
      await tellParent({ type: "failed", message: message || String(error), code });
      process.exit(1);
    }
  },
);
