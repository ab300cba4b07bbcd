import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { unpackTar } from "modern-tar";
import { pino } from "pino";
import { afterAll, expect, test } from "vitest";
import { startS3 } from "../../../tests/services/s3.ts";
import type { Services } from "../../services.ts";
import { freshPlace } from "../../storage/testing/fresh-database.ts";
import { oldPlace } from "../testing/old-place.ts";
import { configOf, withServices } from "../testing/with-services.ts";
import type { BackupCheck } from "./backup-format.ts";
import { restoreBackup } from "./restore-backup.ts";
import { writeBackup } from "./write-backup.ts";

const log = pino({ level: "silent" });
const folder = mkdtempSync(join(tmpdir(), "clutchcast-backup-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = (name: string) => join(folder, name);
async function checkOf(path: string): Promise<BackupCheck> {
  const entries = await unpackTar(readFileSync(path));
  const last = entries.at(-1);
  expect(last?.header.name).toBe("check.json");
  return JSON.parse(new TextDecoder().decode(last?.data)) as BackupCheck;
}

/** @returns the new one's id */
async function copyClip(database: Services["database"], like: number, key: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    INSERT INTO clips (user_id, match_id, demo_sha256, name, spec, settings, status, progress, video_key, poster_key,
      thumbnail_key, video_bytes, duration_seconds, created_at, completed_at)
    SELECT user_id, match_id, demo_sha256, name || ' again', spec, settings, status, 1, ${key}, poster_key,
      thumbnail_key, video_bytes, duration_seconds, created_at, completed_at
    FROM clips WHERE id = ${like} RETURNING id`.execute(database);
  return rows[0]!.id;
}

/** Creates, changes and deletes clips with their files until stopped. */
function disturb({ database, blobs, scratchDirectory }: Services) {
  let isOver = false;
  let turns = 0;
  const work = (async () => {
    const { id: like } = await database
      .selectFrom("clips")
      .select("id")
      .where("status", "=", "completed")
      .executeTakeFirstOrThrow();
    for (; !isOver; turns++) {
      const key = `clips/${1000 + turns}/video-${turns}.mp4`;
      const path = join(scratchDirectory, `copy-${turns}`);
      writeFileSync(path, `video ${turns}`);
      await blobs.putFile(key, path, "video/mp4");
      const id = await copyClip(database, like, key);
      await database.updateTable("clips").set({ views_count: turns }).where("id", "=", like).execute();
      if (turns % 2 === 0) {
        await database.deleteFrom("clips").where("id", "=", id).execute();
        await blobs.delete(key);
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  return async () => {
    isOver = true;
    await work;
    return turns;
  };
}

test("a backup under load goes into PostgreSQL and an S3 store and back: every row, every file, every open job", async () => {
  const old = oldPlace(folder);
  const reported = await withServices(old, async (services) => {
    const stop = disturb(services);
    const report = await writeBackup(services, file("first"));
    expect(await stop()).toBeGreaterThan(5);
    return report;
  });
  expect(statSync(file("first")).mode & 0o777).toBe(0o600);
  const first = await checkOf(file("first"));
  expect(first.tables.users?.rows).toBe(2);
  expect(first.tables.likes?.rows).toBe(1);

  const store = await startS3();
  const server = {
    ...(await freshPlace("postgres")),
    ...{ S3_ENDPOINT: store.endpoint, S3_BUCKET: store.bucket, S3_REGION: store.region },
    ...{ S3_ACCESS_KEY_ID: store.accessKeyId, S3_SECRET_ACCESS_KEY: store.secretAccessKey },
  };
  expect(await restoreBackup(configOf(server), log, file("first"))).toEqual(reported);
  await withServices(server, async (services) => {
    const { database, blobs, jobs } = services;
    const clips = await database.selectFrom("clips").select(["id", "name", "video_key"]).orderBy("id").execute();
    for (const { name, video_key: key } of clips) {
      if (key !== null) expect(await blobs.stat(key), name).toMatchObject({ contentType: "video/mp4" });
    }
    const waiting = clips.find(({ name }) => name === "Still waiting")!;
    expect(await jobs.isOpen("render", { clipId: waiting.id })).toBe(true);
    await writeBackup(services, file("second"));
    // Ids of deleted clips are not reused.
    const id = await copyClip(database, clips[0]!.id, "clips/1/none.mp4");
    expect(id).toBeGreaterThan(clips.at(-1)!.id);
  });
  expect(await checkOf(file("second"))).toEqual(first);

  const back = { DATA_DIR: mkdtempSync(join(folder, "back-")) };
  await restoreBackup(configOf(back), log, file("second"));
  await withServices(back, (services) => writeBackup(services, file("third")));
  expect(await checkOf(file("third"))).toEqual(first);
  await store.stop();
});

test("a place with something in it, and a backup that is cut or changed, are refused with a sentence, and nothing is in the database", async () => {
  const old = oldPlace(folder);
  await withServices(old, (services) => writeBackup(services, file("whole")));
  await expect(restoreBackup(configOf(old), log, file("whole"))).rejects.toThrow(/There are files in .* already/);
  await expect(withServices(old, (services) => writeBackup(services, file("whole")))).rejects.toThrow(
    /is there already/,
  );

  const whole = readFileSync(file("whole"));
  const cut = file("cut");
  writeFileSync(cut, whole);
  truncateSync(cut, Math.floor(whole.length / 2));
  const changed = file("changed");
  const at = whole.indexOf("An old clip");
  expect(at).toBeGreaterThan(0);
  writeFileSync(changed, Buffer.concat([whole.subarray(0, at), Buffer.from("An OLD clip"), whole.subarray(at + 11)]));
  writeFileSync(file("other"), "no backup at all ".repeat(100));
  for (const [path, sentence] of [
    [cut, /not a whole backup/],
    [changed, /not a whole backup of Clutchcast: of clips/],
    [file("other"), /not a whole backup/],
    [file("missing"), /There is no file/],
  ] as const) {
    const empty = { DATA_DIR: mkdtempSync(join(folder, "empty-")) };
    await expect(restoreBackup(configOf(empty), log, path), path).rejects.toThrow(sentence);
    if (!existsSync(join(empty.DATA_DIR, "postgres"))) continue;
    const users = await withServices(empty, ({ database }) => database.selectFrom("users").select("id").execute());
    expect(users).toEqual([]);
  }
});
