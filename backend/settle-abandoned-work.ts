import type { Transaction } from "kysely";
import { giveRenderUp, type RenderTarget } from "./clips/clip-life.ts";
import type { JobName, JobPayloads, OpenJob } from "./jobs/job-queue.ts";
import { endedMatchStatuses, failImport, importGivenUp } from "./matches/match-life.ts";
import type { Services } from "./services.ts";
import type { Database } from "./storage/schema.ts";

/** Younger work is skipped: its job may be in a transaction that is being committed, or in its first try. */
const settleAfterMs = 60_000;

/**
 * Fails imports and clips whose job was given up without its handler's involvement, because the process died in every try, for example for
 * lack of memory. Otherwise they would remain at "parsing" for ever, and a clip would keep its place in the queue.
 */
export async function settleAbandonedWork(services: Services): Promise<void> {
  const { matches, clips, formats } = await abandonedWork(services);
  for (const payload of matches) {
    await giveUp(services, "import", payload, {
      lock: (transaction) => transaction.selectFrom("matches").select("id").where("id", "=", payload.matchId),
      fail: (transaction) => failImport(transaction, payload.matchId, importGivenUp),
    });
  }
  for (const { name, payload } of clips) {
    await giveUp(services, name, payload, {
      lock: (transaction) => transaction.selectFrom("clips").select("id").where("id", "=", payload.clipId),
      fail: (transaction) => giveRenderUp(transaction, payload),
    });
  }
  for (const payload of formats) {
    await giveUp(services, "render", payload, {
      lock: (transaction) =>
        transaction
          .selectFrom("clip_formats")
          .select("clip_id")
          .where("clip_id", "=", payload.clipId)
          .where("format", "=", payload.format),
      fail: (transaction) => giveRenderUp(transaction, payload),
    });
  }
}

interface Row {
  /** Selects and locks only this row. */
  lock: (transaction: Transaction<Database>) => { forUpdate(): { execute(): Promise<unknown> } };
  /** @returns false when it has ended by itself */
  fail: (transaction: Transaction<Database>) => Promise<boolean>;
}

/** Checks again while the row is locked: its job may have been put back since. */
async function giveUp<Name extends "import" | "render" | "join">(
  { database, jobs, log }: Services,
  name: Name,
  payload: JobPayloads[Name],
  { lock, fail }: Row,
): Promise<void> {
  const isGivenUp = await database.transaction().execute(async (transaction) => {
    await lock(transaction).forUpdate().execute();
    return !(await jobs.isOpen(name, payload, transaction)) && fail(transaction);
  });
  if (isGivenUp) log.error({ job: name, payload }, "work given up");
}

/** Rows without a job, in a fixed number of statements; rows and jobs are of one snapshot. */
async function abandonedWork({ database, jobs, now: clock }: Services) {
  const now = clock();
  const before = new Date(now.getTime() - settleAfterMs);
  return await database
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute(async (transaction) => {
      const matches = await transaction
        .selectFrom("matches")
        .select("id")
        .where("status", "not in", endedMatchStatuses)
        // Rows from the future were created before the clock was set back.
        .where((row) => row.or([row("created_at", "<", before), row("created_at", ">", now)]))
        .execute();
      const clips = await transaction
        .selectFrom("clips")
        .select(["id", "match_id"])
        .where("queue_slot", "is not", null)
        .where((row) => row.or([row("created_at", "<", before), row("created_at", ">", now)]))
        .execute();
      const formats = await transaction
        .selectFrom("clip_formats")
        .select(["clip_id", "format"])
        .where("queue_slot", "is not", null)
        .where((row) => row.or([row("created_at", "<", before), row("created_at", ">", now)]))
        .execute();
      if (matches.length + clips.length + formats.length === 0) return { matches: [], clips: [], formats: [] };
      const open = new Set((await jobs.allOpen(transaction)).map(keyOf));
      const isAbandoned = (name: JobName, payload: Carried) => !open.has(keyOf({ name, payload }));
      return {
        matches: matches.map(({ id }) => ({ matchId: id })).filter((payload) => isAbandoned("import", payload)),
        clips: clips
          .map(
            ({ id, match_id }) => ({ name: match_id === null ? "join" : "render", payload: { clipId: id } }) as const,
          )
          .filter(({ name, payload }) => isAbandoned(name, payload)),
        formats: formats
          .map(({ clip_id: clipId, format }) => ({ clipId, format }))
          .filter((payload) => isAbandoned("render", payload)),
      };
    });
}

type Carried = { matchId: string } | RenderTarget;

/** The same key for a row and for its job. */
function keyOf({ name, payload }: Pick<OpenJob, "name"> & { payload: object }): string {
  const { matchId, clipId, format } = payload as Partial<RenderTarget> & { matchId?: string };
  return JSON.stringify([name, matchId ?? clipId, format]);
}
