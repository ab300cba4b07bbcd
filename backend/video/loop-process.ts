import { decodeReplayTrack } from "../../replay/decode-track.ts";
import { nextFromParent, onParentGone, tellParent } from "../children/parent-channel.ts";
import { chooseGround, type GroundOptions, openRelief } from "./clip-ground.ts";
import { type LoopOptions, makeLoop } from "./loop.ts";
import { readTrack } from "./read-track.ts";

/** The first and only message from start-loop.ts. */
export interface LoopJob
  extends Omit<LoopOptions, "track" | "relief" | "signal" | "onProgress">,
    Pick<GroundOptions, "mapFootprintsPath" | "reliefPaths"> {
  /** An encoded replay track, plain or gzipped. */
  trackPath: string;
}

export type LoopMessage =
  | { type: "progress"; progress: number }
  | { type: "done"; result: { bytes: number } }
  | { type: "failed"; message: string; code: string | undefined };

const parentGone = new AbortController();

async function run({ trackPath, mapFootprintsPath, reliefPaths, ...options }: LoopJob): Promise<LoopMessage> {
  try {
    const { track, ground } = await chooseGround(decodeReplayTrack(await readTrack(trackPath)), mapFootprintsPath);
    const { relief } = await openRelief(track, options.spec, reliefPaths?.[ground]);
    const onProgress = (progress: number) => void tell({ type: "progress", progress });
    return {
      type: "done",
      result: await makeLoop({ ...options, track, relief, onProgress, signal: parentGone.signal }),
    };
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    return { type: "failed", message: message || String(error), code };
  }
}

const tell = (message: LoopMessage) => tellParent(message);

onParentGone(() => parentGone.abort(new Error("The server that asked for this loop is gone.")));
void nextFromParent<LoopJob>().then(async (job) => {
  const last = await run(job);
  await tell(last);
  process.exit(last.type === "done" ? 0 : 1);
});
