import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Services } from "../../services.ts";
import { freshPlace } from "../../storage/testing/fresh-database.ts";
import { freshServices } from "../../storage/testing/fresh-services.ts";
import { configOf, withServices } from "../testing/with-services.ts";
import { restoreBackup } from "./restore-backup.ts";
import { writeBackup } from "./write-backup.ts";

const log = pino({ level: "silent" });
const folder = mkdtempSync(join(tmpdir(), "clutchcast-restore-test-"));
const backup = join(folder, "clutchcast.backup");
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
  await writeBackup(services, backup);
  await remove();
});

const openJobsOf = ({ database, jobs }: Services) =>
  database.transaction().execute((transaction) => jobs.allOpen(transaction));

const backedUpJobs = [
  { name: "render", payload: { clipId: 7 }, ownerId: 1, isAutomatic: false },
  { name: "render", payload: { clipId: 8 }, ownerId: null, isAutomatic: false },
  { name: "import", payload: { matchId: "match0000001" }, ownerId: 1, isAutomatic: true },
];

/** A server's database in which rows can be put, and whose queue cannot be opened until `mend`. */
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
  // Sent once.
  await withServices(place, async (services) => expect(await openJobsOf(services)).toEqual(backedUpJobs));
  rmSync(place.DATA_DIR, { recursive: true });
});
