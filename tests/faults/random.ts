import { createHash } from "node:crypto";

/** Choices that come out the same for the same seed, so that a failure can be run again. */
export class Random {
  readonly seed: string;
  #state: number;

  constructor(seed: string) {
    this.seed = seed;
    this.#state = createHash("sha256").update(seed).digest().readUInt32LE(0);
  }

  /** A source of its own for one purpose: what another draws does not change its choices. */
  fork(purpose: string): Random {
    return new Random(`${this.seed}/${purpose}`);
  }

  /** From 0 to below 1. Algorithm: mulberry32. */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number, both ends included. */
  whole(min: number, max: number): number {
    return min + Math.floor(this.fraction() * (max - min + 1));
  }

  pick<Value>(values: readonly Value[]): Value {
    const value = values[this.whole(0, values.length - 1)];
    if (value === undefined) throw new Error("There is nothing to pick from.");
    return value;
  }

  /** At most `count` of the values, each once, in random order. */
  sample<Value>(values: readonly Value[], count: number): Value[] {
    const left = [...values];
    const taken: Value[] = [];
    while (taken.length < count && left.length > 0) taken.push(...left.splice(this.whole(0, left.length - 1), 1));
    return taken;
  }

  bytes(count: number): Buffer {
    return Buffer.from(Array.from({ length: count }, () => this.whole(0, 255)));
  }
}
