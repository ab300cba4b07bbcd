import type { FootprintColumn } from "./track-format.ts";

/** Bytes that grow as they are written. */
export class ByteWriter {
  private bytes = new Uint8Array(1 << 16);
  private length = 0;

  written(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }

  writeByte(value: number): void {
    this.reserve(1);
    this.bytes[this.length++] = value;
  }

  writeBytes(values: Uint8Array): void {
    this.reserve(values.length);
    this.bytes.set(values, this.length);
    this.length += values.length;
  }

  writeUint32(value: number): void {
    this.reserve(4);
    new DataView(this.bytes.buffer).setUint32(this.length, value, true);
    this.length += 4;
  }

  writeJson(value: unknown): void {
    const text = new TextEncoder().encode(JSON.stringify(value));
    this.writeUint32(text.length);
    this.writeBytes(text);
  }

  /** A 32-bit number: the sign in the lowest bit, then 7 bits a byte, the lowest first. */
  writeSigned(value: number): void {
    this.reserve(5);
    let rest = ((value << 1) ^ (value >> 31)) >>> 0;
    while (rest >= 0x80) {
      this.bytes[this.length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.bytes[this.length++] = rest;
  }

  /** Every `stride`th value from `start` on, as differences to the one before. */
  writeDifferences(values: FootprintColumn, start: number, stride: number): void {
    let before = 0;
    for (let index = start; index < values.length; index += stride) {
      this.writeSigned(values[index]! - before);
      before = values[index]!;
    }
  }

  private reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(this.bytes.length * 2, this.length + count));
    grown.set(this.bytes);
    this.bytes = grown;
  }
}
