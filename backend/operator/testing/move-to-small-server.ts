/**
 * Moves an embedded database to a server whose disk is too small for it, then enlarges the disk and calls again. Prints the results.
 * Arguments: DATA_DIR; a folder on which its parent mounted a small disk.
 */
import { spawnSync } from "node:child_process";
import { chownSync, statSync } from "node:fs";
import pg from "pg";
import { pino } from "pino";
import { startPostgres } from "../../../tests/services/postgres.ts";
import { moveToPostgres } from "../move-to-postgres/move-to-postgres.ts";

const [DATA_DIR = "", disk = ""] = process.argv.slice(2);
const server = await startPostgres();
const address = await server.createDatabase();
const client = new pg.Client({ connectionString: address });
await client.connect();
const { rows } = await client.query("SHOW data_directory");
const { uid, gid } = statSync(rows[0].data_directory);
chownSync(disk, uid, gid);
await client.query(`CREATE TABLESPACE small LOCATION '${disk}'`);
await client.query("CREATE DATABASE small TABLESPACE small");
await client.end();
const url = Object.assign(new URL(address), { pathname: "/small" }).href;
const call = () =>
  moveToPostgres({ DATA_DIR }, pino({ level: "silent" }), url).then(
    (report) => report,
    (error: Error) => error.message,
  );
const full = await call();
const remounted = spawnSync("mount", ["-o", "remount,size=300m", disk]).status;
const again = await call();
// The server ends with this process.
process.stdout.write(JSON.stringify({ full, remounted, again }), () => process.exit(0));
