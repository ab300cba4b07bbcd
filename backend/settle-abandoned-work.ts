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
    .where("status", "not in", ["completed", "failed"])
    // What was made in the future was made before the clock was set back.
    .where((row) => row.or([row("created_at", "<", before), row("created_at", ">", now)]))
    .execute();
  for (const { id } of matches) {
    if (await jobs.isOpen("import", { matchId: id })) continue;
    await database
      .updateTable("matches")
      .set({
        status: "failed",
        operation: "",
        error_code: "given_up",
        error: "The import was interrupted again and again, so we gave up. You can try it again.",
      })
      .where("id", "=", id)
      .where("status", "not in", ["completed", "failed"])
      .execute();
    log.error({ matchId: id }, "import given up");
  }
  const clips = await database
    .selectFrom("clips")
    .select("id")
    .where("queue_slot", "is not", null)
    .where((row) => row.or([row("created_at", "<", before), row("created_at", ">", now)]))
    .execute();
  for (const { id } of clips) {
    if (await jobs.isOpen("render", { clipId: id })) continue;
    await database
      .updateTable("clips")
      .set({
        status: "failed",
        progress: 0,
        queue_slot: null,
        error: "The rendering was interrupted again and again, so we gave up. Delete the clip and create it again.",
      })
      .where("id", "=", id)
      .where("queue_slot", "is not", null)
      .execute();
    log.error({ clipId: id }, "clip given up");
  }
}
