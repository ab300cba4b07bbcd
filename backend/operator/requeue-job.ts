import { freeQueueSlot } from "../clips/free-queue-slot.ts";
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
  await database.transaction().execute(async (transaction) => {
    const clip = await transaction
      .selectFrom("clips")
      .select(["user_id", "status", "queue_slot"])
      .where("id", "=", clipId)
      .executeTakeFirst();
    if (!clip || clip.status === "completed") {
      throw new OperatorError(`Nothing to do: the clip ${clipId} is complete or was deleted.`);
    }
    if (clip.queue_slot !== null) return;
    const slot = await freeQueueSlot(transaction, clip.user_id);
    if (slot === null) {
      throw new OperatorError(`The player of clip ${clipId} has three clips in the queue already. Try again later.`);
    }
    await transaction
      .updateTable("clips")
      .set({ status: "queued", progress: 0, error: null, queue_slot: slot })
      .where("id", "=", clipId)
      .execute();
  });
}
