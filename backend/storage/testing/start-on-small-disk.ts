/**
 * Opens a new database on a disk that is too small: first as it is, then while the disk is reported to be large enough. Writes the outcome
 * of each, and the remaining files, to stdout, as a line of JSON each. Argument: a folder on that disk.
 */
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { openEmbeddedDatabase } from "../embedded-database.ts";
import { FullDiskGuard } from "../full-disk-guard.ts";

const [disk = ""] = process.argv.slice(2);
const DATA_DIR = join(disk, "data");
mkdirSync(DATA_DIR);
for (const isChecked of [true, false]) {
  if (!isChecked) FullDiskGuard.prototype.checkFirstStart = () => {};
  const sentence = await openEmbeddedDatabase(DATA_DIR, pino({ level: "silent" })).then(
    () => "opened",
    (error: Error) => error.message,
  );
  process.stdout.write(`${JSON.stringify({ sentence, left: readdirSync(DATA_DIR) })}\n`);
}
