import { randomInt } from "node:crypto";
import { sql } from "kysely";
import type { Services } from "../services.ts";

/** The place of a dead process becomes free after this. */
const leaseMs = 60_000;
const renewEveryMs = 15_000;

/**
 * Takes one of a number of places that all processes share, in the table of counters. For rare, expensive actions, since each is a write.
 * It is held until it is given back, or for a minute after its process died.
 * @param name of the kind of places, e.g. `uploads:12`
 * @returns a function that gives it back; null when none is free
 */
export async function takeSharedPlace(
  services: Pick<Services, "database" | "now">,
  name: string,
  places: number,
): Promise<(() => Promise<void>) | null> {
  const { database, now } = services;
  // Distinguishes this holder from a later one of the same place.
  const holder = randomInt(1, 2 ** 31);
  for (let place = 1; place <= places; place++) {
    const key = `${name}:${place}`;
    const at = now();
    const { rows } = await sql`
      INSERT INTO rate_counters (key, window_start, count) VALUES (${key}, ${at}, ${holder})
      ON CONFLICT (key) DO UPDATE SET window_start = excluded.window_start, count = excluded.count
      -- Later than now by more than that it was written by a clock that was set back since.
      WHERE rate_counters.window_start NOT BETWEEN ${new Date(at.getTime() - leaseMs)} AND ${new Date(at.getTime() + leaseMs)}
      RETURNING key`.execute(database);
    if (rows.length === 0) continue;
    const own = () => sql`key = ${key} AND count = ${holder}`;
    // An outage of the database does not matter: nobody else can take the place either.
    const renew = () => sql`UPDATE rate_counters SET window_start = ${now()} WHERE ${own()}`.execute(database);
    const renewal = setInterval(() => void renew().catch(() => {}), renewEveryMs).unref();
    return async () => {
      clearInterval(renewal);
      await sql`DELETE FROM rate_counters WHERE ${own()}`.execute(database).catch(() => {});
    };
  }
  return null;
}
