/**
 * Writes until it is killed: single rows, and every third time a transfer between two accounts in one transaction. Sends its parent each
 * number whose commit was acknowledged. Arguments: DATA_DIR, DATABASE_URL or "".
 */
import { sql } from "kysely";
import { pino } from "pino";
import { openDatabase } from "../open-database.ts";

const [DATA_DIR = "", DATABASE_URL] = process.argv.slice(2);
const { database, checkpoint } = await openDatabase(
  { DATA_DIR, DATABASE_URL: DATABASE_URL || undefined },
  pino({ level: "silent" }),
);
await sql`CREATE TABLE IF NOT EXISTS written (n integer PRIMARY KEY, filling text NOT NULL)`.execute(database);
await sql`CREATE TABLE IF NOT EXISTS accounts (id integer PRIMARY KEY, balance integer NOT NULL)`.execute(database);
await sql`INSERT INTO accounts VALUES (1, 0), (2, 0) ON CONFLICT DO NOTHING`.execute(database);
const { rows } = await sql<{ last: number }>`SELECT coalesce(max(n), 0) AS last FROM written`.execute(database);

for (let n = rows[0]!.last + 1; ; n++) {
  const filling = "x".repeat(1 + ((n * 7919) % 3000));
  if (n % 3 === 0) {
    await database.transaction().execute(async (transaction) => {
      await sql`INSERT INTO written VALUES (${n}, ${filling})`.execute(transaction);
      await sql`UPDATE accounts SET balance = balance - 1 WHERE id = 1`.execute(transaction);
      await sql`UPDATE accounts SET balance = balance + 1 WHERE id = 2`.execute(transaction);
    });
  } else await sql`INSERT INTO written VALUES (${n}, ${filling})`.execute(database);
  process.send?.(n);
  if (n % 200 === 0) await checkpoint();
}
