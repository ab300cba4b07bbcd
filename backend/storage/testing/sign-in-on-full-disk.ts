/**
 * Fills the small disk of its database to the last byte, once, then lets a player sign in often; writes the results to stdout as JSON.
 * Argument: DATA_DIR.
 */
import { statfsSync } from "node:fs";
import { findSession, startSession } from "../../accounts/sessions.ts";
import { readConfig } from "../../config.ts";
import { openServices } from "../../open-services.ts";
import { isDiskFull } from "../disk-full.ts";
import { fillDisk } from "./fill-disk.ts";

const [DATA_DIR = ""] = process.argv.slice(2);
const { services, close } = await openServices(readConfig({ NODE_ENV: "test", LOG_LEVEL: "silent", DATA_DIR }));
const { id } = await services.database
  .insertInto("users")
  .values({ steam_id: "76561199999900080", steam_name: "deletes" })
  .returning("id")
  .executeTakeFirstOrThrow();
fillDisk(DATA_DIR);
// The database checks its disk once a second.
await new Promise((resolve) => setTimeout(resolve, 1100));
const outcome = { freeBlocks: statfsSync(DATA_DIR).bavail, signedIn: 0, refused: 0 };
for (let count = 0; count < 500; count++) {
  try {
    const { token } = await startSession(services, id);
    if (await findSession(services, token)) outcome.signedIn++;
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    outcome.refused++;
  }
}
await close();
process.stdout.write(`${JSON.stringify(outcome)}\n`);
