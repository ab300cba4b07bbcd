import { randomUUID } from "node:crypto";
import { accessSync, constants, existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import pg from "pg";
import type { Config } from "./config.ts";
import { checkQueueVersion } from "./jobs/queue-version.ts";
import { StartProblem } from "./start-problem.ts";
import { databaseProblem, newerThanKnown } from "./storage/database-problem.ts";
import { halfMoved, moveSchema } from "./storage/half-moved.ts";
import { migrations } from "./storage/migrations/index.ts";
import { refuseMoved } from "./storage/moved-mark.ts";
import { openBlobStore } from "./storage/open-blob-store.ts";
import { findFfmpeg } from "./video/ffmpeg.ts";
import { deadlines } from "./waits/deadlines.ts";

/** A part of the configuration, and its problem or state. */
export interface CheckedPart {
  name: "Address" | "Data folder" | "ffmpeg" | "Database" | "Store";
  isFine: boolean;
  /** A sentence. */
  text: string;
}

/** The oldest version that works, and the one for new installations. */
const oldestPostgres = 14;

/**
 * Tries everything that a start needs without starting: creates no table, runs no migration, opens no port. A running server is no
 * obstacle.
 * @returns one line for each part, whatever the results of the first ones
 */
export async function checkConfiguration(config: Config): Promise<CheckedPart[]> {
  const address = config.PUBLIC_URL
    ? `${config.publicUrl}, sign-in through ${new URL(config.steamOpenIdUrl).host}.`
    : `${config.publicUrl}, for this machine only: set PUBLIC_URL for others.`;
  return [
    { name: "Address", isFine: true, text: address },
    await part("Data folder", () => checkFolder(resolve(config.DATA_DIR))),
    await part("ffmpeg", async () => `${await findFfmpeg({ configured: config.FFMPEG_PATH })}.`),
    await part("Database", () => checkDatabase(config)),
    await part("Store", () => checkStore(config)),
  ];
}

async function part(name: CheckedPart["name"], check: () => Promise<string>): Promise<CheckedPart> {
  try {
    return { name, isFine: true, text: await check() };
  } catch (error) {
    return { name, isFine: false, text: error instanceof Error ? error.message : String(error) };
  }
}

async function checkFolder(folder: string): Promise<string> {
  let there = folder;
  while (!existsSync(there)) there = dirname(there);
  try {
    accessSync(there, constants.W_OK | constants.X_OK);
  } catch {
    throw new StartProblem(`${there} may not be written by this user. Change its owner, or DATA_DIR.`);
  }
  const { bavail, bsize } = statfsSync(there);
  const state = there === folder ? "" : " (not there yet)";
  return `${folder}${state}, ${((bavail * bsize) / 1024 ** 3).toFixed(1)} GiB free.`;
}

async function checkDatabase({ DATABASE_URL: url, DATA_DIR: folder }: Config): Promise<string> {
  if (!url) {
    refuseMoved(folder);
    const path = join(resolve(folder), "postgres");
    return existsSync(path) ? `Embedded, in ${path}.` : `Embedded, made at the first start in ${path}.`;
  }
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: deadlines.database.connectMs });
  // The current statement reports it as well.
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query(`
      SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number,
        current_user AS name, current_database() AS database,
        has_database_privilege(current_database(), 'CREATE') AND has_schema_privilege('public', 'CREATE') AS may_create,
        to_regclass('kysely_migration') IS NOT NULL AS is_known,
        to_regclass('${moveSchema}.state') IS NOT NULL AS is_moved`);
    const [server] = rows;
    if (server.number < oldestPostgres * 10_000) {
      throw new StartProblem(`PostgreSQL ${server.version} is too old: ${oldestPostgres} is the oldest that works.`);
    }
    if (!server.may_create) throw Object.assign(new Error("rights"), { code: "42501" });
    const moves = server.is_moved ? (await client.query(`SELECT finished_at FROM ${moveSchema}.state`)).rows : [];
    if (moves.some(({ finished_at: finished }) => finished === null)) throw halfMoved();
    const done = server.is_known ? (await client.query("SELECT name FROM kysely_migration ORDER BY name")).rows : [];
    const newer = done.map(({ name }) => String(name)).find((name) => !(name in migrations));
    if (newer) throw newerThanKnown(newer);
    await checkQueueVersion(client);
    const missing = Object.keys(migrations).length - done.length;
    const changes =
      missing === 0 ? "up to date" : `${missing} ${missing === 1 ? "change" : "changes"} to make at the start`;
    return `PostgreSQL ${server.version}, “${server.database}”, ${changes}.`;
  } catch (error) {
    throw error instanceof StartProblem ? error : (databaseProblem(error, url) ?? error);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Writes, reads and deletes one small object. @throws StartProblem with a sentence */
export async function checkStore(config: Config): Promise<string> {
  if (!config.S3_BUCKET && !config.S3_ENDPOINT) return `The folder ${join(resolve(config.DATA_DIR), "blobs")}.`;
  const folder = mkdtempSync(join(tmpdir(), "clutchcast-check-"));
  try {
    const store = await openBlobStore(config, folder);
    const key = `checks/${randomUUID()}`;
    const file = join(folder, "check");
    writeFileSync(file, "clutchcast");
    await store.putFile(key, file, "text/plain");
    const bytes = (await store.stat(key))?.bytes;
    await store.delete(key);
    if (bytes !== 10) throw new StartProblem(`The store kept ${bytes ?? "none"} of 10 bytes.`);
    return `${config.S3_ENDPOINT}, bucket “${config.S3_BUCKET}”: written, read, deleted.`;
  } catch (error) {
    throw new StartProblem(storeSentence(error, config));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The problem of a store, from the error of a request to it. */
export function storeSentence(error: unknown, { S3_ENDPOINT: endpoint, S3_BUCKET: bucket }: Config): string {
  const { message } = error as Error;
  if (/ 404/.test(message)) return `There is no bucket “${bucket}” at ${endpoint}. Make it, or change S3_BUCKET.`;
  if (/ 403| 401/.test(message)) {
    return `${endpoint} refuses the keys, or they may not write into “${bucket}”. Check S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY and S3_REGION. (${message})`;
  }
  const code = codeWithin(error);
  return code ? `${endpoint} cannot be reached (${code}). Check S3_ENDPOINT.` : message;
}

/** The operating system's code, from the error or its causes: "ECONNREFUSED". */
function codeWithin(error: unknown): string | undefined {
  for (let link = error; link instanceof Error; link = link.cause) {
    const { code } = link as NodeJS.ErrnoException;
    if (code !== undefined) return code;
  }
  return undefined;
}

/** Text for a terminal. */
export function describeCheck(parts: readonly CheckedPart[]): string {
  return parts.map(({ name, isFine, text }) => `${isFine ? "ok   " : "FAULT"}  ${name.padEnd(12)} ${text}`).join("\n");
}
