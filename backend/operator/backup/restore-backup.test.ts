import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packTar, unpackTar } from "modern-tar";
import pg from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startS3 } from "../../../tests/services/s3.ts";
import { counterSecretKey, dayCounter } from "../../accounts/day-counter.ts";
import { countView, viewSaltKey, viewsCount } from "../../clips/views.ts";
import { readConfig } from "../../config.ts";
import type { Services } from "../../services.ts";
import { countEvent } from "../../storage/event-counts.ts";
import { openBlobStore } from "../../storage/open-blob-store.ts";
import { freshPlace, migratedPlace } from "../../storage/testing/fresh-database.ts";
import { freshServices } from "../../storage/testing/fresh-services.ts";
import { RowHash } from "../stored-tables.ts";
import { configOf, withServices } from "../testing/with-services.ts";
import type { BackupCheck } from "./backup-format.ts";
import { restoreBackup } from "./restore-backup.ts";
import { writeBackup } from "./write-backup.ts";

const log = pino({ level: "silent" });
const folder = mkdtempSync(join(tmpdir(), "clutchcast-restore-test-"));
const backup = join(folder, "clutchcast.backup");
const other = join(folder, "other.backup");
/** A backup without its end. */
const cut = join(folder, "cut.backup");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(async () => {
  const { services, remove } = await freshServices();
  const { id } = await services.database
    .insertInto("users")
    .values({ steam_id: "76561198000000001", steam_name: "device" })
    .returning("id")
    .executeTakeFirstOrThrow();
  await services.jobs.send("render", { clipId: 7 }, { ownerId: id });
  await services.jobs.send("import", { matchId: "match0000001" }, { ownerId: id, isAutomatic: true });
  await services.jobs.send("render", { clipId: 8 }, { ownerId: null });
  const video = join(services.scratchDirectory, "video");
  writeFileSync(video, "video");
  await services.blobs.putFile("clips/7/video.mp4", video, "video/mp4");
  await writeBackup(services, backup);
  await writeBackup(services, other);
  await remove();
  const whole = readFileSync(backup);
  writeFileSync(cut, whole.subarray(0, whole.lastIndexOf("check.json")));
});

const openJobsOf = ({ database, jobs }: Services) =>
  database.transaction().execute((transaction) => jobs.allOpen(transaction));

const text = (data: Uint8Array | undefined) => Buffer.from(data ?? []).toString();

const backedUpJobs = [
  { name: "render", payload: { clipId: 7 }, ownerId: 1, isAutomatic: false },
  { name: "render", payload: { clipId: 8 }, ownerId: null, isAutomatic: false },
  { name: "import", payload: { matchId: "match0000001" }, ownerId: 1, isAutomatic: true },
];

/** A server's database that accepts rows, and whose queue cannot be opened until `mend`. */
async function placeWithoutQueue() {
  const place = await freshPlace("postgres");
  const query = async (text: string) => {
    const client = new pg.Client({ connectionString: place.DATABASE_URL });
    await client.connect();
    await client.query(text);
    await client.end();
  };
  await query(
    "CREATE SCHEMA pgboss; CREATE TABLE pgboss.version (version int); INSERT INTO pgboss.version VALUES (9999)",
  );
  return { place, mend: () => query("DROP SCHEMA pgboss CASCADE") };
}

test("jobs come with the rows: a restore that was ended between them and the queue loses none, in whatever order it goes on", async () => {
  const { place, mend } = await placeWithoutQueue();
  await expect(restoreBackup(configOf(place), log, backup)).rejects.toThrow(/newer Clutchcast/);
  await mend();
  await withServices(place, async (services) => {
    expect(await openJobsOf(services)).toEqual(backedUpJobs);
    const settings = await services.database.selectFrom("settings").select("key").execute();
    expect(settings.filter(({ key }) => key.startsWith("restored"))).toEqual([]);
  });
  // Sent only once.
  await withServices(place, async (services) => expect(await openJobsOf(services)).toEqual(backedUpJobs));
  rmSync(place.DATA_DIR, { recursive: true });
});

test("a database that somebody has used, or a server has open, is refused before a file is written", async () => {
  const used = await migratedPlace("postgres");
  await withServices(used, async (services) => {
    await expect(restoreBackup(configOf(used), log, backup)).rejects.toThrow(/^Clutchcast runs on that database\./);
    await services.database
      .insertInto("users")
      .values({ steam_id: "76561198000000002", steam_name: "zywoo" })
      .execute();
  });
  // Its files: none was ever stored.
  rmSync(used.DATA_DIR, { recursive: true });
  await expect(restoreBackup(configOf(used), log, backup)).rejects.toThrow(/something in this database already/);
  expect(readdirSync(used.DATA_DIR)).toEqual([]);
  rmSync(used.DATA_DIR, { recursive: true });
});

test("a restore that was cut off is done again with the same backup and no other, needing no temporary folder", async () => {
  const place = await freshPlace("embedded");
  vi.stubEnv("TMPDIR", join(folder, "none"));
  try {
    await expect(restoreBackup(configOf(place), log, cut)).rejects.toThrow(/the end of .* is missing/);
    expect(existsSync(join(place.DATA_DIR, "blobs/clips/7/video.mp4"))).toBe(true);
    expect(readdirSync(join(place.DATA_DIR, "scratch"))).toEqual([]);
    await expect(restoreBackup(configOf(place), log, other)).rejects.toThrow(/of another backup whose restore was cut/);
    expect(await restoreBackup(configOf(place), log, backup)).toMatchObject({ blobs: 1, blobBytes: 5 });
    expect(readdirSync(place.DATA_DIR)).not.toContain("unfinished-restore");
    await expect(restoreBackup(configOf(place), log, backup)).rejects.toThrow(
      /There are files in .* already\. Restore/,
    );
  } finally {
    vi.unstubAllEnvs();
    rmSync(place.DATA_DIR, { recursive: true });
  }
});

test("a restore whose rows are in is ended by the same command", async () => {
  const { place, mend } = await placeWithoutQueue();
  await expect(restoreBackup(configOf(place), log, backup)).rejects.toThrow(/newer Clutchcast/);
  await mend();
  const { rows } = await restoreBackup(configOf(place), log, backup);
  expect(rows).toBeGreaterThan(0);
  await withServices(place, async (services) => expect(await openJobsOf(services)).toEqual(backedUpJobs));
  rmSync(place.DATA_DIR, { recursive: true });
});

test("another program's tables beside ours are in no backup, and stay as they are at a restore", async () => {
  const shared = await freshPlace("postgres");
  const query = async (text: string) => {
    const client = new pg.Client({ connectionString: shared.DATABASE_URL });
    await client.connect();
    const { rows } = await client.query(text);
    await client.end();
    return rows;
  };
  await query("CREATE TABLE orders (id int PRIMARY KEY); INSERT INTO orders VALUES (1), (2)");
  await restoreBackup(configOf(shared), log, backup);
  expect(await query("SELECT count(*)::int AS orders FROM orders")).toEqual([{ orders: 2 }]);
  const again = join(folder, "beside-others.backup");
  await withServices(shared, (services) => writeBackup(services, again));
  rmSync(shared.DATA_DIR, { recursive: true });
  const elsewhere = await freshPlace("embedded");
  expect((await restoreBackup(configOf(elsewhere), log, again)).rows).toBeGreaterThan(0);
  rmSync(elsewhere.DATA_DIR, { recursive: true });
});

test("who viewed what and from where is in no backup, how often is, and an older backup that has it is restored all the same", async () => {
  const { services, remove } = await freshServices();
  const { database } = services;
  const { id: userId } = await database
    .insertInto("users")
    .values({ steam_id: "76561198000000001", steam_name: "device" })
    .returning("id")
    .executeTakeFirstOrThrow();
  const files = { video_key: "v", poster_key: "p", thumbnail_key: "t" };
  const { id: clipId } = await database
    .insertInto("clips")
    .values({ user_id: userId, name: "Ace", spec: "{}", settings: "{}", status: "completed", ...files })
    .returning("id")
    .executeTakeFirstOrThrow();
  const userAgent = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";
  const viewer = { userId: null, network: "203.0.113.9", userAgent };
  expect(await countView(services, clipId, viewer)).toBe(1);
  await countEvent(services, "sign-in 203.0.113.9", 60, 60_000);
  await dayCounter(database, "imports", { steam_id: "76561198000000001" });
  const without = join(folder, "without-viewers.backup");
  await writeBackup(services, without);
  await remove();

  const entries = (await unpackTar(readFileSync(without))).map(({ header, data }) => ({ header, text: text(data) }));
  const tableOf = (name: string) => entries.find(({ header }) => header.name === `tables/${name}.jsonl`)!;
  expect([tableOf("views").text, tableOf("rate_counters").text]).toEqual(["", ""]);
  for (const key of [viewSaltKey, counterSecretKey]) expect(tableOf("settings").text).not.toContain(key);
  expect(entries.map((entry) => entry.text).join("")).not.toContain("203.0.113.9");

  const salt = `{"key": "${viewSaltKey}2026-11-01", "value": "ab"}`;
  tableOf("settings").text += `${salt}\n`;
  const check = entries.at(-1)!;
  const parsed = JSON.parse(check.text) as BackupCheck;
  const hash = new RowHash();
  for (const row of tableOf("settings").text.split("\n").filter(Boolean)) hash.add(row);
  check.text = JSON.stringify({ ...parsed, tables: { ...parsed.tables, settings: hash.check } });
  const older = join(folder, "with-viewers.backup");
  const packed = entries.map(({ header, text: body }) => ({
    header: { ...header, size: Buffer.byteLength(body) },
    body,
  }));
  writeFileSync(older, await packTar(packed));

  for (const [path, salts] of [[without, 0] as const, [older, 1] as const]) {
    const place = await freshPlace("embedded");
    await restoreBackup(configOf(place), log, path);
    await withServices(place, async (restored) => {
      const settings = await restored.database.selectFrom("settings").select("key").execute();
      expect(settings.filter(({ key }) => key.startsWith(viewSaltKey))).toHaveLength(salts);
      expect(await viewsCount(restored, clipId, null)).toBe(1);
    });
    rmSync(place.DATA_DIR, { recursive: true });
  }
});

test("a database that a newer version has begun is refused before a file is written, and none of the backup is called damaged", async () => {
  const ahead = await migratedPlace("postgres");
  const client = new pg.Client({ connectionString: ahead.DATABASE_URL });
  await client.connect();
  await client.query("INSERT INTO kysely_migration VALUES ('999-later', now()::text)");
  await client.end();
  rmSync(ahead.DATA_DIR, { recursive: true });
  await expect(restoreBackup(configOf(ahead), log, backup)).rejects.toThrow(/begun by a newer version/);
  expect(readdirSync(ahead.DATA_DIR)).toEqual([]);
  rmSync(ahead.DATA_DIR, { recursive: true });
});

test("a bucket with files that the backup does not know is left as it is, unless they are said to be nobody else's", async () => {
  const store = await startS3();
  const place = await freshPlace("embedded");
  const config = readConfig({
    ...{ NODE_ENV: "test", LOG_LEVEL: "silent", DATA_DIR: place.DATA_DIR },
    ...{ S3_ENDPOINT: store.endpoint, S3_BUCKET: store.bucket, S3_REGION: store.region },
    ...{ S3_ACCESS_KEY_ID: store.accessKeyId, S3_SECRET_ACCESS_KEY: store.secretAccessKey },
  });
  const path = join(folder, "video");
  writeFileSync(path, "newer");
  const blobs = await openBlobStore(config, folder);
  await blobs.putFile("clips/8/video.mp4", path, "video/mp4");
  await expect(restoreBackup(config, log, backup)).rejects.toThrow(
    /^The bucket \S+ has files .*, for one clips\/8\/video\.mp4\./,
  );
  expect([...store.objects.keys()]).toEqual(["clips/8/video.mp4"]);
  expect(await restoreBackup(config, log, backup, { besideOthers: true })).toMatchObject({ blobs: 1 });
  expect([...store.objects.keys()].sort()).toEqual(["clips/7/video.mp4", "clips/8/video.mp4"]);
  await store.stop();
  rmSync(place.DATA_DIR, { recursive: true });
});
