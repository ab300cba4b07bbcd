import { sql } from "kysely";
import type { Services } from "../services.ts";

/** The counter whose number is the seconds of the pause from its beginning on: the processes share it, and a start forgets nothing. */
const counter = "automation-pause";

/** Where the provider does not say how long: at first, and at the longest after refusals in a row. */
const firstSeconds = 30;
const longestSeconds = 15 * 60;

/** Until when the provider wants no looks, whichever process it told so; null when it wants them. */
export async function pausedUntil({ database, now }: Services): Promise<Date | null> {
  const row = await database
    .selectFrom("rate_counters")
    .select(["window_start", "count"])
    .where("key", "=", counter)
    .executeTakeFirst();
  if (!row) return null;
  const passedMs = now().getTime() - row.window_start.getTime();
  const lastsMs = row.count * 1000;
  // A pause never begins in the future: a clock that was set back would make it longer.
  return passedMs >= 0 && passedMs < lastsMs ? new Date(row.window_start.getTime() + lastsMs) : null;
}

/**
 * The provider refused: no looks for as long as it said, or, where it did not say, for a while that is twice as long with every refusal until it
 * answers. A longer pause that lasts still is left.
 * @param retryAfterMs null when it did not say
 */
export async function pauseLooks({ database, now }: Services, retryAfterMs: number | null): Promise<void> {
  const begins = now();
  const isTold = retryAfterMs !== null;
  const seconds = isTold ? Math.ceil(retryAfterMs / 1000) : firstSeconds;
  const next = isTold
    ? sql<number>`${seconds}::int`
    : sql<number>`greatest(${firstSeconds}::int, least(rate_counters.count * 2, ${longestSeconds}::int))`;
  await database
    .insertInto("rate_counters")
    .values({ key: counter, window_start: begins, count: seconds })
    .onConflict((conflict) =>
      conflict
        .column("key")
        .doUpdateSet({ window_start: begins, count: next })
        // Of several that are refused at once the first doubles it.
        .where(endsBy(begins, isTold ? seconds : 0)),
    )
    .execute();
}

/** The provider answers again: the next refusal is the first. */
export async function forgetPause({ database, now }: Services): Promise<void> {
  await database.deleteFrom("rate_counters").where("key", "=", counter).where(endsBy(now(), 0)).execute();
}

/** Whether the pause is over some seconds from now, or was written by a clock that was set back since. */
const endsBy = (now: Date, seconds: number) => sql<boolean>`(
  rate_counters.window_start + rate_counters.count * interval '1 second'
    <= ${new Date(now.getTime() + seconds * 1000)}::timestamptz
  OR rate_counters.window_start > ${now}::timestamptz
)`;
