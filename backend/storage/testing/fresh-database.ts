import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PGlite } from "@electric-sql/pglite";
import { pino } from "pino";
import { startPostgres, type TestPostgres } from "../../../tests/services/postgres.ts";
import { openJobQueue } from "../../jobs/pg-boss-queue.ts";
import { type OpenDatabase, openDatabase } from "../open-database.ts";

export interface FreshDatabase extends OpenDatabase {
  /** The place it was opened with; after `close`, `openDatabase(place, log)` opens the same database again. */
  place: { DATABASE_URL: string | undefined; DATA_DIR: string };
  /** Closes it and removes its files. */
  remove(): Promise<void>;
}

/** A migrated, empty database for one test or one test file. `remove` it at the end. */
export async function freshDatabase(kind: "embedded" | "postgres" = "embedded"): Promise<FreshDatabase> {
  const place = await migratedPlace(kind);
  const opened = await openDatabase(place, pino({ level: "silent" }));
  return {
    ...opened,
    place,
    async remove() {
      await opened.close();
      rmSync(place.DATA_DIR, { recursive: true, force: true });
    },
  };
}

/** A DATA_DIR with an empty database: with the embedded one's files in it, or with one on a server. */
export async function freshPlace(kind: "embedded" | "postgres"): Promise<FreshDatabase["place"]> {
  if (kind === "embedded") return embeddedPlace(await clusterTemplate());
  return postgresPlace(await (await server()).createDatabase());
}

/** As `freshPlace`, but with all tables, including the queue's, without rows. */
export async function migratedPlace(kind: "embedded" | "postgres"): Promise<FreshDatabase["place"]> {
  if (kind === "embedded") return embeddedPlace(await migratedTemplate());
  const like = await migratedDatabase();
  return postgresPlace(await (await server()).createDatabase(like));
}

function embeddedPlace(files: string): FreshDatabase["place"] {
  const DATA_DIR = newFolder();
  cpSync(files, join(DATA_DIR, "postgres"), { recursive: true });
  return { DATABASE_URL: undefined, DATA_DIR };
}

export function postgresPlace(DATABASE_URL: string): FreshDatabase["place"] {
  return { DATABASE_URL, DATA_DIR: newFolder() };
}

const newFolder = () => mkdtempSync(join(tmpdir(), "clutchcast-test-"));

let running: Promise<TestPostgres> | undefined;

/** One server for all tests of a process; it ends with the process. */
function server(): Promise<TestPostgres> {
  running ??= startPostgres();
  return running;
}

/**
 * Saves the current state of a PostgreSQL database of `freshPlace`. Nobody may be connected to it, now or at a restore.
 * @returns a function that restores it
 */
export async function keptDatabase(DATABASE_URL: string): Promise<() => Promise<void>> {
  const { createDatabase, replaceDatabase } = await server();
  const kept = await createDatabase(DATABASE_URL);
  return () => replaceDatabase(DATABASE_URL, kept);
}

let migrated: Promise<string> | undefined;

/** The address of a database with all tables, to be copied; made once for all tests of a process. */
function migratedDatabase(): Promise<string> {
  migrated ??= (async () => {
    const place = await freshPlace("postgres");
    await makeTables(place);
    rmSync(place.DATA_DIR, { recursive: true });
    return place.DATABASE_URL ?? "";
  })();
  return migrated;
}

/** Migrates an empty database, including the queue's tables. */
async function makeTables(place: FreshDatabase["place"]): Promise<void> {
  const log = pino({ level: "silent" });
  const opened = await openDatabase(place, log);
  await (await openJobQueue(opened, place, log)).stop();
  await opened.close();
}

const modules = fileURLToPath(new URL("../../../node_modules", import.meta.url));
const cache = join(modules, ".cache/clutchcast");

/** Template folders of the embedded database that this process has begun; each is made once. */
const templates = new Map<string, Promise<string>>();

/** initdb takes seconds and 700 MB; done once for a version of PGlite, then copied. */
function clusterTemplate(): Promise<string> {
  return template(`cluster-${pgliteVersion()}`, async (folder) => {
    const database = await PGlite.create({ dataDir: folder });
    await database.close();
  });
}

/** Migrations and the queue's tables take four seconds more; done once for these migrations, then copied. */
function migratedTemplate(): Promise<string> {
  const folder = fileURLToPath(new URL("../migrations", import.meta.url));
  const migrations = createHash("sha256");
  for (const name of readdirSync(folder).sort()) migrations.update(readFileSync(join(folder, name)));
  migrations.update(readFileSync(join(folder, "../large-indexes.ts")));
  return template(`migrated-${pgliteVersion()}-${migrations.digest("hex").slice(0, 16)}`, async (made) => {
    const place = await freshPlace("embedded");
    await makeTables(place);
    cpSync(join(place.DATA_DIR, "postgres"), made, { recursive: true });
    rmSync(place.DATA_DIR, { recursive: true });
  });
}

function pgliteVersion(): string {
  return JSON.parse(readFileSync(join(modules, "@electric-sql/pglite/package.json"), "utf8")).version;
}

/** @returns the folder with that name, filled by `fill` unless an earlier run did */
function template(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const known = templates.get(name);
  if (known) return known;
  const made = makeTemplate(join(cache, name), fill);
  templates.set(name, made);
  return made;
}

async function makeTemplate(path: string, fill: (folder: string) => Promise<void>): Promise<string> {
  if (existsSync(path)) return path;
  const unfinished = `${path}-${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  await fill(unfinished);
  try {
    renameSync(unfinished, path);
  } catch (error) {
    // Another test process was faster.
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(path)) throw error;
  }
  return path;
}
