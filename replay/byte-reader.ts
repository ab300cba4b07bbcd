import { type FootprintColumn, ReplayFormatError } from "./track-format.ts";

/** Reads forward; every read past the end throws. */
export class ByteReader {
  private readonly bytes: Uint8Array;
  private at: number;

  constructor(bytes: Uint8Array, at: number) {
    this.bytes = bytes;
    this.at = at;
  }

  get remaining(): number {
    return this.bytes.length - this.at;
  }

  requireAtLeast(count: number): void {
    if (count > this.remaining) throw new ReplayFormatError("it ends too early");
  }

  readJson(): unknown {
    this.requireAtLeast(4);
    const view = new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.byteLength);
    const length = view.getUint32(this.at, true);
    this.at += 4;
    this.requireAtLeast(length);
    const text = this.bytes.subarray(this.at, this.at + length);
    this.at += length;
    try {
      return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(text));
    } catch {
      throw new ReplayFormatError("its text is damaged");
    }
  }

  readSigned(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.bytes[this.at++];
      if (byte === undefined) throw new ReplayFormatError("it ends too early");
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return (value >>> 1) ^ -(value & 1);
    }
    throw new ReplayFormatError("a number in it has no end");
  }

  /** What `writeDifferences` wrote. */
  readDifferences(values: FootprintColumn, start: number, stride: number): void {
    let value = 0;
    for (let index = start; index < values.length; index += stride) {
      value += this.readSigned();
      values[index] = value;
    }
  }
}
