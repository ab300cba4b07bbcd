import { sql } from "kysely";
import type { Services } from "../services.ts";

/**
 * Counts events in a window that begins with the first of them. The database holds the counts, so that all web processes count together and
 * a restart loses only what a crash does. For rare, expensive actions, since each is a write.
 * @returns whether this event is within the limit, and the seconds until the window ends
 */
export async function countEvent(
  services: Services,
  key: string,
  limit: number,
  windowMs: number,
): Promise<{ allowed: boolean; retryAfterSeconds: number }> {
  const now = services.now();
  const ended = new Date(now.getTime() - windowMs);
  const row = await services.database
    .insertInto("rate_counters")
    .values({ key, window_start: now, count: 1 })
    .onConflict((conflict) =>
      conflict.column("key").doUpdateSet({
        count: sql<number>`CASE WHEN rate_counters.window_start <= ${ended} THEN 1 ELSE rate_counters.count + 1 END`,
        // A window never begins in the future: after the clock was set back it would not end for a long time.
        window_start: sql<Date>`CASE WHEN rate_counters.window_start <= ${ended} THEN ${now}
          ELSE least(rate_counters.window_start, ${now}) END`,
      }),
    )
    .returning(["count", "window_start"])
    .executeTakeFirstOrThrow();
  return { allowed: row.count <= limit, retryAfterSeconds: secondsLeft(row.window_start, windowMs, now) };
}

/** As `countEvent`, but without counting the event: for a refusal before the work begins. */
export async function isEventAllowed(
  services: Services,
  key: string,
  limit: number,
  windowMs: number,
): Promise<{ allowed: boolean; retryAfterSeconds: number }> {
  const now = services.now();
  const row = await services.database
    .selectFrom("rate_counters")
    .select(["count", "window_start"])
    .where("key", "=", key)
    .where("window_start", ">", new Date(now.getTime() - windowMs))
    .executeTakeFirst();
  if (!row) return { allowed: limit > 0, retryAfterSeconds: Math.ceil(windowMs / 1000) };
  return { allowed: row.count < limit, retryAfterSeconds: secondsLeft(row.window_start, windowMs, now) };
}

function secondsLeft(windowStart: Date, windowMs: number, now: Date): number {
  const leftMs = Math.min(windowStart.getTime() + windowMs - now.getTime(), windowMs);
  return Math.max(1, Math.ceil(leftMs / 1000));
}

/** Deletes counters whose window has long ended; for the retention job. */
export async function deleteOldCounters(services: Services, olderThanMs: number): Promise<void> {
  await services.database
    .deleteFrom("rate_counters")
    .where("window_start", "<", new Date(services.now().getTime() - olderThanMs))
    .execute();
}
