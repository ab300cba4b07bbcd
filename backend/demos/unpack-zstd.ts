import { Readable } from "node:stream";
import zlib from "node:zlib";
import { Decompress } from "fzstd";
import createXxhash, { type XXHash } from "xxhash-wasm";
import { DemoImportError } from "./demo-import-error.ts";

/** Node has zstd of its own from 22.15 on. */
type ZlibWithZstd = typeof zlib & { createZstdDecompress?: () => NodeJS.ReadWriteStream };

/**
 * Unpacks a zstd file given in pieces, several frames one after the other included.
 * @throws DemoImportError `cut_off` when it ends too early, `corrupt_archive` when it is damaged; zlib's errors
 */
export function unpackZstd(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const native = (zlib as ZlibWithZstd).createZstdDecompress?.();
  return native ? throughStream(source, native) : unpackZstdInJavaScript(source);
}

/** Lets pieces through one of Node's own unpackers. Errors of both sides arrive at the reader. */
export async function* throughStream(
  source: AsyncIterable<Uint8Array>,
  stream: NodeJS.ReadWriteStream,
): AsyncGenerator<Uint8Array> {
  const output = stream as unknown as Readable;
  const input = Readable.from(source, { objectMode: false });
  input.on("error", (error) => output.destroy(error));
  input.pipe(stream);
  try {
    yield* output as AsyncIterable<Buffer>;
  } finally {
    input.destroy();
    output.destroy();
  }
}

/** Format: RFC 8878, section 3.1. */
const frameMagic = 0xfd2fb528;
const skippableMagic = 0x184d2a50;
/** Every frame of a size we cannot know ahead refers back this far at most; the zstd program refuses more as well. */
const largestWindow = 2 ** 27;
const blockType = { raw: 0, rle: 1, compressed: 2 } as const;

/**
 * Unpacks block by block, so that what a piece unpacks to has an end (128 kB a block), and compares the check sums, which
 * the library does not.
 */
export async function* unpackZstdInJavaScript(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const bytes = new PieceReader(source);
  const { create64 } = await createXxhash();
  while (!(await bytes.isAtEnd())) {
    const magic = (await bytes.peek(4)).readUInt32LE(0);
    if ((magic & 0xfffffff0) >>> 0 === skippableMagic) {
      await bytes.read(4);
      await bytes.skip((await bytes.read(4)).readUInt32LE(0));
    } else if (magic === frameMagic) {
      yield* unpackFrame(bytes, create64());
    } else {
      throw new DemoImportError("corrupt_archive");
    }
  }
}

async function* unpackFrame(bytes: PieceReader, hash: XXHash<bigint>): AsyncGenerator<Uint8Array> {
  let unpacked: Uint8Array[] = [];
  const library = new Decompress((piece) => unpacked.push(piece));
  const push = (piece: Uint8Array) => {
    unpacked = [];
    try {
      library.push(piece);
    } catch (error) {
      throw new DemoImportError("corrupt_archive", {}, error);
    }
    // What is handed out may lie in the library's own window, which it writes on.
    return unpacked.filter((part) => part.length > 0).map((part) => part.slice());
  };

  const head = await readFrameHead(bytes);
  push(head.bytes);
  for (let isLast = false; !isLast; ) {
    const blockHead = await bytes.read(3);
    const value = blockHead.readUIntLE(0, 3);
    isLast = (value & 1) === 1;
    const type = (value >> 1) & 3;
    const size = value >> 3;
    if (type > blockType.compressed) throw new DemoImportError("corrupt_archive");
    const block = Buffer.concat([blockHead, await bytes.read(type === blockType.rle ? 1 : size)]);
    for (const piece of push(block)) {
      hash.update(piece);
      yield piece;
    }
  }
  if (!head.hasChecksum) return;
  const checksum = await bytes.read(4);
  for (const piece of push(checksum)) {
    hash.update(piece);
    yield piece;
  }
  if (Number(hash.digest() & 0xffffffffn) !== checksum.readUInt32LE(0)) throw new DemoImportError("corrupt_archive");
}

async function readFrameHead(bytes: PieceReader): Promise<{ bytes: Buffer; hasChecksum: boolean }> {
  const descriptor = (await bytes.peek(5))[4]!;
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const contentSizeBytes = [isSingleSegment ? 1 : 0, 2, 4, 8][descriptor >> 6]!;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3]!;
  const head = await bytes.read(5 + (isSingleSegment ? 0 : 1) + dictionaryBytes + contentSizeBytes);
  const window = isSingleSegment ? readContentSize(head, contentSizeBytes) : readWindow(head[5]!);
  if (window > largestWindow) throw new DemoImportError("corrupt_archive");
  return { bytes: head, hasChecksum: (descriptor & 4) !== 0 };
}

function readWindow(descriptor: number): number {
  return 2 ** (10 + (descriptor >> 3)) * (1 + (descriptor & 7) / 8);
}

/** In a single segment the window is the content. */
function readContentSize(head: Buffer, size: number): number {
  const at = head.length - size;
  return size === 8 ? Number(head.readBigUInt64LE(at)) : head.readUIntLE(at, size);
}

/** Reads exact numbers of bytes out of pieces of any size. */
class PieceReader {
  private readonly pieces: AsyncIterator<Uint8Array>;
  private rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.pieces = source[Symbol.asyncIterator]();
  }

  async isAtEnd(): Promise<boolean> {
    while (this.rest.length === 0) if (!(await this.fill())) return true;
    return false;
  }

  async peek(count: number): Promise<Buffer> {
    while (this.rest.length < count) if (!(await this.fill())) throw new DemoImportError("cut_off");
    return this.rest.subarray(0, count);
  }

  async read(count: number): Promise<Buffer> {
    const bytes = await this.peek(count);
    this.rest = this.rest.subarray(count);
    return bytes;
  }

  async skip(count: number): Promise<void> {
    for (let left = count; left > 0; ) {
      const { length } = await this.read(Math.min(left, Math.max(this.rest.length, 1)));
      left -= length;
    }
  }

  private async fill(): Promise<boolean> {
    const { done, value } = await this.pieces.next();
    if (done) return false;
    const piece = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    this.rest = this.rest.length === 0 ? piece : Buffer.concat([this.rest, piece]);
    return true;
  }
}
