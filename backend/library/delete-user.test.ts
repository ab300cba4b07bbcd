import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, onTestFinished, test, vi } from "vitest";
import { importDemoUrl } from "../matches/create-match.ts";
import { deleteOldTraces } from "../retention/delete-old-traces.ts";
import type { Services } from "../services.ts";
import { freshServices } from "../storage/testing/fresh-services.ts";
import { deleteUser, summarizeAccount } from "./delete-user.ts";

/** More than a statement has parameters. */
const likes = 65_600;

test("An account that liked more clips than a statement has parameters is deleted, and its likes leave the clips", async () => {
  const { services, remove } = await freshServices("postgres");
  onTestFinished(remove);
  const { database } = services;
  await sql`
    INSERT INTO users (steam_id, steam_name)
    VALUES ('76561198000000001', 'Nova'), ('76561198000000002', 'Vega');
    INSERT INTO matches (id, user_id, source, status) VALUES ('match0000002', 2, 'upload', 'completed')`.execute(
    database,
  );
  const real = 3;
  await sql`
    INSERT INTO clips (user_id, match_id, demo_sha256, name, spec, settings, status, likes_count)
    SELECT 2, 'match0000002', repeat('a', 64), '', '{}', '{}', 'failed', 2 FROM generate_series(1, ${sql.lit(real)})`.execute(
    database,
  );
  // Without the other clips, whose rows would take a minute: references are not checked here.
  await database.transaction().execute(async (transaction) => {
    await sql`SET LOCAL session_replication_role = replica`.execute(transaction);
    await sql`INSERT INTO likes (user_id, clip_id) SELECT 1, generate_series(1, ${sql.lit(likes)})`.execute(
      transaction,
    );
  });
  const account = await summarizeAccount(services, "76561198000000001");
  expect(account).toMatchObject({ likes });
  await deleteUser(services, account!);
  expect(await summarizeAccount(services, "76561198000000001")).toBeNull();
  const left = await database
    .selectFrom("clips")
    .select((clip) => ["likes_count", clip.fn.countAll<number>().as("clips")])
    .groupBy("likes_count")
    .execute();
  expect(left).toEqual([{ likes_count: 1, clips: real }]);
});

test("Who deletes their account and signs in again goes on with the day's imports, and a day later nothing tells of them", async () => {
  const { services: opened, remove } = await freshServices("embedded", { IMPORTS_PER_DAY: "2" });
  onTestFinished(remove);
  let aheadMs = 0;
  const services: Services = { ...opened, now: () => new Date(Date.now() + aheadMs) };
  const { database } = services;
  const [steamId, neighbour] = ["76561198000000001", "76561198000000002"];
  const newAccount = (steam_id: string) =>
    database.insertInto("users").values({ steam_id, steam_name: "Nova" }).returningAll().executeTakeFirstOrThrow();
  const counters = () => database.selectFrom("rate_counters").selectAll().execute();
  const first = await newAccount(steamId);
  await importDemoUrl(services, first, "https://demos.example/1.dem");
  await importDemoUrl(services, first, "https://demos.example/2.dem");
  await deleteUser(services, (await summarizeAccount(services, steamId))!);

  const second = await newAccount(steamId);
  expect(second.id).not.toBe(first.id);
  const refused = { code: "import_limit", message: "Import limit reached. You can import 2 matches a day." };
  await expect(importDemoUrl(services, second, "https://demos.example/3.dem")).rejects.toMatchObject(refused);
  await importDemoUrl(services, await newAccount(neighbour), "https://demos.example/3.dem");
  const kept = await counters();
  expect(kept).toHaveLength(2);
  expect(JSON.stringify(kept)).not.toMatch(new RegExp(`${steamId}|:${first.id}"|:${second.id}"`));

  aheadMs = 86_400_000 + 1000;
  await deleteOldTraces(services);
  expect(await counters()).toEqual([]);
  expect(await importDemoUrl(services, second, "https://demos.example/3.dem")).toMatchObject({ isNew: true });
});

test("What a request has stored while the account was being deleted goes with it, files included", async () => {
  const { services, remove } = await freshServices("postgres");
  onTestFinished(remove);
  const { database, blobs, scratchDirectory } = services;
  const steam_id = "76561198000000001";
  const { id: userId } = await database
    .insertInto("users")
    .values({ steam_id, steam_name: "Nova" })
    .returning("id")
    .executeTakeFirstOrThrow();
  const path = join(scratchDirectory, "demo");
  await writeFile(path, "a demo");
  await blobs.putFile("uploads/late", path, "application/octet-stream");
  // An upload that had begun before, and whose match is not there for others yet.
  const upload = await database.startTransaction().execute();
  const match = { id: "late", user_id: userId, source: "upload", upload_key: "uploads/late" } as const;
  await upload.insertInto("matches").values(match).execute();
  const deletion = deleteUser(services, (await summarizeAccount(services, steam_id))!);
  deletion.catch(() => {});
  await vi.waitFor(async () => {
    const { rows } = await sql`
      SELECT pid FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(database);
    expect(rows).not.toEqual([]);
  }, 10_000);
  await upload.commit().execute();
  await deletion;
  expect(await summarizeAccount(services, steam_id)).toBeNull();
  expect(await blobs.stat("uploads/late")).toBeNull();
});
