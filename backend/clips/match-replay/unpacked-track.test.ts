import { gzipSync } from "node:zlib";
import { expect, test, vi } from "vitest";
import { OverloadedError } from "../../overloaded-error.ts";
import { BlobMissingError, type BlobStore } from "../../storage/blob-store.ts";
import { withUnpackedTrack } from "./unpacked-track.ts";

const blobs = {
  async read(key: string) {
    if (key === "gone") throw new BlobMissingError(key);
    return new Response(gzipSync(key)).body;
  },
} as unknown as BlobStore;

/** Reads that end when they are told to. */
function heldReads() {
  const under: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (reader: string, key = "track", signal?: AbortSignal) => {
    const read = async (track: Uint8Array) => {
      under.push(reader);
      await new Promise<void>((resolve) => ends.push(resolve));
      return Buffer.from(track).toString();
    };
    return withUnpackedTrack({ blobs }, key, reader, read, signal);
  };
  const begun = (reads: number) => vi.waitFor(() => expect(under).toHaveLength(reads));
  const endOne = async () => {
    await vi.waitFor(() => expect(ends.length).toBeGreaterThan(0));
    ends.shift()?.();
  };
  return { under, ask, begun, endOne };
}

test("Two tracks at once are unpacked, one of them of the same reader", async () => {
  const { under, ask, begun, endOne } = heldReads();
  const reads = ["a", "a", "b", "c"].map((reader) => ask(reader));
  await begun(2);
  expect(under).toEqual(["a", "b"]);
  await endOne();
  await begun(3);
  expect(under).toEqual(["a", "b", "a"]);
  for (let ended = 1; ended < 4; ended++) await endOne();
  expect(under).toEqual(["a", "b", "a", "c"]);
  expect(await Promise.all(reads)).toEqual(["track", "track", "track", "track"]);
});

test("Who asks for more than can wait is told to come back, and the others go on; so is everybody when the line is long", async () => {
  const { ask, endOne } = heldReads();
  const ofOne = Array.from({ length: 8 }, () => ask("eager"));
  await expect(ask("eager")).rejects.toBeInstanceOf(OverloadedError);
  const others = Array.from({ length: 32 }, (_, index) => ask(`reader ${index}`));
  await expect(ask("one more")).rejects.toMatchObject({ retryAfterSeconds: 5 });
  for (let ended = 0; ended < 40; ended++) await endOne();
  expect((await Promise.all([...ofOne, ...others])).length).toBe(40);
  const late = ask("one more");
  await endOne();
  expect(await late).toBe("track");
});

test("A track that is gone gives its place back", async () => {
  const { ask } = heldReads();
  for (let times = 0; times < 10; times++) expect(await ask("a", "gone")).toBeNull();
});

test("For who has gone nothing is read, whether they wait or have their turn, and others come sooner", async () => {
  const { under, ask, begun, endOne } = heldReads();
  const leaving = new AbortController();
  const first = ask("a");
  const left = [ask("a", "track", leaving.signal), ask("b", "track", leaving.signal)];
  leaving.abort();
  const ended = await Promise.allSettled(left);
  expect(ended.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  const last = ask("b");
  await begun(2);
  expect(under).toEqual(["a", "b"]);
  await endOne();
  await endOne();
  expect(await Promise.all([first, last])).toEqual(["track", "track"]);
});
