import { gzipSync } from "node:zlib";
import type { Random } from "./random.ts";

/**
 * Ways to damage a demo file. Format: 16 bytes head, then frames of three varints — command, tick, payload bytes — and the
 * payload. Most payloads of the fixtures are not compressed, so that changed bytes reach the parser's messages.
 */

interface Frame {
  start: number;
  /** Where each of the three varints begins, and where the payload does. */
  command: number;
  tick: number;
  size: number;
  payload: number;
  end: number;
}

const headBytes = 16;

function framesOf(demo: Buffer): Frame[] {
  const frames: Frame[] = [];
  let at = headBytes;
  const varint = () => {
    let value = 0;
    for (let shift = 0; at < demo.length; shift += 7) {
      const byte = demo[at++]!;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) break;
    }
    return value;
  };
  while (at < demo.length) {
    const start = at;
    varint();
    const tick = at;
    varint();
    const size = at;
    const bytes = varint();
    const payload = at;
    at += bytes;
    frames.push({ start, command: start, tick, size, payload, end: Math.min(at, demo.length) });
  }
  return frames;
}

/** A whole number as the format has it. */
function varintOf(value: bigint): Buffer {
  const bytes: number[] = [];
  let left = value;
  do {
    bytes.push(Number(left & 0x7fn) | (left > 0x7fn ? 0x80 : 0));
    left >>= 7n;
  } while (left > 0n);
  return Buffer.from(bytes);
}

function replaced(demo: Buffer, start: number, end: number, by: Uint8Array): Buffer {
  return Buffer.concat([demo.subarray(0, start), by, demo.subarray(end)]);
}

const extremes = [
  0n,
  1n,
  127n,
  128n,
  2n ** 16n,
  2n ** 31n - 1n,
  2n ** 31n,
  2n ** 32n - 1n,
  2n ** 40n,
  2n ** 63n - 1n,
  2n ** 64n - 1n,
];

interface Material {
  demo: Buffer;
  /** Another demo, for what is put together of two. */
  other: Buffer;
  /** Packed as it came, in one of the three ways. */
  packed: Buffer;
  random: Random;
}

type Mutation = (material: Material) => Buffer;

function flippedBits(demo: Buffer, count: number, random: Random, from = 0): Buffer {
  const copy = Buffer.from(demo);
  for (let flip = 0; flip < count; flip++) {
    const at = random.whole(from, copy.length - 1);
    copy[at] = copy[at]! ^ (1 << random.whole(0, 7));
  }
  return copy;
}

/** Does something to some frames, written one after the other. */
function withFrames(demo: Buffer, act: (frames: Frame[]) => Frame[]): Buffer {
  const kept = act(framesOf(demo));
  return Buffer.concat([demo.subarray(0, headBytes), ...kept.map(({ start, end }) => demo.subarray(start, end))]);
}

function withVarint(field: "command" | "tick" | "size"): Mutation {
  return ({ demo, random }) => {
    const frame = random.pick(framesOf(demo));
    const end = field === "command" ? frame.tick : field === "tick" ? frame.size : frame.payload;
    return replaced(demo, frame[field], end, varintOf(random.pick(extremes)));
  };
}

export const mutations: Record<string, Mutation> = {
  "one bit": ({ demo, random }) => flippedBits(demo, 1, random),
  "some bits": ({ demo, random }) => flippedBits(demo, random.whole(2, 50), random),
  "many bits": ({ demo, random }) =>
    flippedBits(demo, Math.ceil(demo.length / random.whole(200, 5000)), random, headBytes),
  "bits of the beginning": ({ demo, random }) => {
    const beginning = Math.min(demo.length, 200_000);
    return Buffer.concat([
      flippedBits(demo.subarray(0, beginning), random.whole(1, 20), random),
      demo.subarray(beginning),
    ]);
  },
  "bytes of noise": ({ demo, random }) => {
    const copy = Buffer.from(demo);
    random.bytes(random.whole(1, 2000)).copy(copy, random.whole(headBytes, copy.length - 1));
    return copy;
  },
  zeros: ({ demo, random }) => {
    const copy = Buffer.from(demo);
    const start = random.whole(headBytes, copy.length - 1);
    return copy.fill(0, start, Math.min(copy.length, start + random.whole(1, 50_000)));
  },
  "an end too early": ({ demo, random }) => demo.subarray(0, random.whole(1, demo.length - 1)),
  "an end within the head": ({ demo, random }) => demo.subarray(0, random.whole(1, 200)),
  "more behind the end": ({ demo, random }) => Buffer.concat([demo, random.bytes(random.whole(1, 5000))]),
  "bytes left out": ({ demo, random }) => {
    const start = random.whole(headBytes, demo.length - 2);
    return replaced(demo, start, start + random.whole(1, 1000), Buffer.alloc(0));
  },
  "bytes put in": ({ demo, random }) => {
    const at = random.whole(headBytes, demo.length - 1);
    return replaced(demo, at, at, random.bytes(random.whole(1, 1000)));
  },
  "frames twice": ({ demo, random }) =>
    withFrames(demo, (frames) => frames.flatMap((frame) => (random.fraction() < 0.01 ? [frame, frame] : [frame]))),
  "frames left out": ({ demo, random }) => {
    const share = random.pick([0.001, 0.01, 0.1, 0.5]);
    return withFrames(demo, (frames) => frames.filter(() => random.fraction() >= share));
  },
  "frames of the beginning left out": ({ demo, random }) => {
    const gone = random.whole(0, 12);
    return withFrames(demo, (frames) => frames.filter((_, place) => place !== gone));
  },
  "frames in another order": ({ demo, random }) =>
    withFrames(demo, (frames) => {
      const first = random.whole(0, frames.length - 1);
      const last = Math.min(frames.length, first + random.whole(2, 5000));
      return [
        ...frames.slice(0, first),
        ...random.sample(frames.slice(first, last), last - first),
        ...frames.slice(last),
      ];
    }),
  "frames backwards": ({ demo }) =>
    withFrames(demo, (frames) => [...frames.slice(0, 20), ...frames.slice(20).reverse()]),
  "a part again and again": ({ demo, random }) =>
    withFrames(demo, (frames) => {
      const first = random.whole(20, frames.length - 1);
      const part = frames.slice(first, first + 500);
      return [...frames.slice(0, first), ...Array.from({ length: 20 }, () => part).flat(), ...frames.slice(first)];
    }),
  "the demo twice": ({ demo }) => Buffer.concat([demo, demo.subarray(headBytes)]),
  "another command": withVarint("command"),
  "an extreme tick": withVarint("tick"),
  "a wrong length": withVarint("size"),
  "all ticks moved": ({ demo, random }) => {
    const moved = random.pick([1_000_000n, 2n ** 31n - 200_000n, 2n ** 32n - 300_000n]);
    const frames = framesOf(demo);
    const parts = frames.map(({ start, tick, size, end }) => {
      const bytes = demo.subarray(tick, size);
      const old = bytes.reduce((sum, byte, place) => sum + (BigInt(byte & 0x7f) << BigInt(7 * place)), 0n);
      const isBeforeFirst = old >= 2n ** 31n;
      return Buffer.concat([
        demo.subarray(start, tick),
        isBeforeFirst ? bytes : varintOf((old + moved) & (2n ** 32n - 1n)),
        demo.subarray(size, end),
      ]);
    });
    return Buffer.concat([demo.subarray(0, headBytes), ...parts]);
  },
  "huge numbers in messages": ({ demo, random }) => {
    const copy = Buffer.from(demo);
    for (let count = random.whole(1, 30); count > 0; count--) {
      const { payload, end } = random.pick(framesOf(demo));
      if (end - payload > 12) copy.fill(0xff, payload + random.whole(0, 4), payload + random.whole(5, 12));
    }
    return copy;
  },
  "a length in a message": ({ demo, random }) => {
    const frame = random.pick(framesOf(demo).filter(({ payload, end }) => end - payload > 40));
    const at = random.whole(frame.payload, frame.end - 6);
    const copy = Buffer.from(demo);
    varintOf(random.pick(extremes)).copy(copy, at, 0, 5);
    return copy;
  },
  "the flag of packed frames turned": ({ demo, random }) => {
    const copy = Buffer.from(demo);
    for (const { command } of random.sample(framesOf(demo), random.whole(1, 20))) copy[command] = copy[command]! ^ 0x40;
    return copy;
  },
  "two demos put together": ({ demo, other, random }) => {
    const at = random.pick(framesOf(demo)).start;
    return Buffer.concat([demo.subarray(0, at), other.subarray(random.pick(framesOf(other)).start)]);
  },
  "another demo's beginning": ({ demo, other }) => {
    const [ownFrames, otherFrames] = [framesOf(demo), framesOf(other)];
    return Buffer.concat([other.subarray(0, otherFrames[10]?.start), demo.subarray(ownFrames[10]?.start)]);
  },
  "another head": ({ demo, random }) =>
    replaced(demo, 0, headBytes, Buffer.concat([Buffer.from("PBDEMS2\0"), random.bytes(8)])),
  "no head": ({ demo }) => demo.subarray(headBytes),
  "packed with gzip, bits changed": ({ demo, random }) =>
    flippedBits(gzipSync(demo, { level: 1 }), random.whole(1, 5), random),
  "packed with gzip, an end too early": ({ demo, random }) => {
    const packed = gzipSync(demo, { level: 1 });
    return packed.subarray(0, random.whole(20, packed.length - 1));
  },
  "packed with gzip twice": ({ demo }) => gzipSync(gzipSync(demo, { level: 1 })),
  "packed with gzip, noise behind": ({ demo, random }) =>
    Buffer.concat([gzipSync(demo, { level: 1 }), random.bytes(100)]),
  "packed with gzip, in two parts": ({ demo, random }) => {
    const at = random.whole(1, demo.length - 1);
    return Buffer.concat([gzipSync(demo.subarray(0, at)), gzipSync(demo.subarray(at))]);
  },
  "damaged, then packed with gzip": ({ demo, random }) => gzipSync(flippedBits(demo, 10, random), { level: 1 }),
  "as it was packed, bits changed": ({ packed, random }) => flippedBits(packed, random.whole(1, 5), random),
  "as it was packed, an end too early": ({ packed, random }) => packed.subarray(0, random.whole(20, packed.length - 1)),
  "as it was packed, bytes of noise": ({ packed, random }) => {
    const copy = Buffer.from(packed);
    random.bytes(random.whole(1, 2000)).copy(copy, random.whole(4, copy.length - 1));
    return copy;
  },
};
