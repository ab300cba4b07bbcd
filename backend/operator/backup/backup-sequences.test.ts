import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, expect, test } from "vitest";
import { readConfig } from "../../config.ts";
import { openDatabase } from "../../storage/open-database.ts";
import { freshPlace } from "../../storage/testing/fresh-database.ts";
import { freshServices } from "../../storage/testing/fresh-services.ts";
import { restoreBackup } from "./restore-backup.ts";
import { writeBackup } from "./write-backup.ts";

const log = pino({ level: "silent" });
const folder = mkdtempSync(join(tmpdir(), "clutchcast-sequences-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("numbers go on after a restore: of rows that were deleted, and of turns in the queue", async () => {
  const { services, remove } = await freshServices();
  const { database } = services;
  const path = join(folder, "clutchcast.backup");
  try {
    const { id } = await database
      .insertInto("users")
      .values({ steam_id: "76561198000000001", steam_name: "gone" })
      .returning("id")
      .executeTakeFirstOrThrow();
    await database.deleteFrom("users").where("id", "=", id).execute();
    for (let turn = 0; turn < 41; turn++) await sql`SELECT nextval('job_order')`.execute(database);
    await writeBackup(services, path);
  } finally {
    await remove();
  }
  const place = await freshPlace("embedded");
  await restoreBackup(readConfig({ NODE_ENV: "test", LOG_LEVEL: "silent", DATA_DIR: place.DATA_DIR }), log, path);
  const restored = await openDatabase(place, log);
  try {
    const next = async (sequence: string) => {
      const { rows } = await sql<{ next: number }>`SELECT nextval(${sequence})::int AS next`.execute(restored.database);
      return rows[0]?.next;
    };
    expect(await next("job_order")).toBe(42);
    expect(await next("users_id_seq")).toBe(2);
  } finally {
    await restored.close();
    rmSync(place.DATA_DIR, { recursive: true, force: true });
  }
});
