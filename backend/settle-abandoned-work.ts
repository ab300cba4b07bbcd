import type { Transaction } from "kysely";
import { giveRenderUp, type RenderTarget } from "./clips/clip-life.ts";
import type { JobName, OpenJob } from "./jobs/job-queue.ts";
import { endedMatchStatuses, failImport, importGivenUp } from "./matches/match-life.ts";
import type { Services } from "./services.ts";
import type { Database } from "./storage/schema.ts";

/** Younger work is left alone: its job may be in the transaction that is just being committed, or in its first try. */
const settleAfterMs = 60_000;

/**
 * Ends imports and clips whose job is given up without its handler having had a say, because the process died in every try,
 * say of too little memory. Without this they would stand there as "parsing" for ever, and a clip would keep its place in the
 * queue.
 */
export async function settleAbandonedWork(services: Services): Promise<void> {
  const { database, log } = services;
  const { matches, clips, formats } = await abandonedWork(services);
  // Looked at again under the lock of the row: its job may have been put back since.
  const isStillAbandoned = async (transaction: Transaction<Database>, name: JobName, payload: Carried) => {
    const key = keyOf({ name, payload });
    return !(await services.jobs.allOpen(transaction)).some((job) => keyOf(job) === key);
  };
  for (const { id } of matches) {
    const isGivenUp = await database.transaction().execute(async (transaction) => {
      await transaction.selectFrom("matches").select("id").where("id", "=", id).forUpdate().execute();
      if (!(await isStillAbandoned(transaction, "import", { matchId: id }))) return false;
      return failImport(transaction, id, importGivenUp);
    });
    if (isGivenUp) log.error({ matchId: id }, "import given up");
  }
  for (const { id, match_id } of clips) {
    const isGivenUp = await database.transaction().execute(async (transaction) => {
      await transaction.selectFrom("clips").select("id").where("id", "=", id).forUpdate().execute();
      const name = match_id === null ? "join" : "render";
      if (!(await isStillAbandoned(transaction, name, { clipId: id }))) return false;
      return giveRenderUp(transaction, { clipId: id });
    });
    if (isGivenUp) log.error({ clipId: id }, "clip given up");
  }
  for (const { clip_id: clipId, format } of formats) {
    const isGivenUp = await database.transaction().execute(async (transaction) => {
      await transaction
        .selectFrom("clip_formats")
        .select("clip_id")
        .where("clip_id", "=", clipId)
        .where("format", "=", format)
        .forUpdate()
        .execute();
      if (!(await isStillAbandoned(transaction, "render", { clipId, format }))) return false;
      return giveRenderUp(transaction, { clipId, format });
    });
    if (isGivenUp) log.error({ clipId, format }, "format given up");
  }
}

/** Rows that nobody works on, in as many statements however many wait: rows and jobs of one moment. */
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
        // What was made in the future was made before the clock was set back.
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
      if (matches.length + clips.length + formats.length === 0) return { matches, clips, formats };
      const open = new Set((await jobs.allOpen(transaction)).map(keyOf));
      const isAbandoned = (name: JobName, payload: Carried) => !open.has(keyOf({ name, payload }));
      return {
        matches: matches.filter(({ id }) => isAbandoned("import", { matchId: id })),
        clips: clips.filter(({ id, match_id }) => isAbandoned(match_id === null ? "join" : "render", { clipId: id })),
        formats: formats.filter(({ clip_id: clipId, format }) => isAbandoned("render", { clipId, format })),
      };
    });
}

type Carried = { matchId: string } | RenderTarget;

/** The same for a row and for its job. */
function keyOf({ name, payload }: Pick<OpenJob, "name"> & { payload: object }): string {
  const { matchId, clipId, format } = payload as Partial<RenderTarget> & { matchId?: string };
  return JSON.stringify([name, matchId ?? clipId, format]);
}
