import { nextFromParent, onParentGone, tellParent } from "../children/parent-channel.ts";
import { makeShareFile, type ShareOptions } from "./share-file.ts";

/** The first and only message from start-share.ts. */
export type ShareJob = Omit<ShareOptions, "onProgress" | "signal">;

export type ShareMessage =
  | { type: "progress"; progress: number }
  | { type: "done"; result: { bytes: number } }
  | { type: "failed"; message: string; code: string | undefined };

const parentGone = new AbortController();

async function run(job: ShareJob): Promise<ShareMessage> {
  try {
    const onProgress = (progress: number) => void tell({ type: "progress", progress });
    return { type: "done", result: await makeShareFile({ ...job, onProgress, signal: parentGone.signal }) };
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    return { type: "failed", message: message || String(error), code };
  }
}

const tell = (message: ShareMessage) => tellParent(message);

onParentGone(() => parentGone.abort(new Error("The server that asked for this file is gone.")));
void nextFromParent<ShareJob>().then(async (job) => {
  const last = await run(job);
  await tell(last);
  process.exit(last.type === "done" ? 0 : 1);
});
