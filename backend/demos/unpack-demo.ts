import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { open, rm, stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { DemoImportError, fromFileSystem, writtenBytes } from "./demo-import-error.ts";
import { unpackBzip2 } from "./unpack-bzip2.ts";
import { throughStream, unpackZstd } from "./unpack-zstd.ts";

export type DemoFileFormat = "plain" | "bzip2" | "gzip" | "zstd";

export interface UnpackOptions {
  /** Most bytes of the unpacked demo. */
  maxBytes: number;
  /** Called as the packed file is read. */
  onProgress?: (progress: { readBytes: number; totalBytes: number }) => void;
}

export interface UnpackedDemo {
  /** Where the demo is: `targetPath`, or the given file itself when it was not packed. */
  path: string;
  format: DemoFileFormat;
  bytes: number;
  /** SHA-256 of the unpacked demo, hexadecimal. */
  sha256: string;
}

/** Enough to tell every format, an HTML page with a comment or two before its first element included. */
const sniffedBytes = 1024;
const readBytesAtOnce = 1 << 20;

/**
 * Unpacks a downloaded file into a demo and hashes it on the way; a plain demo is only hashed. What the file is is told by
 * its first bytes, never by its name. Nothing is left at `targetPath` when it fails.
 *
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

/**
 * Tells a file by its first bytes.
 * @throws DemoImportError for everything that is no CS2 demo and no archive we read
 */
export function formatOf(head: Uint8Array): DemoFileFormat {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  const begins = (...values: number[]) => values.every((value, index) => bytes[index] === value);
  if (bytes.length === 0) throw new DemoImportError("empty_file");
  if (bytes.subarray(0, 8).toString("latin1") === "PBDEMS2\0") return "plain";
  if (begins(0x42, 0x5a, 0x68)) return "bzip2";
  if (begins(0x1f, 0x8b)) return "gzip";
  if (begins(0x28, 0xb5, 0x2f, 0xfd)) return "zstd";
  if (bytes.subarray(0, 7).toString("latin1") === "HL2DEMO") throw new DemoImportError("csgo_demo");
  if (begins(0x52, 0x61, 0x72, 0x21)) throw new DemoImportError("unsupported_archive", { format: "RAR" });
  if (begins(0x50, 0x4b, 0x03, 0x04) || begins(0x50, 0x4b, 0x05, 0x06)) {
    throw new DemoImportError("unsupported_archive", { format: "ZIP" });
  }
  if (begins(0x37, 0x7a, 0xbc, 0xaf)) throw new DemoImportError("unsupported_archive", { format: "7z" });
  if (begins(0xfd, 0x37, 0x7a, 0x58)) throw new DemoImportError("unsupported_archive", { format: "XZ" });
  if (looksLikeHtml(bytes)) throw new DemoImportError("html_page");
  throw new DemoImportError("not_a_demo");
}

/** Whether text is a web page: its first element is one of HTML, after white space, comments and an XML head. */
export function looksLikeHtml(head: Uint8Array): boolean {
  const text = Buffer.from(head)
    .toString("utf8")
    .replace(/^\uFEFF/, "")
    .replace(/^(\s|<!--[\s\S]*?-->|<\?xml[\s\S]*?\?>)+/, "");
  return /^<(!doctype\s+html|html|head|body|title|script|meta|div)\b/i.test(text);
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

/** Lets a demo through while it counts, hashes and looks at its first bytes, so that a wrong file ends at once. */
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

/** What is unpacked has to be a demo itself, not a further archive. Returns null once that is sure. */
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

/** zlib reads members that follow each other by itself. */
function unpackGzip(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  return throughStream(source, createGunzip({ chunkSize: 1 << 18 }));
}

/** zlib's errors in our terms. */
function fromUnpacker(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException | null)?.code ?? "";
  if (code === "Z_BUF_ERROR") return new DemoImportError("cut_off", {}, error);
  if (/^(Z_|ZSTD_)/.test(code)) return new DemoImportError("corrupt_archive", {}, error);
  return error;
}
