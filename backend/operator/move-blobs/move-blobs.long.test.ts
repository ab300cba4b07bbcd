import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startS3, type TestS3 } from "../../../tests/services/s3.ts";
import { readConfig } from "../../config.ts";
import { openServices } from "../../open-services.ts";
import type { Services } from "../../services.ts";
import { migratedPlace } from "../../storage/testing/fresh-database.ts";
import { moveBlobsCommand } from "./move-blobs-command.ts";

let store: TestS3;
let DATA_DIR: string;

beforeEach(async () => {
  store = await startS3();
  ({ DATA_DIR } = await migratedPlace("embedded"));
});
afterEach(async () => {
  await store.stop();
  rmSync(DATA_DIR, { recursive: true, force: true });
});

const settings = (): Record<string, string> => ({
  ...{ NODE_ENV: "test", LOG_LEVEL: "silent", DATA_DIR },
  ...{ S3_ENDPOINT: store.endpoint, S3_BUCKET: store.bucket, S3_REGION: store.region },
  ...{ S3_ACCESS_KEY_ID: store.accessKeyId, S3_SECRET_ACCESS_KEY: store.secretAccessKey },
});
const move = (...words: string[]) => moveBlobsCommand(readConfig(settings()), words, () => {});
const puts = () => store.requests.filter((line) => line.startsWith("PUT") && !line.includes("/checks/")).length;

function write(key: string, content: Buffer | string): void {
  const path = join(DATA_DIR, "blobs", key);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** Runs work with a server on its folder. */
async function withServer<Result>(work: (services: Services) => Promise<Result>): Promise<Result> {
  const { services, close } = await openServices(readConfig({ NODE_ENV: "test", LOG_LEVEL: "silent", DATA_DIR }));
  try {
    return await work(services);
  } finally {
    await close();
  }
}

/** A player's match whose demo was uploaded. */
async function nameUpload({ database, now }: Services, key: string): Promise<void> {
  const user = await database
    .insertInto("users")
    .values({
      steam_id: `7656119${createHash("sha256").update(key).digest().readUInt32BE() % 1e9}`.padEnd(17, "0"),
      steam_name: "device",
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await database
    .insertInto("matches")
    .values({
      id: randomBytes(6).toString("hex"),
      user_id: user.id,
      source: "upload",
      upload_key: key,
      status: "queued",
      created_at: now(),
    })
    .execute();
}

test("every file goes to the store with its type and hash, a large one in parts, and a second call copies none", async () => {
  const large = randomBytes(20 * 1024 ** 2);
  const files = {
    "demos/a/track.bin": "track",
    "clips/1/video-a.mp4": large,
    "clips/1/poster-b.jpg": "",
    "maps/x/y.gz": "m",
  };
  for (const [key, content] of Object.entries(files)) write(key, content);
  write(".unfinished/half", "no blob");
  const said = await move();
  expect(said).toMatch(
    /^Copied 4 files \(21\.0 MB\), 0 were there already\.\nOf the files that the database names 0 are/,
  );
  expect(said).toContain(`Every file is there. Now\nset S3_ENDPOINT=${store.endpoint}, S3_BUCKET=clutchcast`);
  expect([...store.objects.keys()].sort()).toEqual(Object.keys(files).sort());
  for (const [key, content] of Object.entries(files)) {
    const { bytes, metadata } = store.objects.get(key)!;
    expect(bytes.equals(Buffer.from(content)), key).toBe(true);
    expect(metadata).toEqual({ "x-amz-meta-sha256": createHash("sha256").update(content).digest("hex") });
  }
  expect(store.objects.get("clips/1/video-a.mp4")).toMatchObject({ contentType: "video/mp4" });
  expect(store.objects.get("clips/1/video-a.mp4")!.etag).toMatch(/-3"$/);
  expect(store.openUploads()).toBe(0);

  const before = puts();
  expect(await move()).toMatch(/^Copied 0 files \(0\.0 MB\), 4 were there already\./);
  expect(puts()).toBe(before);
});

test("what the store has otherwise is found and put right: another size, another content, a file that changed here", async () => {
  for (const key of ["a", "b", "c", "d"]) write(`demos/${key}/track.bin`, `track ${key}`);
  await move();
  const { objects } = store;
  const object = (key: string) => objects.get(`demos/${key}/track.bin`)!;
  objects.set("demos/a/track.bin", { ...object("a"), bytes: Buffer.from("track") });
  // As another program stores it: without its hash, so that it is read.
  objects.set("demos/b/track.bin", { ...object("b"), bytes: Buffer.from("track B"), metadata: {} });
  objects.set("demos/c/track.bin", { ...object("c"), metadata: {} });
  write("demos/d/track.bin", "TRACK d");
  utimesSync(join(DATA_DIR, "blobs/demos/d/track.bin"), new Date(0), new Date(0));
  expect(await move()).toMatch(/^Copied 3 files \(0\.0 MB\), 1 were there already\./);
  expect(["a", "b", "c", "d"].map((key) => object(key).bytes.toString())).toEqual([
    "track a",
    "track b",
    "track c",
    "TRACK d",
  ]);

  // The store lost a bit and still reports the old hash: only reading everything back reveals it.
  objects.set("demos/a/track.bin", { ...object("a"), bytes: Buffer.from("track A") });
  expect(await move()).toMatch(/^Copied 0 files/);
  expect(await move("--read-back")).toMatch(/^Copied 1 file /);
  expect(object("a").bytes.toString()).toBe("track a");
});

test("while a server writes and deletes, what it has at the end is there once it is stopped and the command called again", async () => {
  const said = await withServer(async (services) => {
    const { database, blobs, scratchDirectory } = services;
    let isOver = false;
    let written = 0;
    const writing = (async () => {
      for (; !isOver; written++) {
        const path = join(scratchDirectory, `upload-${written}`);
        writeFileSync(path, `demo ${written}`);
        const key = `uploads/${written}.dem`;
        await blobs.putFile(key, path, "application/octet-stream");
        await nameUpload(services, key);
        if (written % 3 !== 0) continue;
        await database.deleteFrom("matches").where("upload_key", "=", key).execute();
        await blobs.delete(key);
      }
    })();
    while (written < 40) await new Promise((resolve) => setTimeout(resolve, 5));
    const first = await move();
    isOver = true;
    await writing;
    expect(written).toBeGreaterThan(40);
    return first;
  });
  expect(said).toContain("A server runs and may still write into the folder: stop it, call the same command once more");
  expect(said).not.toContain("neither in the folder");
  const last = await move();
  expect(last).toContain("Every file is there.");
  await withServer(async ({ database, blobs }) => {
    const matches = await database.selectFrom("matches").select("upload_key").execute();
    expect(matches.length).toBeGreaterThan(20);
    expect(last).toContain(`names ${matches.length} are in the store with the SHA-256`);
    for (const { upload_key: key } of matches) {
      const here = await new Response(await blobs.read(key!)).text();
      expect(store.objects.get(key!)?.bytes.toString(), key!).toBe(here);
    }
  });
});

test("a file that rows name and nobody has is told, and one that only the store has is none of them", async () => {
  await withServer(async (services) => {
    for (const key of ["uploads/lost.dem", "uploads/there.dem"]) await nameUpload(services, key);
  });
  write("demos/a/track.bin", "track");
  // A script relies on the exit code, which an error determines.
  const refused = () =>
    move().then(
      () => "moved",
      (error: Error) => error.message,
    );
  expect(await refused()).toContain("2 files that it names are neither in the folder nor in the store");
  store.objects.set("uploads/there.dem", store.objects.get("demos/a/track.bin")!);
  const said = await refused();
  expect(said).toContain("All others are there. Look for these in a backup");
  expect(said).not.toContain("Every file is there");
  expect(said).toContain("names 0 are in the store with the SHA-256 of the folder's, and 1 in the store alone.");
  expect(said).toContain("1 file that it names is neither in the folder nor in the store: uploads/lost.dem.");
});

test("a store that is not set, refuses, is full or goes away is told by its sentence, and the next call goes on", async () => {
  for (const number of Array.from({ length: 30 }, (_, index) => index))
    write(`clips/${number}/video.mp4`, `video ${number}`);
  await expect(moveBlobsCommand(readConfig({ DATA_DIR }), [], () => {})).rejects.toThrow(/^Where to\? Set S3_ENDPOINT/);
  const wrong = readConfig({ ...settings(), S3_SECRET_ACCESS_KEY: "wrong" });
  await expect(moveBlobsCommand(wrong, [], () => {})).rejects.toThrow(/refuses the keys/);
  expect(store.objects.size).toBe(0);

  // From the eleventh file on.
  store.capacity(10);
  await expect(move()).rejects.toThrow(
    "The S3 store is full. Make room. What was copied stays there: the same command goes on where it was.",
  );
  expect(store.objects.size).toBe(10);
  store.capacity(Number.POSITIVE_INFINITY);
  expect(await move()).toMatch(/^Copied 20 files \(0\.0 MB\), 10 were there already\./);
});

test("an empty DATA_DIR has nothing to be moved", async () => {
  const empty = mkdtempSync(join(tmpdir(), "clutchcast-test-"));
  const config = readConfig({ ...settings(), DATA_DIR: empty });
  await expect(moveBlobsCommand(config, [], () => {})).rejects.toThrow(`There are no files in ${join(empty, "blobs")}`);
  rmSync(empty, { recursive: true });
});
