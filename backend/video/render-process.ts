import { decodeReplayTrack } from "../../replay/decode-track.ts";
import { nextFromParent, onParentGone, tellParent } from "../children/parent-channel.ts";
import type { AvatarFile } from "./avatars.ts";
import { type DrawnOn, type GroundOptions, prepareGround } from "./clip-ground.ts";
import { readTrack } from "./read-track.ts";
import { type RenderResult, renderClip } from "./render-clip.ts";

/** The first and only message from start-render.ts. */
export interface RenderJob extends GroundOptions {
  /** An encoded replay track, plain or gzipped. */
  trackPath: string;
  /** Pictures of its players, as far as available. */
  avatars?: AvatarFile[];
  /** As in `renderClip`. */
  hasListPictures?: boolean | undefined;
  /** FFMPEG_PATH, if it is set. */
  ffmpegPath?: string | undefined;
}

export type RenderMessage =
  | { type: "progress"; progress: number }
  | { type: "done"; result: RenderResult & DrawnOn }
  | { type: "failed"; message: string; code: string | undefined };

const parentGone = new AbortController();

async function run(job: RenderJob): Promise<RenderMessage> {
  try {
    const match = decodeReplayTrack(await readTrack(job.trackPath));
    const { track, relief, drawnOn, left } = await prepareGround(match, job);
    const result = await renderClip({
      track,
      relief,
      spec: job.spec,
      ...(job.avatars && { avatars: job.avatars }),
      ...(job.hasListPictures !== undefined && { hasListPictures: job.hasListPictures }),
      outputDirectory: job.outputDirectory,
      ffmpegPath: job.ffmpegPath,
      onProgress: (progress) => void tell({ type: "progress", progress }),
      signal: parentGone.signal,
    });
    await left;
    return { type: "done", result: { ...result, ...drawnOn } };
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    return { type: "failed", message: message || String(error), code };
  }
}

const tell = (message: RenderMessage) => tellParent(message);

onParentGone(() => parentGone.abort(new Error("The server that asked for this clip is gone.")));
void nextFromParent<RenderJob>().then(async (job) => {
  const last = await run(job);
  await tell(last);
  process.exit(last.type === "done" ? 0 : 1);
});
