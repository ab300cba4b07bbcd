import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unpackTar } from "modern-tar";
import { expect, test, vi } from "vitest";
import type { Services } from "../../services.ts";
import { freshServices } from "../../storage/testing/fresh-services.ts";
import { writeBackup } from "./write-backup.ts";

const folder = () => mkdtempSync(join(tmpdir(), "clutchcast-write-backup-"));

async function put({ blobs, scratchDirectory }: Services, key: string, content: string | Uint8Array): Promise<void> {
  const path = join(scratchDirectory, "source");
  writeFileSync(path, content);
  await blobs.putFile(key, path, "video/mp4");
}

test("a backup asks a store for nothing but its list and its blobs, several at once, and deletes what was to go meanwhile", async () => {
  const { services, remove } = await freshServices();
  const place = folder();
  const path = join(place, "a.backup");
  const keys = Array.from({ length: 30 }, (_, number) => `clips/${100 + number}/video.mp4`);
  for (const key of keys) await put(services, key, key);
  const large = Buffer.alloc(9 * 1024 ** 2, "large");
  await put(services, "demos/a/demo.bin", large);
  let stats = 0;
  let reading = 0;
  let mostAtOnce = 0;
  const { blobs } = services;
  const watched: Services["blobs"] = {
    ...blobs,
    async *listSizes(...given) {
      // Two are deleted, and one of them is stored again.
      await blobs.delete(keys[0]!);
      await blobs.delete(keys[1]!);
      await put(services, keys[1]!, keys[1]!);
      yield* blobs.listSizes(...given);
    },
    async *list(...given) {
      await blobs.delete(keys[0]!);
      yield* blobs.list(...given);
    },
    async stat(key) {
      stats++;
      return await blobs.stat(key);
    },
    async read(key) {
      mostAtOnce = Math.max(mostAtOnce, ++reading);
      await new Promise((resolve) => setTimeout(resolve, 20));
      reading--;
      return await blobs.read(key);
    },
  };
  const report = await writeBackup({ ...services, blobs: watched }, path);
  expect(report).toMatchObject({ blobs: 31, blobBytes: keys.join("").length + large.length });
  expect(stats).toBe(0);
  expect(mostAtOnce).toBeGreaterThan(2);
  expect(mostAtOnce).toBeLessThanOrEqual(8);
  const entries = new Map((await unpackTar(readFileSync(path))).map(({ header, data }) => [header.name, data!]));
  for (const key of keys) expect(Buffer.from(entries.get(`blobs/${key}`)!).toString()).toBe(key);
  expect(large.equals(entries.get("blobs/demos/a/demo.bin")!)).toBe(true);
  const left: string[] = [];
  for await (const key of blobs.list("")) left.push(key);
  expect(left).toEqual([...keys.slice(1), "demos/a/demo.bin"]);
  expect(await services.database.selectFrom("held_deletions").selectAll().execute()).toEqual([]);
  await remove();
  rmSync(place, { recursive: true });
});

test("a file in the making does not look left over, however long the store takes to be listed", async () => {
  const { services, remove } = await freshServices();
  const place = folder();
  const path = join(place, "a.backup");
  const ageMs = () => Date.now() - statSync(`${path}.part`).mtimeMs;
  let age = Number.NaN;
  const { blobs } = services;
  const waitLong = async () => {
    const before = new Date(Date.now() - 13 * 3600_000);
    utimesSync(`${path}.part`, before, before);
    await vi.advanceTimersByTimeAsync(11 * 60_000);
    for (let look = 0; look < 50 && ageMs() > 3600_000; look++) await new Promise((resolve) => setTimeout(resolve, 20));
    age = ageMs();
  };
  const slow: Services["blobs"] = {
    ...blobs,
    async *listSizes(...given) {
      await waitLong();
      yield* blobs.listSizes(...given);
    },
    async *list(...given) {
      await waitLong();
      yield* blobs.list(...given);
    },
  };
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    await writeBackup({ ...services, blobs: slow }, path);
  } finally {
    vi.useRealTimers();
  }
  expect(age).toBeLessThan(3600_000);
  await remove();
  rmSync(place, { recursive: true });
});
