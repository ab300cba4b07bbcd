/**
 * Takes import jobs and never finishes one, until it is killed. Sends its parent "ready", then the id of each match it began, and "…
 * aborted" when it had to leave one. A message to it is a match to enqueue. Arguments: DATA_DIR, DATABASE_URL or "".
 */
import { pino } from "pino";
import { openDatabase } from "../../storage/open-database.ts";
import { openJobQueue } from "../pg-boss-queue.ts";

const [DATA_DIR = "", address] = process.argv.slice(2);
const DATABASE_URL = address || undefined;
const log = pino({ level: "silent" });
const opened = await openDatabase({ DATA_DIR, DATABASE_URL }, log);
const jobs = await openJobQueue(opened, { DATABASE_URL }, log);
process.on("message", (matchId) => void jobs.send("import", { matchId: String(matchId) }, { ownerId: 1 }));
await jobs.work("import", 1, async ({ matchId }, { signal }) => {
  process.send?.(matchId);
  await new Promise((resolve) => signal.addEventListener("abort", resolve));
  process.send?.(`${matchId} aborted`);
  throw signal.reason;
});
process.send?.("ready");
