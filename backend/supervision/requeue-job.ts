import type { Transaction } from "kysely";
import { lockPlayer } from "../accounts/lock-player.ts";
import { type RenderTarget, requeueRender } from "../clips/clip-life.ts";
import { type FailedJob, type FailureCause, NoFailedJobError } from "../jobs/job-queue.ts";
import { requeueImport } from "../matches/match-life.ts";
import type { Services } from "../services.ts";
import type { Database } from "../storage/schema.ts";

/** Something cannot be tried again; the message says why. */
export class NotRequeued extends Error {}

/** Failures of one cause per press; the next press takes the next ones. */
const requeuedAtOnce = 100;

/**
 * Puts a failed job back into its queue, and its subject back to "queued", because handlers ignore what has failed already.
 * @throws NotRequeued when there is no such job, its match or clip is gone or in progress, or the player has no free place in the queue
 */
export async function requeueJob(services: Services, jobId: string): Promise<FailedJob> {
  const failed = await services.jobs.failure(jobId);
  if (!failed) throw new NotRequeued(`There is no failed job with the id ${jobId}.`);
  const { name, payload } = failed;
  // In one transaction, since waiting work without a job is treated as abandoned.
  await services.database.transaction().execute(async (transaction) => {
    if (name === "import") await reopenMatch(services, transaction, payload as { matchId: string });
    if (name === "render" || name === "join") await reopenClip(services, transaction, name, payload as RenderTarget);
    await services.jobs.requeue(jobId, transaction).catch((error: unknown) => {
      // Somebody else did it first.
      throw error instanceof NoFailedJobError ? new NotRequeued(error.message) : error;
    });
  });
  return failed;
}

/** The same for all failures of one cause. @returns how many were put back, and the first reason why one was not */
export async function requeueCause(
  services: Services,
  cause: Pick<FailureCause, "name" | "cause">,
): Promise<{ requeued: number; left: number; reason: string | null }> {
  let requeued = 0;
  let left = 0;
  let reason: string | null = null;
  for (const id of await services.jobs.failuresOf(cause, requeuedAtOnce)) {
    try {
      await requeueJob(services, id);
      requeued++;
    } catch (error) {
      if (!(error instanceof NotRequeued)) throw error;
      left++;
      reason ??= error.message;
    }
  }
  return { requeued, left, reason };
}

async function reopenMatch(
  { jobs }: Services,
  transaction: Transaction<Database>,
  { matchId }: { matchId: string },
): Promise<void> {
  await transaction.selectFrom("matches").select("id").where("id", "=", matchId).forUpdate().execute();
  // Its player tried again meanwhile: two jobs would work on one match.
  if (await jobs.isOpen("import", { matchId }, transaction)) {
    throw new NotRequeued(`The match ${matchId} is being imported already.`);
  }
  const match = await requeueImport(transaction, matchId);
  if (!match) throw new NotRequeued(`Nothing to do: the match ${matchId} is complete or was deleted.`);
}

async function reopenClip(
  { jobs }: Services,
  transaction: Transaction<Database>,
  name: "render" | "join",
  target: RenderTarget,
): Promise<void> {
  const { clipId } = target;
  const clip = await transaction.selectFrom("clips").select("user_id").where("id", "=", clipId).executeTakeFirst();
  // The lock that queueing a clip or a format takes first; locking the clip's row instead could deadlock with it.
  if (clip) await lockPlayer(transaction, clip.user_id);
  // Its player requested the format again meanwhile: two jobs would render one video.
  if (await jobs.isOpen(name, target, transaction)) {
    throw new NotRequeued(`The clip ${clipId} is being made already.`);
  }
  const standing = await requeueRender(transaction, target);
  if (standing === "ended") throw new NotRequeued(`Nothing to do: the clip ${clipId} is complete or was deleted.`);
  if (standing === "full") {
    throw new NotRequeued(`The player of clip ${clipId} has as many clips in the queue as fit. Try again later.`);
  }
}
