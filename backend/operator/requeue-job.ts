import type { FailedJob } from "../jobs/job-queue.ts";
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
  if (failed.name === "render") await reopenClip(services, failed.payload as { clipId: number });
  await services.jobs.requeue(jobId);
  return failed;
}

async function reopenMatch({ database }: Services, { matchId }: { matchId: string }): Promise<void> {
  const { numUpdatedRows } = await database
    .updateTable("matches")
    .set({ status: "queued", progress: 0, operation: "", error: null, error_code: null })
    .where("id", "=", matchId)
    .where("status", "<>", "completed")
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new OperatorError(`Nothing to do: the match ${matchId} is complete or was deleted.`);
}

async function reopenClip({ database }: Services, { clipId }: { clipId: number }): Promise<void> {
  const clip = await database
    .selectFrom("clips")
    .select(["user_id", "status", "queue_slot"])
    .where("id", "=", clipId)
    .executeTakeFirst();
  if (!clip || clip.status === "completed") {
    throw new OperatorError(`Nothing to do: the clip ${clipId} is complete or was deleted.`);
  }
  if (clip.queue_slot !== null) return;
  for (const queue_slot of [1, 2, 3]) {
    const isTaken = await database
      .updateTable("clips")
      .set({ status: "queued", progress: 0, error: null, queue_slot })
      .where("id", "=", clipId)
      .execute()
      .then(() => false, isUniqueViolation);
    if (!isTaken) return;
  }
  throw new OperatorError(`The player of clip ${clipId} has three clips in the queue already. Try again later.`);
}

/** @throws what is no unique violation */
function isUniqueViolation(error: unknown): true {
  if ((error as { code?: string }).code === "23505") return true;
  throw error;
}
