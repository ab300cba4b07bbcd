import { type FileHandle, open } from "node:fs/promises";
import { firstIndexWhere } from "../../../replay/first-index.ts";

/**
 * The frames of a demo file, without their payloads.
 *
 * Format: a head of 16 bytes (`PBDEMS2\0`, two offsets), then frames of three varints (command, tick, payload bytes) and the payload.
 * Source: EDemoCommands in demo.proto of the game's public protobufs.
 */
export interface DemoFrames {
  /** Ticks of the packets, ascending, without duplicates. */
  packetTicks: Int32Array;
  /** File offsets and ticks of the full packets, which hold the whole state. There is one a minute, and reading can start from each. */
  fullPackets: { tick: number; offset: number }[];
  /** File offsets at which the packets of each tick in `packetTicks` end. */
  packetEnds: Float64Array;
  /** File offset at which the frames that set a recording up (classes, tables, sign-on) end and its packets begin. */
  signonEnd: number;
  /** False when the file breaks off within a frame. */
  complete: boolean;
}

const headBytes = 16;
const command = { stop: 0, packet: 7, fullPacket: 13 } as const;
/** Set in the command when the payload is compressed. */
const compressedFlag = 64;
/** Three varints of at most 5 bytes. */
const maxFrameHeadBytes = 15;

/**
 * Reads the heads of all frames.
 * @throws the file system's errors
 */
export async function readDemoFrames(path: string): Promise<DemoFrames> {
  const file = await open(path, "r");
  try {
    return await walk(file, (await file.stat()).size);
  } finally {
    await file.close();
  }
}

async function walk(file: FileHandle, size: number): Promise<DemoFrames> {
  const ticks: number[] = [];
  const ends: number[] = [];
  const fullPackets: DemoFrames["fullPackets"] = [];
  let signonEnd = headBytes;
  let complete = true;

  const buffer = Buffer.alloc(1 << 20);
  let bufferStart = 0;
  let bufferEnd = 0;
  let offset = headBytes;
  const head: FrameHead = { command: 0, tick: 0, payloadBytes: 0, headBytes: 0 };
  while (offset < size) {
    if (offset + maxFrameHeadBytes > bufferEnd && bufferEnd < size) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, offset);
      bufferStart = offset;
      bufferEnd = offset + bytesRead;
    }
    const readable = readFrameHead(buffer, offset - bufferStart, bufferEnd - bufferStart, head);
    if (!readable || offset + head.headBytes + head.payloadBytes > size) {
      complete = false;
      break;
    }
    const end = offset + head.headBytes + head.payloadBytes;
    if (head.command === command.packet) {
      if (ticks.length > 0 && head.tick <= ticks.at(-1)!) ends[ends.length - 1] = end;
      else {
        ticks.push(head.tick);
        ends.push(end);
      }
    } else if (head.command === command.fullPacket) {
      fullPackets.push({ tick: head.tick, offset });
    }
    if (ticks.length === 0 && fullPackets.length === 0) signonEnd = end;
    if (head.command === command.stop) break;
    offset = end;
  }
  return {
    packetTicks: Int32Array.from(ticks),
    packetEnds: Float64Array.from(ends),
    fullPackets,
    signonEnd,
    complete,
  };
}

interface FrameHead {
  command: number;
  tick: number;
  payloadBytes: number;
  headBytes: number;
}

/** Reads command, tick and payload size into `head`. Returns false when the bytes end too early or are no varints. */
function readFrameHead(bytes: Buffer, start: number, end: number, head: FrameHead): boolean {
  let at = start;
  for (let field = 0; field < 3; field++) {
    let value = 0;
    let shift = 0;
    for (;;) {
      if (at >= end || shift > 28) return false;
      const byte = bytes[at++]!;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
      shift += 7;
    }
    if (field === 0) head.command = value & ~compressedFlag;
    // Ticks before the first one are stored as 2^32 - 1, which reads as -1.
    else if (field === 1) head.tick = value;
    else head.payloadBytes = value >>> 0;
  }
  head.headBytes = at - start;
  return true;
}

/** The last packet tick at or before `tick`; the very first if none is; -1 for an empty list. */
export function packetTickAt(packetTicks: Int32Array, tick: number): number {
  const after = firstIndexWhere(packetTicks, (packetTick) => packetTick > tick);
  return packetTicks[Math.max(0, after - 1)] ?? -1;
}
