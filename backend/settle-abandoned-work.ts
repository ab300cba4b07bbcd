import { giveRenderUp } from "./clips/clip-life.ts";
import { endedMatchStatuses, failImport, importGivenUp } from "./matches/match-life.ts";
import type { Services } from "./services.ts";

/** Younger work is left alone: its job may be in the transaction that is just being committed, or in its first try. */
const settleAfterMs = 60_000;

/**
 * Ends imports and clips whose job is given up without its handler having had a say, because the process died in every try,
 * say of too little memory. Without this they would stand there as "parsing" for ever, and a clip would keep its place in the
 * queue.
 */
export async function settleAbandonedWork(services: Services): Promise<void> {
  const { database, jobs, log } = services;
  const now = services.now();
  const before = new Date(now.getTime() - settleAfterMs);
  const matches = await database
    .selectFrom("matches")
    .select("id")
    .where("status", "not in", endedMatchStatuses)
    // What was made in the future was made before the clock was set back.
    .where((row) => row.or([row("created_at", "<", before), row("created_at", ">", now)]))
    .execute();
  for (const { id } of matches) {
    if (await jobs.isOpen("import", { matchId: id })) continue;
    await failImport(database, id, importGivenUp);
    log.error({ matchId: id }, "import given up");
  }
  const clips = await database
    .selectFrom("clips")
    .select(["id", "match_id"])
    .where("queue_slot", "is not", null)
    .where((row) => row.or([row("created_at", "<", before), row("created_at", ">", now)]))
    .execute();
  for (const { id, match_id } of clips) {
    if (await jobs.isOpen(match_id === null ? "join" : "render", { clipId: id })) continue;
    await giveRenderUp(database, { clipId: id });
    log.error({ clipId: id }, "clip given up");
  }
  const formats = await database
    .selectFrom("clip_formats")
    .select(["clip_id", "format"])
    .where("queue_slot", "is not", null)
    .where((row) => row.or([row("created_at", "<", before), row("created_at", ">", now)]))
    .execute();
  for (const { clip_id: clipId, format } of formats) {
    if (await jobs.isOpen("render", { clipId, format })) continue;
    await giveRenderUp(database, { clipId, format });
    log.error({ clipId, format }, "format given up");
  }
}
