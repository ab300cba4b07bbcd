import { sql } from "kysely";
import type { Services } from "../services.ts";
import { type MinuteStanding, RequestMinute } from "./request-minute.ts";

/** How soon other processes hear of a caller. */
const tellAfterMs = 1000;

/**
 * Requests a minute by caller, of all web processes together: those of a caller who makes many are added up in the database, once a second
 * for all of them. With the embedded database there is one process, which asks nobody. While the database is away each process
 * counts for itself.
 */
export class SharedMinute {
  readonly #services: Services;
  readonly #scope: string;
  readonly #minute: RequestMinute;
  #telling: Promise<void> | null = null;

  /** @param scope what is counted: another one is counted apart */
  constructor(services: Services, scope: string, limit: number) {
    this.#services = services;
    this.#scope = scope;
    this.#minute = new RequestMinute(limit, services.now);
  }

  /** @returns 0 when the request is within the limit, else the seconds until the next minute */
  count(caller: string): number {
    const waitSeconds = this.#minute.count(caller);
    if (this.#services.config.DATABASE_URL !== undefined && this.#telling === null && this.#minute.isNews(caller)) {
      this.#telling = this.#tellSoon();
    }
    return waitSeconds;
  }

  /** After `count`: what other processes have counted may be a second old. */
  standing(caller: string): MinuteStanding {
    return this.#minute.standing(caller);
  }

  async #tellSoon(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, tellAfterMs).unref());
    this.#telling = null;
    const { minuteStart, added } = this.#minute.takeNews();
    if (added.size === 0) return;
    try {
      this.#minute.hear(minuteStart, await this.#addUp(minuteStart, added));
    } catch (error) {
      this.#services.log.warn({ err: error }, "requests of other processes not heard of");
    }
  }

  async #addUp(minuteStart: Date, added: ReadonlyMap<string, number>): Promise<Map<string, number>> {
    const prefix = `minute:${this.#scope}:`;
    // In one order in every process, so that none waits for another that waits for it.
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
