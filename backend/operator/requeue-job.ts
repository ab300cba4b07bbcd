import { type RenderTarget, requeueRender } from "../clips/clip-life.ts";
import type { FailedJob } from "../jobs/job-queue.ts";
import { requeueImport } from "../matches/match-life.ts";
import type { Services } from "../services.ts";
import { OperatorError } from "./operator-error.ts";

const failuresLooked = 10_000;

/**
 * Puts a failed job back to work, and what it works on back to "queued": a handler leaves alone what has failed already.
 * @throws OperatorError when there is no such job, its match or clip is gone, or the player has three clips in the queue
 */
export async function requeueJob(services: Services, jobId: string): Promise<FailedJob> {
  const failed = (await services.jobs.failures(failuresLooked)).find((job) => job.id === jobId);
  if (!failed)
    throw new OperatorError(`There is no failed job with the id ${jobId}. See: npm run operator -- failures`);
  if (failed.name === "import") await reopenMatch(services, failed.payload as { matchId: string });
  if (failed.name === "render" || failed.name === "join") await reopenClip(services, failed.payload as RenderTarget);
  await services.jobs.requeue(jobId);
  return failed;
}

async function reopenMatch({ database }: Services, { matchId }: { matchId: string }): Promise<void> {
  const match = await requeueImport(database, matchId);
  if (!match) throw new OperatorError(`Nothing to do: the match ${matchId} is complete or was deleted.`);
}

async function reopenClip({ database }: Services, target: RenderTarget): Promise<void> {
  const { clipId } = target;
  const standing = await database.transaction().execute((transaction) => requeueRender(transaction, target));
  if (standing === "ended") throw new OperatorError(`Nothing to do: the clip ${clipId} is complete or was deleted.`);
  if (standing === "full") {
    throw new OperatorError(`The player of clip ${clipId} has three clips in the queue already. Try again later.`);
  }
}
