import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { openFolderBlobStore } from "./folder-blob-store.ts";
import { testBlobStore } from "./testing/blob-store-promises.ts";
import { programOf } from "./testing/fork-source.ts";
import { watchSyncs } from "./testing/watched-syncs.ts";

const freshFolder = (below = tmpdir()) => mkdtempSync(join(below, "clutchcast-test-"));

testBlobStore("folder", async () => {
  const folder = freshFolder();
  return { store: await openFolderBlobStore(folder), close: async () => rmSync(folder, { recursive: true }) };
});

test("a part of the list of a folder with very many names puts a few of them in order, and all parts together are the list", async () => {
  const folder = freshFolder();
  const numbers = Array.from({ length: 400 }, (_, number) => number);
  for (const number of numbers) mkdirSync(join(folder, "clips", String(number)), { recursive: true });
  const withFiles = numbers.filter((number) => number % 20 === 0);
  for (const number of withFiles) writeFileSync(join(folder, "clips", String(number), "video.mp4"), "x");
  // Sorts between the folder's name and its content.
  writeFileSync(join(folder, "clips", "120-a"), "x");
  const store = await openFolderBlobStore(folder, { namesAtOnce: 25 });
  const keys = [...withFiles.map((number) => `clips/${number}/video.mp4`), "clips/120-a"].sort();
  const sort = Array.prototype.sort;
  const sorted: number[] = [];
  const watched = vi.spyOn(Array.prototype, "sort").mockImplementation(function (this: unknown[], compare) {
    sorted.push(this.length);
    return sort.call(this, compare);
  });
  const part = async (after: string, most: number) => {
    const found: string[] = [];
    for await (const key of store.list("clips/", after)) if (found.push(key) >= most) break;
    return found;
  };
  try {
    expect(await part("clips/140/video.mp4", 1)).toEqual(["clips/160/video.mp4"]);
    expect(Math.max(...sorted)).toBeLessThanOrEqual(50);
    expect(await part("", keys.length + 1)).toEqual(keys);
    const byParts: string[] = [];
    for (let more = await part("", 7); more.length > 0; more = await part(byParts.at(-1)!, 7)) byParts.push(...more);
    expect(byParts).toEqual(keys);
  } finally {
    watched.mockRestore();
    rmSync(folder, { recursive: true });
  }
});

test("puts and deletes in one folder at once do not trip over each other", async () => {
  const folder = freshFolder();
  const store = await openFolderBlobStore(join(folder, "blobs"));
  await Promise.all(
    Array.from({ length: 200 }, async (_, n) => {
      const source = join(folder, `source-${n}`);
      writeFileSync(source, "x");
      await store.putFile(`clips/1/${n}.mp4`, source, "video/mp4");
      await store.delete(`clips/1/${n}.mp4`);
    }),
  );
  expect(existsSync(join(folder, "blobs/clips/1"))).toBe(false);
  rmSync(folder, { recursive: true });
});

test.runIf(process.platform === "linux")(
  "what is stored is on the disk, with its name and its folders' names",
  async () => {
    const folder = freshFolder();
    const source = join(folder, "source");
    const blobs = join(folder, "blobs");
    const store = await openFolderBlobStore(blobs);
    writeFileSync(source, "x");
    const synced = await watchSyncs();
    try {
      await store.putFile("clips/1/a.mp4", source, "video/mp4");
      expect(synced.paths).toEqual([source, join(blobs, "clips/1"), join(blobs, "clips"), blobs]);
    } finally {
      synced.stop();
      rmSync(folder, { recursive: true });
    }
  },
);

test.runIf(existsSync("/dev/shm"))("a file from another disk is copied in and then gone there", async () => {
  const folder = freshFolder("/dev/shm");
  const sources = freshFolder();
  const store = await openFolderBlobStore(folder);
  const source = join(sources, "demo");
  writeFileSync(source, "demo");
  await store.putFile("demos/a.dem", source, "application/octet-stream");
  expect(readdirSync(sources)).toEqual([]);
  expect(readdirSync(join(folder, ".unfinished"))).toEqual([]);
  expect((await store.stat("demos/a.dem"))!.bytes).toBe(4);
  rmSync(folder, { recursive: true });
  rmSync(sources, { recursive: true });
});

const mounting = ["--user", "--map-root-user", "--mount", "sh", "-c"];
const canMount = spawnSync("unshare", [...mounting, "mount -t tmpfs -o size=1m none /mnt"]).status === 0;

test.runIf(canMount)("a full disk is told as such and keeps no half blob", () => {
  const folder = freshFolder();
  const disk = join(folder, "disk");
  mkdirSync(disk);
  writeFileSync(join(folder, "huge"), Buffer.alloc(2 * 1024 ** 2));
  const filler = programOf(new URL("./testing/fill-small-disk.ts", import.meta.url));
  const script = 'mount -t tmpfs -o size=1m none "$0" && exec "$@"';
  const run = spawnSync(
    "unshare",
    [...mounting, script, disk, process.execPath, ...filler, disk, join(folder, "huge")],
    { encoding: "utf8" },
  );
  expect(JSON.parse(run.stdout || run.stderr)).toEqual({ outcome: "BlobStoreFullError", stat: null, left: [] });
  expect(existsSync(join(folder, "huge"))).toBe(true);
  rmSync(folder, { recursive: true });
});
