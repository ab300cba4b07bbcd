import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import type { ClipSpec } from "../../replay/clip-spec.ts";
import { decodeReplayTrack } from "../../replay/decode-track.ts";
import { tellParent } from "../children/tell-parent.ts";
import { type RenderResult, renderClip } from "./render-clip.ts";

/** What start-render.ts sends; the first and only message. */
export interface RenderJob {
  /** An encoded replay track, plain or gzipped. */
  trackPath: string;
  spec: ClipSpec;
  outputDirectory: string;
  /** FFMPEG_PATH, if it is set. */
  ffmpegPath?: string | undefined;
}

export type RenderMessage =
  | { type: "progress"; progress: number }
  | { type: "done"; result: RenderResult }
  | { type: "failed"; message: string; code: string | undefined };

const parentGone = new AbortController();

async function run(job: RenderJob): Promise<RenderMessage> {
  try {
    const track = decodeReplayTrack(await readTrack(job.trackPath));
    const result = await renderClip({
      track,
      spec: job.spec,
      outputDirectory: job.outputDirectory,
      ffmpegPath: job.ffmpegPath,
      onProgress: (progress) => void tell({ type: "progress", progress }),
      signal: parentGone.signal,
    });
    return { type: "done", result };
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    return { type: "failed", message: message || String(error), code };
  }
}

async function readTrack(path: string): Promise<Uint8Array> {
  const bytes = await readFile(path);
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes;
}

const tell = (message: RenderMessage) => tellParent(message);

process.on("disconnect", () => parentGone.abort(new Error("The server that asked for this clip is gone.")));
process.once("message", async (job: RenderJob) => {
  const last = await run(job);
  await tell(last);
  process.exit(last.type === "done" ? 0 : 1);
});
