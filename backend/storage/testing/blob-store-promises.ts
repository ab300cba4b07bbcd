import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BlobMissingError, type BlobStore, PartsGoneError } from "../blob-store.ts";

const bytesOf = async (stream: ReadableStream<Uint8Array>) => Buffer.from(await new Response(stream).arrayBuffer());
const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/**
 * Tests that every blob store has to pass.
 * @param open gives an empty store
 */
export function testBlobStore(name: string, open: () => Promise<{ store: BlobStore; close(): Promise<void> }>): void {
  const withStore = async (
    work: (store: BlobStore, put: (key: string, bytes: Uint8Array) => Promise<void>) => Promise<void>,
  ) => {
    const { store, close } = await open();
    const folder = mkdtempSync(join(tmpdir(), "clutchcast-test-"));
    try {
      await work(store, async (key, bytes) => {
        const source = join(folder, randomBytes(4).toString("hex"));
        writeFileSync(source, bytes);
        await store.putFile(key, source, key.endsWith(".mp4") ? "video/mp4" : "application/octet-stream");
        expect(existsSync(source)).toBe(false);
      });
    } finally {
      await close();
      rmSync(folder, { recursive: true, force: true });
    }
  };

  test(`${name}: a blob reads back whole, in ranges and as a local file`, async () => {
    await withStore(async (store, put) => {
      const bytes = randomBytes(300_000);
      await put("clips/12/video-3f2a.mp4", bytes);
      const stat = await store.stat("clips/12/video-3f2a.mp4");
      expect(stat).toMatchObject({ bytes: 300_000, contentType: "video/mp4" });
      expect(Math.abs(Date.now() - stat!.modifiedAt.getTime())).toBeLessThan(60_000);
      expect(stat!.etag).toMatch(/^"[^"]+"$/);
      expect(hash(await bytesOf(await store.read("clips/12/video-3f2a.mp4")))).toBe(hash(bytes));
      const part = await bytesOf(await store.read("clips/12/video-3f2a.mp4", { start: 100_000, end: 100_099 }));
      expect(part.equals(bytes.subarray(100_000, 100_100))).toBe(true);
      const last = await bytesOf(await store.read("clips/12/video-3f2a.mp4", { start: 299_999, end: 299_999 }));
      expect(last.equals(bytes.subarray(299_999))).toBe(true);
      const local = await store.openLocal("clips/12/video-3f2a.mp4");
      expect(hash(readFileSync(local.path))).toBe(hash(bytes));
      await local.release();
    });
  });

  test(`${name}: a blob put again is the new one, with another etag`, async () => {
    await withStore(async (store, put) => {
      await put("tracks/a.bin", Buffer.from("first"));
      const before = await store.stat("tracks/a.bin");
      await put("tracks/a.bin", Buffer.from("other"));
      expect((await bytesOf(await store.read("tracks/a.bin"))).toString()).toBe("other");
      expect((await store.stat("tracks/a.bin"))!.etag).not.toBe(before!.etag);
    });
  });

  test(`${name}: an empty blob is a blob`, async () => {
    await withStore(async (store, put) => {
      await put("demos/empty.dem", Buffer.alloc(0));
      expect((await store.stat("demos/empty.dem"))!.bytes).toBe(0);
      expect(await bytesOf(await store.read("demos/empty.dem"))).toHaveLength(0);
    });
  });

  test(`${name}: what is not there is missing, and deleting it is no error`, async () => {
    await withStore(async (store, put) => {
      expect(await store.stat("clips/1/video.mp4")).toBeNull();
      await expect(store.read("clips/1/video.mp4")).rejects.toBeInstanceOf(BlobMissingError);
      await expect(store.openLocal("clips/1/video.mp4")).rejects.toBeInstanceOf(BlobMissingError);
      await store.delete("clips/1/video.mp4");
      await put("clips/1/video.mp4", Buffer.from("x"));
      await store.delete("clips/1/video.mp4");
      expect(await store.stat("clips/1/video.mp4")).toBeNull();
    });
  });

  test(`${name}: a list is in the order of names, and may begin behind any key`, async () => {
    await withStore(async (store, put) => {
      // A slash sorts before digits and after a hyphen.
      const keys = [
        "clips/1-a",
        "clips/1/a.mp4",
        "clips/1/b.mp4",
        "clips/10/a.mp4",
        "clips/1a",
        "clips/2/a/b.bin",
        "demos/a",
      ];
      for (const key of [...keys].reverse()) await put(key, Buffer.from(key));
      const list = async (prefix: string, after?: string) => {
        const found: string[] = [];
        for await (const key of store.list(prefix, after)) found.push(key);
        return found;
      };
      expect(await list("")).toEqual(keys);
      for (const [index, key] of keys.entries()) {
        expect(await list("", key)).toEqual(keys.slice(index + 1));
        expect(await list("clips/", key)).toEqual(keys.slice(index + 1, -1));
      }
      expect(await list("clips/", "clips/1/aa")).toEqual(keys.slice(2, -1));
      expect(await list("clips/1/", "clips/0/z")).toEqual(keys.slice(1, 3));
      expect(await list("clips/", "demos/")).toEqual([]);
    });
  });

  test(`${name}: a list holds every key below its prefix`, async () => {
    await withStore(async (store, put) => {
      const keys = ["clips/1/poster.jpg", "clips/1/video.mp4", "clips/12/video.mp4", "tracks/a.bin"];
      for (const key of keys) await put(key, Buffer.from(key));
      const list = async (prefix: string) => {
        const found: string[] = [];
        for await (const key of store.list(prefix)) found.push(key);
        return found.sort();
      };
      expect(await list("")).toEqual(keys);
      expect(await list("clips/1/")).toEqual(["clips/1/poster.jpg", "clips/1/video.mp4"]);
      expect(await list("clips/1")).toEqual(keys.slice(0, 3));
      expect(await list("demos/")).toEqual([]);
      const sizes: [string, number][] = [];
      for await (const { key, bytes } of store.listSizes("clips/", keys[0])) sizes.push([key, bytes]);
      expect(sizes).toEqual(keys.slice(1, 3).map((key) => [key, key.length]));
    });
  });

  test(`${name}: a blob that comes in parts is there once it is complete, whoever stores the parts how often`, async () => {
    await withStore(async (store) => {
      const folder = mkdtempSync(join(tmpdir(), "clutchcast-test-"));
      const partBytes = 5 * 1024 ** 2;
      const bytes = randomBytes(2 * partBytes + 1234);
      const blob = { key: "uploads/a", handle: await store.beginParts("uploads/a", "application/octet-stream") };
      expect(blob.handle.length).toBeLessThanOrEqual(2048);
      const put = (number: number, content: Uint8Array) => {
        const path = join(folder, randomBytes(4).toString("hex"));
        writeFileSync(path, content);
        return store.putPart(blob, { number, start: (number - 1) * partBytes, path });
      };
      const part = (number: number) => bytes.subarray((number - 1) * partBytes, number * partBytes);
      await put(1, randomBytes(partBytes));
      const tags = [await put(1, part(1)), await put(2, part(2)), await put(3, part(3))];
      expect(await store.stat("uploads/a")).toBeNull();
      await store.completeParts(blob, tags, bytes.length);
      expect(hash(await bytesOf(await store.read("uploads/a")))).toBe(hash(bytes));
      await store.completeParts(blob, tags, bytes.length);
      await store.abortParts(blob);
      expect(await store.stat("uploads/a")).toMatchObject({ bytes: bytes.length });
      rmSync(folder, { recursive: true });
    });
  });

  test(`${name}: parts that were given up, or are another store's, are gone`, async () => {
    await withStore(async (store) => {
      const folder = mkdtempSync(join(tmpdir(), "clutchcast-test-"));
      const path = join(folder, "part");
      writeFileSync(path, "demo");
      const ended = { key: "uploads/a", handle: await store.beginParts("uploads/a", "application/octet-stream") };
      const tag = await store.putPart(ended, { number: 1, start: 0, path });
      await store.abortParts(ended);
      await store.abortParts(ended);
      for (const blob of [ended, { key: "uploads/a", handle: "elsewhere/../../a" }]) {
        await expect(store.putPart(blob, { number: 1, start: 0, path })).rejects.toBeInstanceOf(PartsGoneError);
        await expect(store.completeParts(blob, [tag], 4)).rejects.toBeInstanceOf(PartsGoneError);
        await store.abortParts(blob);
      }
      rmSync(folder, { recursive: true });
    });
  });

  test(`${name}: parts that are given up while they are completed are a whole blob, or gone`, async () => {
    await withStore(async (store) => {
      const folder = mkdtempSync(join(tmpdir(), "clutchcast-test-"));
      const path = join(folder, "part");
      writeFileSync(path, "demo");
      const ends = await Promise.all(
        Array.from({ length: 40 }, async (_, number) => {
          const key = `uploads/${number}`;
          const blob = { key, handle: await store.beginParts(key, "application/octet-stream") };
          const tag = await store.putPart(blob, { number: 1, start: 0, path });
          const [completed] = await Promise.allSettled([store.completeParts(blob, [tag], 4), store.abortParts(blob)]);
          const isGone = completed.status === "rejected" && completed.reason instanceof PartsGoneError;
          return isGone
            ? !(await store.stat(key))
            : completed.status === "fulfilled" && (await store.stat(key))?.bytes === 4;
        }),
      );
      expect(ends).toEqual(ends.map(() => true));
      rmSync(folder, { recursive: true });
    });
  });

  test(`${name}: a key that leads out of the store is refused`, async () => {
    await withStore(async (store) => {
      for (const key of [
        "../secret",
        "clips/../../secret",
        "/etc/passwd",
        "clips//a",
        "",
        "clips/.hidden",
        "a\0b",
        "a\\b",
      ]) {
        await expect(store.stat(key)).rejects.toThrow("is not a blob key");
        await expect(store.delete(key)).rejects.toThrow("is not a blob key");
        await expect(store.read(key)).rejects.toThrow("is not a blob key");
      }
    });
  });
}
