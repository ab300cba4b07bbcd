import { createHash, randomBytes } from "node:crypto";
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { demoFixtures, fixturePath, temporaryFolder } from "../testing/demo-fixtures.ts";
import { unpackBzip2 } from "./unpack-bzip2.ts";
import { unpackDemo } from "./unpack-demo.ts";
import { unpackZstd } from "./unpack-zstd.ts";

const directory = temporaryFolder();
const target = join(directory, "unpacked.dem");
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

function unpack(bytes: Uint8Array, maxBytes = 2 ** 30) {
  const source = join(directory, "source");
  writeFileSync(source, bytes);
  return unpackDemo(source, target, { maxBytes });
}

/** SHA-256 of the fixtures' demos as unpacked by the command line tools. */
const unpackedSha256 = {
  "highlights-reel": "a91f0dd51934048b1c766dcb54c3360e21ab40a67cab39bcbe55d468a9e6fcc6",
  "match-de_mirage": "7d9b83da7146e36a4c54a9bcae32ddf3c23b16760860014ea2d41d519fa8370c",
  "match-de_dust2-overtime": "899b714c86dee2c8667c1e082a4ce2cd5fd62755c1c4b5bac71baa875d867b7e",
} as const;

test.each([
  ["highlights-reel", "gzip"],
  ["match-de_mirage", "bzip2"],
  ["match-de_dust2-overtime", "zstd"],
] as const)("%s unpacks from %s to the bytes it was made from", async (name, format) => {
  const read: number[] = [];
  const unpacked = await unpackDemo(fixturePath(name), target, {
    maxBytes: 2 ** 30,
    onProgress: ({ readBytes, totalBytes }) => read.push(readBytes / totalBytes),
  });
  const bytes = readFileSync(target);
  expect(unpacked).toEqual({ path: target, format, bytes: bytes.length, sha256: unpackedSha256[name] });
  expect(sha256(bytes)).toBe(unpackedSha256[name]);
  expect(read.at(-1)).toBe(1);
});

test("a plain demo stays where it is and has the same SHA-256 as its archive", async () => {
  await unpackDemo(fixturePath("highlights-reel"), target, { maxBytes: 2 ** 30 });
  const plain = join(directory, "plain.dem");
  writeFileSync(plain, readFileSync(target));
  const unpacked = await unpackDemo(plain, join(directory, "not-written"), { maxBytes: 2 ** 30 });
  expect(unpacked).toMatchObject({ path: plain, format: "plain", sha256: unpackedSha256["highlights-reel"] });
  expect(existsSync(join(directory, "not-written"))).toBe(false);
});

const head = Buffer.from("PBDEMS2\0");
const firstPart = Buffer.concat([head, Buffer.from("first part, ".repeat(40))]);
const bothParts = Buffer.concat([firstPart, Buffer.from("second part, ".repeat(40))]);

/** Two parts, each compressed separately by bzip2, concatenated. */
const twoBzip2Streams = Buffer.from(
  "QlpoOTFBWSZTWQ+u0RwAAD9fgEAAQAQQABYCSAAhIFwAIABQoaaYAAqVMgZGTStRGgi9+u7WvkRSSHmBFBGRGRHwjQjYR+LuSKcKEgH12iOA" +
    "QlpoOTFBWSZTWXRkIXYAAO+RgEAELgHcACAAUIGgaAUqg0MTsTkTYmRPRPhNiaE0JkTQnAmxPxdyRThQkHRkIXY=",
  "base64",
);

test("bzip2 streams one after the other are one file, and what follows them is left alone", async () => {
  expect(await unpack(twoBzip2Streams)).toMatchObject({ bytes: bothParts.length, sha256: sha256(bothParts) });
  const trailed = Buffer.concat([twoBzip2Streams, Buffer.from("something else")]);
  expect(await unpack(trailed)).toMatchObject({ sha256: sha256(bothParts) });
  let read = 0;
  async function* endless() {
    yield trailed;
    for (; read < 100; read++) yield Buffer.alloc(100_000);
  }
  for await (const _ of unpackBzip2(endless()));
  expect(read).toBeLessThan(2);
});

test("gzip members one after the other are one file", async () => {
  const bytes = Buffer.concat([gzipSync(firstPart), gzipSync(bothParts.subarray(firstPart.length))]);
  expect(await unpack(bytes)).toMatchObject({ format: "gzip", sha256: sha256(bothParts) });
});

/** Two parts, each a zstd frame, with a skippable frame between them. */
const twoZstdFrames = Buffer.from(
  "KLUv/QRY3QAAoFBCREVNUzIAZmlyc3QgcGFydCwgAQCirxYm4K8LaVAqTRgDAAAAeHl6KLUv/QRYpQAAaHNlY29uZCBwYXJ0LCABAPigzi+HnQKl",
  "base64",
);

test("zstd frames one after the other are one file, skippable ones left out", async () => {
  expect(await unpack(twoZstdFrames)).toMatchObject({ format: "zstd", sha256: sha256(bothParts) });
});

test("a wrong check sum of zstd is noticed although everything unpacks", async () => {
  const wrong = Buffer.from(twoZstdFrames);
  wrong[wrong.length - 1]! ^= 1;
  await expect(unpack(wrong)).rejects.toMatchObject({ code: "corrupt_archive" });
});

test("a skippable frame may come first", async () => {
  const skippable = Buffer.from("502a4d1803000000787878", "hex");
  const bytes = Buffer.concat([skippable, twoZstdFrames]);
  expect(await unpack(bytes)).toMatchObject({ format: "zstd", sha256: sha256(bothParts) });
});

test.each(Object.keys(unpackedSha256) as (keyof typeof unpackedSha256)[])(
  "%s cut anywhere is called cut off, and leaves nothing behind",
  async (name) => {
    const bytes = readFileSync(demoFixtures[name]);
    const size = Math.min(bytes.length, 1_500_000);
    for (const length of [5, 20, 300, Math.floor(size / 2), size - 1]) {
      if (length === bytes.length) continue;
      await expect(unpack(bytes.subarray(0, length)), `${length} bytes`).rejects.toMatchObject({ code: "cut_off" });
      expect(existsSync(target)).toBe(false);
    }
  },
);

test.each(Object.keys(unpackedSha256) as (keyof typeof unpackedSha256)[])(
  "%s with a damaged byte is called damaged, or cut off where the damage hides the end",
  async (name) => {
    const bytes = readFileSync(demoFixtures[name]);
    for (const part of [0.001, 0.31, 0.77]) {
      const damaged = Buffer.from(bytes);
      for (let at = 0; at < 12; at++) damaged[Math.floor(bytes.length * part) + at]! ^= 0xff;
      const error = await unpack(damaged).catch((reason) => reason);
      expect(["corrupt_archive", "cut_off", "not_a_demo"], `${part}: ${error}`).toContain(error.code);
    }
  },
);

/** The head and sixty million zeros, compressed by bzip2 to a hundred bytes. */
const bzip2Bomb = Buffer.from(
  "QlpoOTFBWSZTWTsRU+wFfjjOAMAAEAAWAkgAAAggAFCDJiBNVRozTzJFQEvVSSCqsz/fN5wioCXTFBWSZTWc2EyRsAbAHgAMAAAAgACCAAMMwFKa" +
    "agBS2CAKXi7kinChIXdM3YY=",
  "base64",
);

/** A zstd frame that requests a window size and consists of blocks that repeat one byte. Format: RFC 8878, section 3.1.1. */
function zstdBomb(blocks: number, windowDescriptor: number): Buffer {
  const blockHeader = (isLast: boolean, type: number, size: number) => {
    const value = (isLast ? 1 : 0) | (type << 1) | (size << 3);
    return Buffer.from([value & 0xff, (value >> 8) & 0xff, value >> 16]);
  };
  const repeated = Array.from({ length: blocks }, (_, index) =>
    Buffer.concat([blockHeader(index === blocks - 1, 1, 0x1ffff), Buffer.from([0])]),
  );
  return Buffer.concat([
    Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, windowDescriptor]),
    blockHeader(false, 0, head.length),
    head,
    ...repeated,
  ]);
}

test("bombs end at the cap", async () => {
  const maxBytes = 20_000_000;
  const code = "too_large";
  await expect(unpack(bzip2Bomb, maxBytes)).rejects.toMatchObject({ code });
  await expect(unpack(gzipSync(Buffer.concat([head, Buffer.alloc(60_000_000)])), maxBytes)).rejects.toMatchObject({
    code,
  });
  await expect(unpack(zstdBomb(400, 0x50), maxBytes)).rejects.toMatchObject({ code });
  await expect(unpack(Buffer.concat([head, randomBytes(50_000)]), 40_000)).rejects.toMatchObject({ code });
  expect(existsSync(target)).toBe(false);
});

test("a bomb that does not even look like a demo ends with its first bytes", async () => {
  const read: number[] = [];
  const source = join(directory, "zeros.gz");
  writeFileSync(source, gzipSync(Buffer.concat([randomBytes(4_000_000), Buffer.alloc(50_000_000)])));
  const options = { maxBytes: 2 ** 30, onProgress: ({ readBytes }: { readBytes: number }) => read.push(readBytes) };
  await expect(unpackDemo(source, target, options)).rejects.toMatchObject({ code: "not_a_demo" });
  expect(read.at(-1)).toBeLessThan(4_000_000);
});

test("zstd is handed out block by block, and one that asks for gigabytes of memory is refused", async () => {
  async function largestPiece(bytes: Buffer) {
    async function* whole() {
      yield bytes;
    }
    let largest = 0;
    for await (const piece of unpackZstd(whole())) largest = Math.max(largest, piece.length);
    return largest;
  }
  expect(await largestPiece(zstdBomb(100, 0x50))).toBe(2 ** 17 - 1);
  await expect(largestPiece(zstdBomb(1, 0xa8))).rejects.toMatchObject({ code: "corrupt_archive" });
});

test.each([
  ["nothing", Buffer.alloc(0), "empty_file"],
  ["text", Buffer.from("hello, this is no demo"), "not_a_demo"],
  ["a web page", Buffer.from("\ufeff\n<!DOCTYPE HTML><html>"), "html_page"],
  ["a CS:GO demo", Buffer.from("HL2DEMO\0........"), "csgo_demo"],
  ["a CS:GO demo in gzip", gzipSync(Buffer.from("HL2DEMO\0........")), "csgo_demo"],
  ["a web page in gzip", gzipSync(Buffer.from("<html><body>Not found")), "html_page"],
  ["an archive in an archive", gzipSync(twoBzip2Streams), "not_a_demo"],
  ["an empty archive", gzipSync(Buffer.alloc(0)), "empty_file"],
  ["RAR", Buffer.from("Rar!\x1a\x07\x00", "latin1"), "unsupported_archive"],
  ["ZIP", Buffer.from("PK\x03\x04rest", "latin1"), "unsupported_archive"],
  ["7z", Buffer.from([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]), "unsupported_archive"],
  ["XZ", Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]), "unsupported_archive"],
])("%s has its own sentence", async (_, bytes, code) => {
  await expect(unpack(bytes)).rejects.toMatchObject({ code });
});

test("a full disk is told apart from a bad archive", async () => {
  const source = join(directory, "source.gz");
  writeFileSync(source, gzipSync(bothParts));
  const missing = join(directory, "no", "such", "folder", "x.dem");
  await expect(unpackDemo(source, missing, { maxBytes: 2 ** 30 })).rejects.toMatchObject({ code: "ENOENT" });
  if (!existsSync("/dev/full")) return;
  const full = join(directory, "full");
  symlinkSync("/dev/full", full);
  await expect(unpackDemo(source, full, { maxBytes: 2 ** 30 })).rejects.toMatchObject({ code: "disk_full" });
});
