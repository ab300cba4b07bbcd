import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { deleteEarlierVideos } from "../clips/delete-clip.ts";
import { MatchBuilder } from "../highlights/testing/round-builder.ts";
import { importUploadedDemo } from "../matches/create-match.ts";
import { storeDemo } from "../matches/store-demo.ts";
import type { Services } from "../services.ts";
import { DatabaseUnavailableError } from "./database-unavailable.ts";
import { namedKeys, withNamedBlobs } from "./named-blobs.ts";
import type { User } from "./schema.ts";
import { type FreshServices, freshServices } from "./testing/fresh-services.ts";
import { withLostCommit } from "./testing/lost-commit.ts";

let fresh: FreshServices;
let services: Services;
let player: User;
beforeAll(async () => {
  fresh = await freshServices("embedded", { DEMO_FILE_DAYS: "1", IMPORTS_PER_DAY: "1" });
  services = fresh.services;
});
afterAll(() => fresh.remove());
beforeEach(async () => {
  for (const key of await storedKeys()) await services.blobs.delete(key);
  await services.database.deleteFrom("demos").execute();
  await services.database.deleteFrom("users").execute();
  await services.database.deleteFrom("rate_counters").execute();
  player = await services.database
    .insertInto("users")
    .values({ steam_id: "76561198000000001", steam_name: "player" })
    .returningAll()
    .executeTakeFirstOrThrow();
});

function scratchFile(): string {
  const path = join(services.scratchDirectory, randomBytes(6).toString("hex"));
  writeFileSync(path, "stored");
  return path;
}

const putBlob = (key: string) => services.blobs.putFile(key, scratchFile(), "application/octet-stream");

async function storedKeys(): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of services.blobs.list("")) keys.push(key);
  return keys.sort();
}

/** The answer to COMMIT is lost, with either kind of error. */
const lostAnswers = [new DatabaseUnavailableError(new Error("lost")), new Error("The answer cannot be read.")];

for (const error of lostAnswers) {
  test(`the files of a demo whose rows were committed stay when the answer is lost: ${error.message}`, async () => {
    const cutOff = { ...services, database: withLostCommit(services.database, error) };
    const demo = {
      ...{ sha256: "a".repeat(64), record: new MatchBuilder().build(), highlights: [], playedAt: null },
      ...{ trackPath: scratchFile(), raw: { path: scratchFile(), bytes: 6 } },
    };
    await expect(storeDemo(cutOff, demo)).rejects.toBe(error);
    const row = await services.database.selectFrom("demos").select(["track_key", "file_key"]).executeTakeFirstOrThrow();
    expect([row.file_key, row.track_key]).toEqual(await storedKeys());
  });

  test(`an uploaded demo whose match was committed stays when the answer is lost: ${error.message}`, async () => {
    const cutOff = { ...services, database: withLostCommit(services.database, error) };
    await putBlob("uploads/kept");
    const file = { key: "uploads/kept", fileName: "a.dem", bytes: 6 };
    await expect(importUploadedDemo(cutOff, player, file)).rejects.toBe(error);
    expect(await namedKeys(services, ["uploads/kept"])).toEqual(new Set(await storedKeys()));
    expect(await storedKeys()).toEqual(["uploads/kept"]);
  });
}

test("an upload that is refused goes at once", async () => {
  for (const key of ["uploads/first", "uploads/refused"]) await putBlob(key);
  await importUploadedDemo(services, player, { key: "uploads/first", fileName: "a.dem", bytes: 6 });
  const refused = importUploadedDemo(services, player, { key: "uploads/refused", fileName: "b.dem", bytes: 6 });
  await expect(refused).rejects.toThrow("day");
  expect(await storedKeys()).toEqual(["uploads/first"]);
});

test("files that no row came to name go, also where storing them failed; those are left that a session without an end may name yet", async () => {
  await withNamedBlobs(services, ["clips/1/share-1.mp4"], () => putBlob("clips/1/share-1.mp4"));
  expect(await storedKeys()).toEqual([]);
  const failing = (key: string, error: Error) =>
    withNamedBlobs(services, [key], async () => {
      await putBlob(key);
      throw error;
    });
  await expect(failing("clips/1/share-2.mp4", new Error("not the one that was made"))).rejects.toThrow("not the one");
  expect(await storedKeys()).toEqual([]);
  await expect(failing("clips/1/share-3.mp4", lostAnswers[0]!)).rejects.toBe(lostAnswers[0]);
  expect(await storedKeys()).toEqual(["clips/1/share-3.mp4"]);
});

test("a video that is complete takes what earlier runs left of it, and nothing that other jobs store meanwhile", async () => {
  const others = ["loop-3.mp4", "share-3.mp4", "vertical-poster-3.jpg", "vertical-video-3.mp4"];
  for (const name of [...others, "video-1.mp4", "video-2.mp4", "wide-poster-1.jpg"]) await putBlob(`clips/7/${name}`);
  await deleteEarlierVideos(services, "clips/7/", ["clips/7/video-2.mp4"]);
  const left = [...others, "video-2.mp4"].map((name) => `clips/7/${name}`);
  expect(await storedKeys()).toEqual(left.sort());
  await putBlob("clips/7/vertical-video-4.mp4");
  await deleteEarlierVideos(services, "clips/7/vertical-", ["clips/7/vertical-video-4.mp4"]);
  const afterFormat = ["loop-3.mp4", "share-3.mp4", "vertical-video-4.mp4", "video-2.mp4"];
  expect(await storedKeys()).toEqual(afterFormat.map((name) => `clips/7/${name}`));
});
