/**
 * Commits on a full disk, then logs more in one statement than was reserved. Writes each number to stdout after its commit. Argument:
 * DATA_DIR.
 */
import { writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { pino } from "pino";
import { openDatabase } from "../open-database.ts";

const [DATA_DIR = ""] = process.argv.slice(2);
const { database } = await openDatabase({ DATA_DIR, DATABASE_URL: undefined }, pino({ level: "silent" }));
await sql`CREATE TABLE numbers AS SELECT 0 AS n`.execute(database);
try {
  for (let n = 0; ; n++) writeFileSync(join(DATA_DIR, `filling-${n}`), Buffer.alloc(64 * 1024));
} catch {
  // The disk is full now; the room allocated for the log is still usable.
}
for (let n = 1; n <= 40; n++) {
  await sql`UPDATE numbers SET n = ${n}`.execute(database);
  writeSync(1, `${n}\n`);
}
await sql`SELECT pg_logical_emit_message(false, 'filling', repeat('x', 100000000))`.execute(database);
