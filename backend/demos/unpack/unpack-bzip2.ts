import Bzip2 from "@foxglove/wasm-bz2";
import { DemoImportError } from "../demo-import-error.ts";

/**
 * Unpacks bzip2 in bounded memory: the file is cut into its blocks, which are independent, and each is unpacked as a small file by the
 * reference library (as WebAssembly, which only takes whole buffers). Decision 033.
 *
 * Format: "BZh" and a level digit; blocks, each beginning with 48 bits of pi and its checksum, at any bit; 48 bits of the square root of pi
 * and the checksum over all blocks; then, from the next whole byte, optionally another stream.
 */
const blockMagic = 0x314159265359n;
const endMagic = 0x177245385090n;
const magicBits = 48;
const checksumBits = 32;

/** Typical blocks unpack to slightly over 900 kB. */
const usualBlockBytes = 2 ** 21;
/** The most a block can contain: 900 000 bytes in which every five stand for 259 equal ones. */
const maxBlockBytes = 47_000_000;
/** 900 000 bytes grow slightly when they cannot be compressed; anything longer is no block. */
const maxPackedBlockBytes = 1_200_000;
/** The library's error code for too small an output buffer (BZ_OUTBUFF_FULL). */
const outputTooSmall = "-8";

/** Shared by the process, since an instance takes 16 MB of memory and installs handlers for uncaught errors. */
let library: Promise<Bzip2> | undefined;

/**
 * Unpacks a bzip2 file from chunks, including several streams one after the other.
 * @throws DemoImportError `cut_off` when it ends too early, `corrupt_archive` when it is damaged
 */
export async function* unpackBzip2(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  library ??= Bzip2.init();
  const window = new BitWindow();
  const stream = new Bzip2Stream(await library);
  for await (const piece of source) {
    window.append(piece);
    yield* stream.unpackFrom(window, false);
    // The rest of the source is not read.
    if (stream.isOver) return;
  }
  yield* stream.unpackFrom(window, true);
}

/** Reading position: before a stream's head, or within a stream at the beginning of a block. */
class Bzip2Stream {
  private readonly library: Bzip2;
  private state: "head" | "magic" | "over" = "head";
  private level = 0x39;
  private checksum = 0;
  private streams = 0;

  constructor(library: Bzip2) {
    this.library = library;
  }

  /** Something other than a stream follows the last one. */
  get isOver(): boolean {
    return this.state === "over";
  }

  *unpackFrom(window: BitWindow, isLast: boolean): Generator<Uint8Array> {
    while (this.state !== "over") {
      if (this.state === "head" && !this.readHead(window, isLast)) return;
      if (this.state !== "magic") continue;
      const available = window.bits;
      const magic = available >= magicBits ? window.readBig(0, magicBits) : null;
      if (magic === endMagic && available >= magicBits + checksumBits) {
        if (window.readNumber(magicBits, checksumBits) !== this.checksum) throw new DemoImportError("corrupt_archive");
        window.dropToByte(magicBits + checksumBits);
        this.state = "head";
      } else if (magic === blockMagic) {
        const block = this.nextBlock(window, isLast);
        if (!block) return;
        yield block;
      } else {
        if (isLast) throw new DemoImportError("cut_off");
        if (magic !== null && magic !== endMagic) throw new DemoImportError("corrupt_archive");
        return;
      }
    }
  }

  /** False when more bytes are needed. Bytes after the last stream that are no stream are ignored, as bzip2 does. */
  private readHead(window: BitWindow, isLast: boolean): boolean {
    if (window.bits < 32) {
      if (isLast && this.streams === 0) throw new DemoImportError("cut_off");
      if (isLast) this.state = "over";
      return isLast;
    }
    const isHead = window.readNumber(0, 24) === 0x425a68;
    const level = window.readNumber(24, 8);
    if (!isHead || level < 0x31 || level > 0x39) {
      if (this.streams === 0) throw new DemoImportError("corrupt_archive");
      this.state = "over";
      return true;
    }
    window.dropToByte(32);
    this.level = level;
    this.checksum = 0;
    this.streams++;
    this.state = "magic";
    return true;
  }

  /**
   * Unpacks the block at the window's beginning, up to the next magic number; null when more bytes are needed. Magic numbers can occur
   * within a block by chance, so a block that does not unpack is tried again up to the number after that.
   */
  private nextBlock(window: BitWindow, isLast: boolean): Uint8Array | null {
    const blockChecksum = window.readNumber(magicBits, checksumBits);
    let from = magicBits + checksumBits;
    for (;;) {
      const next = window.findMagic(from);
      if (next === null) {
        if (isLast) throw new DemoImportError(from === magicBits + checksumBits ? "cut_off" : "corrupt_archive");
        if (window.bits > maxPackedBlockBytes * 8) throw new DemoImportError("corrupt_archive");
        return null;
      }
      const unpacked = this.unpackBlock(window, next, blockChecksum);
      if (unpacked) {
        window.drop(next);
        this.checksum = (((this.checksum << 1) | (this.checksum >>> 31)) ^ blockChecksum) >>> 0;
        return unpacked;
      }
      if (next > maxPackedBlockBytes * 8) throw new DemoImportError("corrupt_archive");
      from = next + 1;
    }
  }

  private unpackBlock(window: BitWindow, end: number, checksum: number): Uint8Array | null {
    const file = window.asFile(this.level, end, checksum);
    for (const size of [usualBlockBytes, maxBlockBytes]) {
      try {
        return this.library.decompress(file, size);
      } catch (error) {
        if (!String(error).includes(`: ${outputTooSmall} `)) return null;
      }
    }
    return null;
  }
}

/** Bytes that are read but not unpacked yet, addressed by bits from the reading position. */
class BitWindow {
  private bytes = new Uint8Array(0);
  /** Bits of the first byte that are already used. */
  private offset = 0;

  get bits(): number {
    return this.bytes.length * 8 - this.offset;
  }

  append(piece: Uint8Array): void {
    const joined = new Uint8Array(this.bytes.length + piece.length);
    joined.set(this.bytes);
    joined.set(piece, this.bytes.length);
    this.bytes = joined;
  }

  drop(bits: number): void {
    const end = this.offset + bits;
    this.bytes = this.bytes.subarray(end >> 3);
    this.offset = end & 7;
  }

  dropToByte(bits: number): void {
    const end = this.offset + bits;
    this.bytes = this.bytes.subarray((end + 7) >> 3);
    this.offset = 0;
  }

  readNumber(bit: number, count: number): number {
    return Number(this.readBig(bit, count));
  }

  readBig(bit: number, count: number): bigint {
    const start = this.offset + bit;
    let value = 0n;
    for (let at = start >> 3; at <= (start + count - 1) >> 3; at++) value = (value << 8n) | BigInt(this.bytes[at] ?? 0);
    const after = 7 - ((start + count - 1) & 7);
    return (value >> BigInt(after)) & ((1n << BigInt(count)) - 1n);
  }

  /** The first bit, at or after `from`, at which a block or the end of a stream begins. */
  findMagic(from: number): number | null {
    const bytes = this.bytes;
    const start = this.offset + from;
    // The second byte of a magic number at bit 8n + shift determines which shifts are possible.
    for (let at = (start >> 3) + 1; at + 6 <= bytes.length; at++) {
      const shifts = possibleShifts[bytes[at]!]!;
      if (shifts === 0) continue;
      for (let shift = 0; shift < 8; shift++) {
        if ((shifts & (1 << shift)) === 0) continue;
        const bit = (at - 1) * 8 + shift - this.offset;
        if (bit < from || bit + magicBits > this.bits) continue;
        const value = this.readBig(bit, magicBits);
        if (value === blockMagic || value === endMagic) return bit;
      }
    }
    return null;
  }

  /** The bits up to `end` as a bzip2 file with a single block. */
  asFile(level: number, end: number, checksum: number): Uint8Array {
    const file = new Uint8Array(4 + ((end + magicBits + checksumBits + 7) >> 3));
    file.set([0x42, 0x5a, 0x68, level]);
    const whole = (end + 7) >> 3;
    for (let index = 0; index < whole; index++) {
      const high = this.bytes[index]! << this.offset;
      const low = (this.bytes[index + 1] ?? 0) >> (8 - this.offset);
      file[4 + index] = high | low;
    }
    // Bits copied beyond the end of the block are overwritten by the end of the file.
    if (end & 7) file[4 + (end >> 3)]! &= 0xff << (8 - (end & 7));
    else file.fill(0, 4 + (end >> 3));
    const tail = (endMagic << BigInt(checksumBits)) | BigInt(checksum);
    const tailBits = magicBits + checksumBits;
    for (let bit = 0; bit < tailBits; bit++) {
      if ((tail >> BigInt(tailBits - 1 - bit)) & 1n) file[4 + ((end + bit) >> 3)]! |= 0x80 >> ((end + bit) & 7);
    }
    return file;
  }
}

const possibleShifts = Uint8Array.from({ length: 256 }, (_, byte) => {
  let shifts = 0;
  for (let shift = 0; shift < 8; shift++) {
    for (const magic of [blockMagic, endMagic]) {
      if (Number((magic >> BigInt(magicBits - 16 + shift)) & 0xffn) === byte) shifts |= 1 << shift;
    }
  }
  return shifts;
});
