import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PGlite } from "@electric-sql/pglite";
import { pino } from "pino";
import { startPostgres, type TestPostgres } from "../../../tests/services/postgres.ts";
import { type OpenDatabase, openDatabase } from "../open-database.ts";

export interface FreshDatabase extends OpenDatabase {
  /** What opened it; `openDatabase(place, log)` after `close` opens the same again. */
  place: { DATABASE_URL: string | undefined; DATA_DIR: string };
  /** Closes it and removes its files. */
  remove(): Promise<void>;
}

/** A migrated, empty database of its own, for one test or one test file. `remove` it at the end. */
export async function freshDatabase(kind: "embedded" | "postgres" = "embedded"): Promise<FreshDatabase> {
  const place = await freshPlace(kind);
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

/** An empty DATA_DIR, with the embedded database's files in it already or a database on a server beside it. */
export async function freshPlace(kind: "embedded" | "postgres"): Promise<FreshDatabase["place"]> {
  const DATA_DIR = mkdtempSync(join(tmpdir(), "clutchcast-test-"));
  if (kind === "postgres") return { DATABASE_URL: await (await server()).createDatabase(), DATA_DIR };
  cpSync(await clusterTemplate(), join(DATA_DIR, "postgres"), { recursive: true });
  return { DATABASE_URL: undefined, DATA_DIR };
}

let running: Promise<TestPostgres> | undefined;

/** One server for all tests of a process; it ends with the process. */
function server(): Promise<TestPostgres> {
  running ??= startPostgres();
  return running;
}

/** initdb takes seconds and 700 MB; done once, then copied. */
async function clusterTemplate(): Promise<string> {
  const modules = fileURLToPath(new URL("../../../node_modules", import.meta.url));
  const { version } = JSON.parse(readFileSync(join(modules, "@electric-sql/pglite/package.json"), "utf8"));
  const cache = join(modules, ".cache/clutchcast");
  const template = join(cache, `cluster-${version}`);
  if (existsSync(template)) return template;
  const unfinished = join(cache, `cluster-${version}-${process.pid}`);
  mkdirSync(unfinished, { recursive: true });
  const database = await PGlite.create({ dataDir: unfinished });
  await database.close();
  try {
    renameSync(unfinished, template);
  } catch (error) {
    // Another test process was quicker.
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(template)) throw error;
  }
  return template;
}
