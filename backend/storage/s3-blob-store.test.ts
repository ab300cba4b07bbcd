import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AwsClient } from "aws4fetch";
import { expect, test, vi } from "vitest";
import { startHostileHost } from "../../tests/services/hostile-hosts.ts";
import { startS3, type TestS3 } from "../../tests/services/s3.ts";
import { ConfigError, readConfig } from "../config.ts";
import { abortUnfinishedUploads } from "../retention/delete-orphans.ts";
import type { Services } from "../services.ts";
import {
  BlobMissingError,
  type BlobStore,
  BlobStoreFullError,
  PartsGoneError,
  RemoteStoreFullError,
  StoreUnavailableError,
} from "./blob-store.ts";
import { isReachableByVisitors, openBlobStore } from "./open-blob-store.ts";
import { ownBlobs } from "./own-blobs.ts";
import { requireStore } from "./require-store.ts";
import { openS3BlobStore } from "./s3-blob-store.ts";
import { testBlobStore } from "./testing/blob-store-promises.ts";
import { freshDatabase } from "./testing/fresh-database.ts";

const MiB = 1024 ** 2;

async function openStore(changes: Partial<Parameters<typeof openS3BlobStore>[0]> = {}) {
  const s3 = await startS3();
  const temporaryFolder = mkdtempSync(join(tmpdir(), "clutchcast-test-"));
  const store = openS3BlobStore({ ...s3, temporaryFolder, isPublic: true, partBytes: 5 * MiB, ...changes });
  return {
    s3,
    store,
    temporaryFolder,
    async close() {
      expect(readdirSync(temporaryFolder)).toEqual([]);
      rmSync(temporaryFolder, { recursive: true });
      await s3.stop();
    },
  };
}

async function withStore(
  work: (opened: {
    s3: TestS3;
    store: BlobStore;
    put(key: string, bytes: Uint8Array): Promise<string>;
  }) => Promise<void>,
  changes: Partial<Parameters<typeof openS3BlobStore>[0]> = {},
): Promise<void> {
  const { s3, store, close } = await openStore(changes);
  const sources = mkdtempSync(join(tmpdir(), "clutchcast-test-"));
  try {
    await work({
      s3,
      store,
      async put(key, bytes) {
        const source = join(sources, randomBytes(4).toString("hex"));
        writeFileSync(source, bytes);
        await store.putFile(key, source, "video/mp4");
        return source;
      },
    });
  } finally {
    rmSync(sources, { recursive: true });
    await close();
  }
}

testBlobStore("S3", openStore);

test("a big file goes up in parts and comes down whole", async () => {
  await withStore(async ({ s3, store, put }) => {
    const bytes = randomBytes(12 * MiB + 12_345);
    await put("demos/a/demo.bin", bytes);
    expect(s3.requests.filter((request) => request === "PUT /clutchcast/demos/a/demo.bin")).toHaveLength(3);
    expect(await store.stat("demos/a/demo.bin")).toMatchObject({ bytes: bytes.length, contentType: "video/mp4" });
    const back = Buffer.from(await new Response(await store.read("demos/a/demo.bin")).arrayBuffer());
    expect(back.equals(bytes)).toBe(true);
    expect(s3.openUploads()).toBe(0);
  });
});

test("an upload that fails half-way leaves nothing in the store and the file where it was", async () => {
  await withStore(async ({ s3, store, put }) => {
    const source = mkdtempSync(join(tmpdir(), "clutchcast-test-"));
    const path = join(source, "demo");
    writeFileSync(path, randomBytes(11 * MiB));
    await put("warm/up", randomBytes(10));
    const storing = store.putFile("demos/a/demo.bin", path, "application/octet-stream");
    while (s3.openUploads() === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    s3.failNext(507, 1);
    await expect(storing).rejects.toBeInstanceOf(BlobStoreFullError);
    expect(existsSync(path)).toBe(true);
    expect(s3.openUploads()).toBe(0);
    expect(await store.stat("demos/a/demo.bin")).toBeNull();
    rmSync(source, { recursive: true });
  });
});

test("parts of an upload whose worker was killed are given up once it is a day old, and those of others never", async () => {
  await withStore(async ({ s3, store }) => {
    const begin = async (key: string) => {
      const client = new AwsClient({ ...s3, service: "s3" });
      expect((await client.fetch(`${s3.endpoint}/${s3.bucket}/${key}?uploads=`, { method: "POST" })).ok).toBe(true);
    };
    for (const n of [1, 2, 3, 4, 5, 6, 7]) await begin(`demos/${n}/demo.bin`);
    await begin("demos/of another program/file");
    await begin("photos/cat.jpg");
    const { database, remove } = await freshDatabase("embedded");
    const services = (daysAhead: number) =>
      ({ blobs: store, database, now: () => new Date(Date.now() + daysAhead * 24 * 3600_000) }) as Services;
    const { signal } = new AbortController();
    expect(await abortUnfinishedUploads(services(0.9), signal)).toBe(0);
    expect(s3.openUploads()).toBe(9);
    expect(await abortUnfinishedUploads(services(1.1), signal)).toBe(7);
    expect(s3.openUploads()).toBe(2);
    // Not every store supports this call, nor may all credentials make it.
    for (const status of [403, 404, 405, 501]) {
      s3.failNext(status, 1);
      expect(await store.endUploads("demos/", new Date())).toBe(0);
    }
    await remove();
  });
});

test("what a player still sends in parts is not given up, however long ago it was begun", async () => {
  await withStore(async ({ s3, store }) => {
    const [kept = "", left = ""] = [
      await store.beginParts("uploads/kept", "application/octet-stream"),
      await store.beginParts("uploads/left", "application/octet-stream"),
    ];
    expect(await store.endUploads("uploads/", new Date(Date.now() + 1000), new Set([kept]))).toBe(1);
    expect(s3.openUploads()).toBe(1);
    await store.abortParts({ key: "uploads/left", handle: left });
    await store.abortParts({ key: "uploads/kept", handle: kept });
    expect(s3.openUploads()).toBe(0);
  });
});

test("parts that were given up are gone, whatever the store answers to their completion", async () => {
  await withStore(
    async ({ s3, store }) => {
      const blob = { key: "uploads/a", handle: await store.beginParts("uploads/a", "application/octet-stream") };
      s3.failNext(500, 4);
      await expect(store.completeParts(blob, ['"a"'], 4)).rejects.toBeInstanceOf(StoreUnavailableError);
      await store.abortParts(blob);
      // As Ceph does.
      s3.failNext(500, 4);
      await expect(store.completeParts(blob, ['"a"'], 4)).rejects.toBeInstanceOf(PartsGoneError);
    },
    { retryAfterMs: 1 },
  );
});

test("a part that the store has no room for, or does not have as it was stored, says so", async () => {
  await withStore(async ({ s3, store }) => {
    const folder = mkdtempSync(join(tmpdir(), "clutchcast-test-"));
    const path = join(folder, "part");
    writeFileSync(path, randomBytes(6 * MiB));
    const blob = { key: "uploads/a", handle: await store.beginParts("uploads/a", "application/octet-stream") };
    s3.failNext(507, 1);
    await expect(store.putPart(blob, { number: 1, start: 0, path })).rejects.toBeInstanceOf(RemoteStoreFullError);
    const tag = await store.putPart(blob, { number: 1, start: 0, path });
    await expect(store.completeParts(blob, [tag.replace(/\w/, "x")], 6 * MiB)).rejects.toBeInstanceOf(PartsGoneError);
    s3.spoilNextCompletion("lost");
    await store.completeParts(blob, [tag], 6 * MiB);
    expect(s3.objects.get("uploads/a")?.bytes.equals(readFileSync(path))).toBe(true);
    rmSync(folder, { recursive: true });
  });
});

test("a completion whose answer was lost, or that says trouble in an answer that began well, is repeated and ends well", async () => {
  await withStore(
    async ({ s3, put }) => {
      for (const [index, how] of (["lost", { code: "InternalError" }, { code: "SlowDown" }] as const).entries()) {
        const bytes = randomBytes(6 * MiB);
        s3.spoilNextCompletion(how);
        await put(`demos/${index}/demo.bin`, bytes);
        expect(s3.objects.get(`demos/${index}/demo.bin`)?.bytes.equals(bytes)).toBe(true);
      }
      s3.spoilNextCompletion({ code: "EntityTooSmall" });
      await expect(put("demos/3/demo.bin", randomBytes(6 * MiB))).rejects.toThrow("EntityTooSmall");
      expect(s3.openUploads()).toBe(0);
    },
    { retryAfterMs: 1 },
  );
});

test("an upload that is gone without its object is an error", async () => {
  await withStore(async ({ s3, put }) => {
    s3.spoilNextCompletion({ code: "NoSuchUpload" });
    await expect(put("demos/a/demo.bin", randomBytes(6 * MiB))).rejects.toThrow("NoSuchUpload");
  });
});

test("what lies in the bucket and is no blob is in no list", async () => {
  await withStore(async ({ s3, store, put }) => {
    for (const key of ["clips/1/video-1.mp4", "clips/2/video-1.mp4", "demos/a/track-1.bin"])
      await put(key, Buffer.from(key));
    const [stranger] = s3.objects.values();
    for (const key of ["backups/my backup.tar", "clips/", "clips/1/", "demos/a b", "notes.txt"])
      s3.objects.set(key, stranger!);
    const keys: string[] = [];
    for await (const key of store.list("clips/")) keys.push(key);
    expect(keys).toEqual(["clips/1/video-1.mp4", "clips/2/video-1.mp4"]);
    const own: string[] = [];
    for await (const { key } of ownBlobs(store)) own.push(key);
    expect(own).toEqual(["clips/1/video-1.mp4", "clips/2/video-1.mp4", "demos/a/track-1.bin"]);
    const later: string[] = [];
    for await (const { key } of ownBlobs(store, "clips/1/video-1.mp4")) later.push(key);
    expect(later).toEqual(own.slice(1));
  });
});

test("a store in trouble for a moment is asked again", async () => {
  await withStore(async ({ s3, store, put }) => {
    s3.failNext(503, 2);
    await put("tracks/a.bin", Buffer.from("track"));
    s3.failNext(500, 1);
    expect(await new Response(await store.read("tracks/a.bin")).text()).toBe("track");
  });
});

test("a signed address serves the blob to anyone for its time, with ranges, and nothing else", async () => {
  await withStore(async ({ store, put }) => {
    await put("clips/1/video.mp4", Buffer.from("0123456789"));
    const address = await store.signedUrl("clips/1/video.mp4", { contentType: "video/mp4", seconds: 60 });
    const response = await fetch(address!, { headers: { range: "bytes=2-4" } });
    expect(response.status).toBe(206);
    expect(response.headers.get("content-type")).toBe("video/mp4");
    expect(await response.text()).toBe("234");
    expect((await fetch(address!.replace("/1/", "/2/"))).status).toBe(403);
    expect((await fetch(address!, { method: "DELETE" })).status).toBe(403);
    const short = await store.signedUrl("clips/1/video.mp4", { contentType: "video/mp4", seconds: 1 });
    while ((await fetch(short!)).status === 200) await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await fetch(short!)).status).toBe(403);
  });
});

test("a store that is away, stays in trouble or refuses us is told from a blob that is missing, and comes back", async () => {
  await withStore(
    async ({ s3, store, put }) => {
      await put("tracks/a.bin", Buffer.from("track"));
      s3.failNext(503, 4);
      await expect(store.stat("tracks/a.bin")).rejects.toThrow(StoreUnavailableError);
      s3.failNext(403, 1);
      await expect(store.openLocal("tracks/a.bin")).rejects.toThrow(StoreUnavailableError);
      await s3.halt();
      await expect(store.read("tracks/a.bin")).rejects.toThrow(StoreUnavailableError);
      await s3.resume();
      expect(await store.stat("tracks/b.bin")).toBeNull();
      expect(await new Response(await store.read("tracks/a.bin")).text()).toBe("track");
    },
    { retryAfterMs: 10 },
  );
});

test("a store without room, or over its quota, says so before the next work is begun, until there is room", async () => {
  for (const refusal of [undefined, { status: 403, code: "QuotaExceeded" }]) {
    await withStore(async ({ s3, store, put }) => {
      s3.capacity(1, refusal);
      await put("tracks/a.bin", Buffer.from("track"));
      await store.probe();
      await expect(put("tracks/b.bin", Buffer.from("other"))).rejects.toThrow(RemoteStoreFullError);
      await expect(store.probe()).rejects.toThrow(RemoteStoreFullError);
      const asked = s3.requests.filter((request) => request.startsWith("PUT"));
      await expect(store.probe()).rejects.toThrow(RemoteStoreFullError);
      expect(s3.requests.filter((request) => request.startsWith("PUT"))).toEqual(asked);
      // A deletion is not part of unfinished work.
      await store.delete("tracks/a.bin");
      vi.spyOn(performance, "now").mockReturnValue(performance.now() + 60_000);
      await store.probe();
      vi.restoreAllMocks();
      expect([...s3.objects.keys()]).toEqual([]);
      await put("tracks/b.bin", Buffer.from("other"));
    });
  }
});

test("a missing blob is told by the store alone: not by a bucket that is gone, nor by a proxy without a store", async () => {
  const proxy = await startHostileHost((socket) =>
    socket.end("HTTP/1.1 404 Not Found\r\nContent-Length: 9\r\nConnection: close\r\n\r\nNot Found"),
  );
  for (const changes of [{ bucket: "another" }, { endpoint: `http://${proxy.host}` }]) {
    await withStore(async ({ store, put }) => {
      await expect(store.stat("tracks/a.bin")).rejects.toThrow(StoreUnavailableError);
      await expect(store.read("tracks/a.bin")).rejects.toThrow(StoreUnavailableError);
      await expect(store.openLocal("tracks/a.bin")).rejects.toThrow(StoreUnavailableError);
      await expect(store.delete("tracks/a.bin")).rejects.toThrow(StoreUnavailableError);
      await expect(put("tracks/a.bin", Buffer.from("track"))).rejects.toThrow(StoreUnavailableError);
      await expect(requireStore({ blobs: store })).rejects.toThrow(StoreUnavailableError);
    }, changes);
  }
  await proxy.close();
  await withStore(async ({ s3, store }) => {
    // However long this takes, the clock stands still.
    vi.spyOn(performance, "now").mockReturnValue(performance.now());
    await requireStore({ blobs: store });
    for (let times = 0; times < 3; times++) expect(await store.stat("tracks/a.bin")).toBeNull();
    await expect(store.read("tracks/a.bin")).rejects.toThrow(BlobMissingError);
    vi.restoreAllMocks();
    // A missing object needs no second request while the bucket was seen a moment ago.
    expect(s3.requests.filter((request) => request.endsWith("/clutchcast"))).toHaveLength(1);
  });
});

test("wrong credentials are an error, not a missing blob", async () => {
  await withStore(
    async ({ store }) => {
      await expect(store.stat("clips/1/video.mp4")).rejects.toThrow("403");
      await expect(store.read("clips/1/video.mp4")).rejects.toThrow("403 SignatureDoesNotMatch");
    },
    { secretAccessKey: "another" },
  );
});

test("a store that visitors do not reach gives no signed address", async () => {
  await withStore(
    async ({ store }) => {
      expect(await store.signedUrl("clips/1/video.mp4", { contentType: "video/mp4", seconds: 60 })).toBeNull();
    },
    { isPublic: false },
  );
  expect(isReachableByVisitors("https://s3.eu-central-1.amazonaws.com", "https://clips.example")).toBe(true);
  expect(isReachableByVisitors("http://store:9000", "https://clips.example")).toBe(false);
  expect(isReachableByVisitors("http://127.0.0.1:9000", "https://clips.example")).toBe(false);
  expect(isReachableByVisitors("http://127.0.0.1:9000", undefined)).toBe(true);
});

test("half of the S3 settings is an error that names them all", async () => {
  const config = readConfig({ S3_BUCKET: "clips", S3_ENDPOINT: "http://127.0.0.1:1" });
  await expect(openBlobStore(config, tmpdir())).rejects.toThrow(ConfigError);
  await expect(openBlobStore(config, tmpdir())).rejects.toThrow("S3_SECRET_ACCESS_KEY belong together");
});
