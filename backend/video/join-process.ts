import { nextFromParent, onParentGone, tellParent } from "../children/parent-channel.ts";
import { type JoinOptions, type JoinResult, joinVideos } from "./join-videos.ts";

/** The first and only message from start-join.ts. */
export type JoinJob = Omit<JoinOptions, "onProgress" | "signal">;

export type JoinMessage =
  | { type: "progress"; progress: number }
  | { type: "done"; result: JoinResult }
  | { type: "failed"; message: string; code: string | undefined };

const parentGone = new AbortController();

async function run(job: JoinJob): Promise<JoinMessage> {
  try {
    const onProgress = (progress: number) => void tell({ type: "progress", progress });
    return { type: "done", result: await joinVideos({ ...job, onProgress, signal: parentGone.signal }) };
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    return { type: "failed", message: message || String(error), code };
  }
}

const tell = (message: JoinMessage) => tellParent(message);

onParentGone(() => parentGone.abort(new Error("The server that asked for this video is gone.")));
void nextFromParent<JoinJob>().then(async (job) => {
  const last = await run(job);
  await tell(last);
  process.exit(last.type === "done" ? 0 : 1);
});
