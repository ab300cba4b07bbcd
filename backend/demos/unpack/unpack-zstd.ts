import { ZSTDDecoder } from "zstddec/stream";
import { DemoImportError } from "../demo-import-error.ts";

/** Format: RFC 8878, section 3.1. */
const frameMagic = 0xfd2fb528;
const skippableMagic = 0x184d2a50;
/** The farthest that a frame of unknown size may refer back; the zstd program has the same limit. */
const maxWindow = 2 ** 27;
/** A call may consume or produce nothing, but not several times in a row. */
const maxCallsForNothing = 3;
const blockType = { raw: 0, rle: 1, compressed: 2 } as const;

/**
 * Unpacks a zstd file from chunks, including several frames one after the other. It works block by block, so that the output per step is
 * limited to 128 kB. Node's own zstd, available since 22.15, silently stops after the first frame (decision 033).
 * @throws DemoImportError `cut_off` when it ends too early, `corrupt_archive` when it is damaged
 */
export async function* unpackZstd(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const bytes = new PieceReader(source);
  const library = new ZSTDDecoder();
  await library.init();
  const unpacker = new BlockUnpacker(library);
  while (!(await bytes.isAtEnd())) {
    const magic = (await bytes.peek(4)).readUInt32LE(0);
    if ((magic & 0xfffffff0) >>> 0 === skippableMagic) {
      await bytes.read(4);
      await bytes.skip((await bytes.read(4)).readUInt32LE(0));
    } else if (magic === frameMagic) {
      yield* unpackFrame(bytes, unpacker);
    } else {
      throw new DemoImportError("corrupt_archive");
    }
  }
  yield* unpacker.finish();
}

async function* unpackFrame(bytes: PieceReader, unpacker: BlockUnpacker): AsyncGenerator<Uint8Array> {
  const head = await readFrameHead(bytes);
  yield* unpacker.push(head.bytes);
  for (let isLast = false; !isLast; ) {
    const blockHead = await bytes.read(3);
    const value = blockHead.readUIntLE(0, 3);
    isLast = (value & 1) === 1;
    const type = (value >> 1) & 3;
    const size = value >> 3;
    if (type > blockType.compressed) throw new DemoImportError("corrupt_archive");
    yield* unpacker.push(Buffer.concat([blockHead, await bytes.read(type === blockType.rle ? 1 : size)]));
  }
  if (head.hasChecksum) yield* unpacker.push(await bytes.read(4));
}

/**
 * The reference library as WebAssembly, which also verifies checksums. It requests the next block while it still hands out the output of
 * earlier ones, and cannot wait, so it is only called while a block is ready. It does not report errors: it then produces nothing, again
 * and again.
 */
class BlockUnpacker {
  private readonly blocks: Uint8Array[] = [];
  private readonly output: Iterator<Uint8Array, void>;

  constructor(library: ZSTDDecoder) {
    this.output = library.decodeStreaming(this.takeBlocks());
  }

  private *takeBlocks(): Generator<Uint8Array> {
    for (let block = this.blocks.shift(); block; block = this.blocks.shift()) yield block;
  }

  /** @param block a frame's head, a block with its head, or a checksum */
  *push(block: Uint8Array): Generator<Uint8Array> {
    this.blocks.push(block);
    yield* this.unpackWhile(() => this.blocks.length > 0);
  }

  *finish(): Generator<Uint8Array> {
    yield* this.unpackWhile(() => true);
  }

  private *unpackWhile(wanted: () => boolean): Generator<Uint8Array> {
    for (let nothingSince = 0; wanted(); nothingSince++) {
      if (nothingSince > maxCallsForNothing) throw new DemoImportError("corrupt_archive");
      const waiting = this.blocks.length;
      const { done, value } = this.next();
      if (done) return;
      if (value.length > 0) yield value;
      if (value.length > 0 || this.blocks.length < waiting) nothingSince = 0;
    }
  }

  private next(): IteratorResult<Uint8Array, void> {
    try {
      return this.output.next();
    } catch (error) {
      throw new DemoImportError("corrupt_archive", {}, error);
    }
  }
}

async function readFrameHead(bytes: PieceReader): Promise<{ bytes: Buffer; hasChecksum: boolean }> {
  const descriptor = (await bytes.peek(5))[4]!;
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const contentSizeBytes = [isSingleSegment ? 1 : 0, 2, 4, 8][descriptor >> 6]!;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3]!;
  const head = await bytes.read(5 + (isSingleSegment ? 0 : 1) + dictionaryBytes + contentSizeBytes);
  const window = isSingleSegment ? readContentSize(head, contentSizeBytes) : readWindow(head[5]!);
  if (window > maxWindow) throw new DemoImportError("corrupt_archive");
  return { bytes: head, hasChecksum: (descriptor & 4) !== 0 };
}

function readWindow(descriptor: number): number {
  return 2 ** (10 + (descriptor >> 3)) * (1 + (descriptor & 7) / 8);
}

/** With a single segment, the window is as large as the content. */
function readContentSize(head: Buffer, size: number): number {
  const at = head.length - size;
  return size === 8 ? Number(head.readBigUInt64LE(at)) : head.readUIntLE(at, size);
}

/** Reads exact numbers of bytes from chunks of any size. */
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
