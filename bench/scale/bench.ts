/** Scale: every list and page with a thousand, a hundred thousand and a million clips. See README.md. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import pg from "pg";
import { pino } from "pino";
import { openJobQueue } from "../../backend/jobs/pg-boss-queue.ts";
import { openDatabase } from "../../backend/storage/open-database.ts";
import { build, isBuilt } from "../../scripts/build.mjs";
import { startPostgres } from "../../tests/services/postgres.ts";
import { type Filled, fillDatabase, type RunSql } from "./fill.ts";
import { type Figure, type Measured, measure } from "./measure.ts";

const root = new URL("../../", import.meta.url).pathname;
if (!isBuilt(root)) await build(root);
const word = (name: string, standard: string) =>
  process.argv.find((given) => given.startsWith(`--${name}=`))?.slice(name.length + 3) ?? standard;
const kind = word("database", "postgres");
const sizes = word("sizes", "1000,100000").split(",").map(Number);
const rounds = Number(word("rounds", "40"));
const seconds = Number(word("seconds", "20"));
/** An existing server, on which databases named `scale_<clips>` are created, and reused the next time. */
const server = word("server", "");
const say = (text: string) => console.log(text);
const log = pino({ level: "error" });

const folder = mkdtempSync(join(tmpdir(), "clutchcast-scale-"));
const own = kind === "postgres" && !server ? await startPostgres() : null;
const measured = new Map<number, Measured>();
try {
  for (const clips of sizes) {
    say(`\n${clips} clips on ${kind}`);
    const DATA_DIR = join(folder, String(clips));
    mkdirSync(DATA_DIR);
    const { filled, DATABASE_URL } =
      kind === "postgres" ? await filledServer(DATA_DIR, clips) : await filledFolder(DATA_DIR, clips);
    measured.set(clips, await measure({ place: { DATA_DIR, DATABASE_URL }, filled, rounds, seconds, root, say }));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
report();
await own?.stop();
process.exit(0);

async function makeTables(DATA_DIR: string, DATABASE_URL: string | undefined): Promise<void> {
  const opened = await openDatabase({ DATA_DIR, DATABASE_URL }, log);
  await (await openJobQueue(opened, { DATABASE_URL }, log)).stop();
  await opened.close();
}

async function filledServer(DATA_DIR: string, clips: number): Promise<{ filled: Filled; DATABASE_URL: string }> {
  let DATABASE_URL: string;
  if (own) DATABASE_URL = await own.createDatabase();
  else {
    DATABASE_URL = new URL(`scale_${clips}`, server).href;
    const admin = new pg.Client({ connectionString: new URL("postgres", server).href });
    await admin.connect();
    const { rows } = await admin.query("SELECT 1 FROM pg_database WHERE datname = $1", [`scale_${clips}`]);
    if (rows.length === 0) await admin.query(`CREATE DATABASE scale_${clips}`);
    await admin.end();
  }
  await makeTables(DATA_DIR, DATABASE_URL);
  const client = new pg.Client({ connectionString: DATABASE_URL });
  await client.connect();
  const filled = await fillOnce(async (text) => lastOf(await client.query(text)), clips);
  await client.end();
  return { filled, DATABASE_URL };
}

async function filledFolder(DATA_DIR: string, clips: number): Promise<{ filled: Filled; DATABASE_URL: undefined }> {
  await makeTables(DATA_DIR, undefined);
  const database = await PGlite.create({ dataDir: join(DATA_DIR, "postgres") });
  const filled = await fillOnce(async (text) => lastOf(await database.exec(text)), clips);
  await database.close();
  return { filled, DATABASE_URL: undefined };
}

function lastOf(results: { rows: unknown[] } | { rows: unknown[] }[]): { rows: unknown[] } {
  return (Array.isArray(results) ? results.at(-1) : results) ?? { rows: [] };
}

async function fillOnce(run: RunSql, clips: number): Promise<Filled> {
  const { rows } = await run("SELECT 1 FROM clips LIMIT 1");
  const since = performance.now();
  const filled = await fillDatabase(run, clips, { isFilled: rows.length > 0, say: () => {} });
  if (rows.length === 0) {
    await run("VACUUM ANALYZE");
    say(`filled in ${((performance.now() - since) / 1000).toFixed(0)} s`);
  }
  return filled;
}

/** Growth of p50, and of the answer, from the smallest size to the largest. */
function report(): void {
  const first = measured.get(Math.min(...sizes));
  const last = measured.get(Math.max(...sizes));
  if (!first || !last) return;
  const cell = ({ p50, p99 }: Figure = { p50: Number.NaN, p99: Number.NaN }) =>
    `${p50.toFixed(1)}/${p99.toFixed(1)}`.padStart(18);
  say(
    `\n${"ms, p50/p99".padEnd(52)}${sizes.map((size) => String(size).padStart(18)).join("")}${"growth".padStart(9)}${"kB of the answer".padStart(20)}`,
  );
  for (const name of last.calls.keys()) {
    const growth = (last.calls.get(name)?.p50 ?? 0) / (first.calls.get(name)?.p50 ?? 0);
    const cells = sizes.map((size) => cell(measured.get(size)?.calls.get(name))).join("");
    const answers = [first, last].map((one) => one.calls.get(name)?.kilobytes?.toFixed(0));
    say(
      `${name.padEnd(52)}${cells}${growth.toFixed(2).padStart(9)}${(answers[0] ? answers.join(" to ") : "").padStart(20)}`,
    );
  }
  for (const [size, { home }] of measured) {
    say(
      `Home at ${size}, 10 requests a second with likes: p50 ${home.p50.toFixed(0)}, p99 ${home.p99.toFixed(0)}, most ${home.most.toFixed(0)} ms of ${home.answers} answers, ${home.failed} failed`,
    );
  }
}
