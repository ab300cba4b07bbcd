import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { open, rm, stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { DemoImportError, fromFileSystem, writtenBytes } from "../demo-import-error.ts";
import { type DemoFileFormat, formatOf, sniffedBytes } from "./demo-format.ts";
import { unpackBzip2 } from "./unpack-bzip2.ts";
import { unpackZstd } from "./unpack-zstd.ts";

export interface UnpackOptions {
  /** Limit of the unpacked demo. */
  maxBytes: number;
  /** Called while the packed file is read. */
  onProgress?: (progress: { readBytes: number; totalBytes: number }) => void;
}

export interface UnpackedDemo {
  /** Path of the demo: `targetPath`, or the given file itself if it was not packed. */
  path: string;
  format: DemoFileFormat;
  bytes: number;
  /** SHA-256 of the unpacked demo, hexadecimal. */
  sha256: string;
}

const readBytesAtOnce = 1 << 20;

/**
 * Unpacks a downloaded file into a demo and hashes it at the same time; a plain demo is only hashed. The format is recognised by the first
 * bytes, never by the name. Nothing is left at `targetPath` after a failure.
 * @throws DemoImportError what is wrong with the file
 */
export async function unpackDemo(
  sourcePath: string,
  targetPath: string,
  options: UnpackOptions,
): Promise<UnpackedDemo> {
  const totalBytes = (await stat(sourcePath)).size;
  const format = formatOf(await firstBytes(sourcePath));
  const source = countedFile(sourcePath, totalBytes, options.onProgress);
  const demo = new DemoStream(options.maxBytes);
  if (format === "plain") {
    for await (const _ of demo.check(source));
    return { path: sourcePath, format, bytes: demo.bytes, sha256: demo.digest() };
  }
  try {
    await pipeline(demo.check(unpackers[format](source)), createWriteStream(targetPath));
  } catch (error) {
    await rm(targetPath, { force: true });
    throw fromFileSystem(fromUnpacker(error));
  }
  return { path: targetPath, format, bytes: demo.bytes, sha256: demo.digest() };
}

async function firstBytes(path: string): Promise<Uint8Array> {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(sniffedBytes), 0, sniffedBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function* countedFile(
  path: string,
  totalBytes: number,
  onProgress: UnpackOptions["onProgress"],
): AsyncGenerator<Uint8Array> {
  let readBytes = 0;
  for await (const piece of createReadStream(path, { highWaterMark: readBytesAtOnce })) {
    readBytes += piece.length;
    onProgress?.({ readBytes, totalBytes });
    yield piece as Uint8Array;
  }
}

/** Passes a demo through while it counts, hashes and checks its first bytes, so that a wrong file fails at once. */
class DemoStream {
  bytes = 0;
  private readonly maxBytes: number;
  private readonly hash = createHash("sha256");

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  async *check(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let head: Uint8Array | null = new Uint8Array(0);
    for await (const piece of source) {
      if (piece.length === 0) continue;
      this.bytes += piece.length;
      if (this.bytes > this.maxBytes) throw new DemoImportError("too_large", { limit: writtenBytes(this.maxBytes) });
      this.hash.update(piece);
      if (head) {
        head = Buffer.concat([head, piece.subarray(0, sniffedBytes)]);
        if (head.length >= sniffedBytes) head = isPlainDemo(head);
      }
      yield piece;
    }
    if (head) isPlainDemo(head);
  }

  digest(): string {
    return this.hash.digest("hex");
  }
}

/** An archive must contain the demo itself, not another archive. Returns null once that is certain. */
function isPlainDemo(head: Uint8Array): null {
  if (formatOf(head) !== "plain") throw new DemoImportError("not_a_demo");
  return null;
}

const unpackers: Record<
  Exclude<DemoFileFormat, "plain">,
  (source: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>
> = {
  bzip2: unpackBzip2,
  gzip: unpackGzip,
  zstd: unpackZstd,
};

/** zlib reads consecutive members by itself. Errors of both sides reach the reader. */
async function* unpackGzip(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const output = createGunzip({ chunkSize: 1 << 18 });
  const input = Readable.from(source, { objectMode: false });
  input.on("error", (error) => output.destroy(error));
  input.pipe(output);
  try {
    yield* output as AsyncIterable<Buffer>;
  } finally {
    input.destroy();
    output.destroy();
  }
}

/** Turns zlib's errors into ours. */
function fromUnpacker(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException | null)?.code ?? "";
  if (code === "Z_BUF_ERROR") return new DemoImportError("cut_off", {}, error);
  if (code === "Z_MEM_ERROR") return new DemoImportError("out_of_memory", {}, error);
  if (code.startsWith("Z_")) return new DemoImportError("corrupt_archive", {}, error);
  return error;
}
