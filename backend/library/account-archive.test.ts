import { readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Services } from "../services.ts";
import type { User } from "../storage/schema.ts";
import { type FreshServices, freshServices } from "../storage/testing/fresh-services.ts";
import { guardedStream } from "../waits/guarded-stream.ts";
import { accountArchive } from "./account-archive.ts";

const videoBytes = 20 * 1024 ** 2;
const videos = ["clips/1/video.mp4", "clips/2/video.mp4"];

let fresh: FreshServices;
let user: User;
beforeAll(async () => {
  fresh = await freshServices();
  const { services } = fresh;
  user = await services.database
    .insertInto("users")
    .values({ steam_id: "76561199999900002", steam_name: "archivist" })
    .returningAll()
    .executeTakeFirstOrThrow();
  const source = join(services.scratchDirectory, "video");
  for (const video_key of videos) {
    writeFileSync(source, Buffer.alloc(videoBytes));
    await services.blobs.putFile(video_key, source, "video/mp4");
    const keys = { video_key, poster_key: "clips/gone/poster.jpg", thumbnail_key: "clips/gone/thumbnail.jpg" };
    const drawn = { ...keys, spec: JSON.stringify({ width: 1280, height: 720, framesPerSecond: 60, segments: [] }) };
    await services.database
      .insertInto("clips")
      .values({ user_id: user.id, name: "Ace", settings: "{}", status: "completed", ...drawn })
      .execute();
  }
});
afterAll(() => fresh.remove());

/** Videos of the store that this process has open. */
function openVideos(): string[] {
  return readdirSync("/proc/self/fd").flatMap((descriptor) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${descriptor}`);
      return path.startsWith(fresh.services.config.DATA_DIR) && path.endsWith("video.mp4") ? [path] : [];
    } catch {
      return [];
    }
  });
}

async function beginning(archive: ReadableStream<Uint8Array>): Promise<ReadableStreamDefaultReader<Uint8Array>> {
  const reader = archive.getReader();
  for (let bytes = 0; bytes < videoBytes / 4; ) bytes += (await reader.read()).value!.length;
  return reader;
}

test.runIf(process.platform === "linux")("Who leaves in the middle of an archive leaves no file open", async () => {
  for (const leave of ["abort", "cancel"] as const) {
    const gone = new AbortController();
    const archive = await accountArchive(fresh.services, user);
    const reader = await beginning(guardedStream(archive, { signal: gone.signal }));
    expect(openVideos()).toHaveLength(1);
    if (leave === "abort") gone.abort();
    else await reader.cancel();
    await expect.poll(openVideos, { message: leave }).toEqual([]);
  }
});

test("A file that is opened while its reader leaves is closed again", async () => {
  let opened = () => {};
  let opening = () => {};
  const isOpening = new Promise<void>((resolve) => {
    opening = resolve;
  });
  const told: unknown[] = [];
  const blobs: Services["blobs"] = {
    ...fresh.services.blobs,
    stat: (key) => fresh.services.blobs.stat(key),
    async read() {
      opening();
      await new Promise<void>((resolve) => {
        opened = resolve;
      });
      return new ReadableStream({ cancel: (reason) => void told.push(reason) });
    },
  };
  const reader = (await accountArchive({ ...fresh.services, blobs }, user)).getReader();
  const readOn = (async () => {
    while (!(await reader.read()).done);
  })();
  await isOpening;
  const left = reader.cancel();
  opened();
  await Promise.all([left, readOn]);
  await expect.poll(() => told).toHaveLength(1);
});
