import { sql } from "kysely";
import type { Services } from "../services.ts";
import { type MinuteStanding, RequestMinute } from "./request-minute.ts";

/** The delay before other processes hear about a caller. */
const reportAfterMs = 1000;

/**
 * Requests a minute by caller, across all web processes: the counts of callers with many requests are added up in the database, once a
 * second for all of them. With the embedded database there is only one process, which skips this. While the database is unreachable each
 * process counts by itself.
 */
export class SharedMinute {
  readonly #services: Services;
  readonly #scope: string;
  readonly #minute: RequestMinute;
  #reporting: Promise<void> | null = null;

  /** @param scope scopes are counted separately */
  constructor(services: Services, scope: string, limit: number) {
    this.#services = services;
    this.#scope = scope;
    this.#minute = new RequestMinute(limit, services.now);
  }

  /** @returns 0 when the request is within the limit, else the seconds until the next minute */
  count(caller: string): number {
    const waitSeconds = this.#minute.count(caller);
    if (
      this.#services.config.DATABASE_URL !== undefined &&
      this.#reporting === null &&
      this.#minute.isReportable(caller)
    ) {
      this.#reporting = this.#reportSoon();
    }
    return waitSeconds;
  }

  /** To be called after `count`; counts of other processes may be a second old. */
  standing(caller: string): MinuteStanding {
    return this.#minute.standing(caller);
  }

  async #reportSoon(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, reportAfterMs).unref());
    this.#reporting = null;
    const { minuteStart, added } = this.#minute.takeReport();
    if (added.size === 0) return;
    try {
      this.#minute.addReported(minuteStart, await this.#addUp(minuteStart, added));
    } catch (error) {
      this.#services.log.warn({ err: error }, "requests of other processes not heard of");
    }
  }

  async #addUp(minuteStart: Date, added: ReadonlyMap<string, number>): Promise<Map<string, number>> {
    const prefix = `minute:${this.#scope}:`;
    // The same order in every process avoids deadlocks.
    const news = [...added].sort(([a], [b]) => (a < b ? -1 : 1));
    const { rows } = await sql<{ key: string; count: number }>`
      INSERT INTO rate_counters (key, window_start, count)
      SELECT key, ${minuteStart}, count
      FROM unnest(${news.map(([caller]) => prefix + caller)}::text[], ${news.map(([, count]) => count)}::int[]) AS news (key, count)
      ORDER BY key
      ON CONFLICT (key) DO UPDATE SET
        count = CASE WHEN rate_counters.window_start = excluded.window_start
          THEN rate_counters.count + excluded.count ELSE excluded.count END,
        window_start = excluded.window_start
      RETURNING key, count
    `.execute(this.#services.database);
    return new Map(rows.map(({ key, count }) => [key.slice(prefix.length), count]));
  }
}
