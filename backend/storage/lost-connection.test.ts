import { sql } from "kysely";
import pg from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DatabaseUnavailableError } from "./database-unavailable.ts";
import { migrations } from "./migrations/index.ts";
import { openDatabase, openDatabaseAt } from "./open-database.ts";
import { migratedPlace } from "./testing/fresh-database.ts";

/* PostgreSQL ends our sessions: an operator's pg_terminate_backend, a proxy's limit, a fail-over. */

const log = pino({ level: "silent" });
let place: Awaited<ReturnType<typeof migratedPlace>>;
let operator: pg.Client;
const unheard: unknown[] = [];
const hear = (error: unknown) => unheard.push(error);
beforeAll(async () => {
  place = await migratedPlace("postgres");
  operator = new pg.Client({ connectionString: place.DATABASE_URL });
  await operator.connect();
  process.on("uncaughtException", hear);
});
afterAll(async () => {
  process.off("uncaughtException", hear);
  await operator.end();
});

/** Ends every session of this database except the operator's, and waits until they are gone. */
async function endSessions(): Promise<number> {
  const others = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()";
  const { rows } = await operator.query(`SELECT pg_terminate_backend(pid) ${others}`);
  while (Number((await operator.query(`SELECT count(*) AS left ${others}`)).rows[0].left) > 0);
  // The client learns of it by an event of its socket.
  await new Promise((resolve) => setTimeout(resolve, 50));
  return rows.length;
}

const opened = {
  "the server's pool": () => openDatabase(place, log),
  "the pool of a restore": async () => openDatabaseAt(Object.keys(migrations).sort().at(-1)!, place, log),
};

test.each(Object.keys(opened) as (keyof typeof opened)[])(
  "a session of %s that is ended between two statements fails its transaction, and nothing else",
  async (name) => {
    const { database, close } = await opened[name]();
    try {
      const cutOff = database.transaction().execute(async (transaction) => {
        await sql`INSERT INTO settings (key, value) VALUES ('lost', '1')`.execute(transaction);
        expect(await endSessions()).toBeGreaterThan(0);
        await sql`SELECT 1`.execute(transaction);
      });
      await expect(cutOff).rejects.toBeInstanceOf(DatabaseUnavailableError);
      // More often than the pool has places: no place is kept for a lost session.
      for (let times = 0; times < 12; times++) {
        const { rows } = await sql`SELECT key FROM settings WHERE key = 'lost'`.execute(database);
        expect(rows).toEqual([]);
      }
      await sql`SELECT 1`.execute(database);
      expect(await endSessions()).toBeGreaterThan(0);
      expect((await sql<{ one: number }>`SELECT 1 AS one`.execute(database)).rows).toEqual([{ one: 1 }]);
    } finally {
      await close();
    }
    expect(unheard).toEqual([]);
  },
);
