import { RenderError } from "./encode.ts";

/** Hertz of every clip's sound (`encoderArguments`). */
export const sampleRate = 48_000;
/** Samples of a decoded AAC-LC packet. */
export const framesPerPacket = 1024;
/** Packets of ffmpeg's encoder before the first sample, needed to decode it. */
export const primingPackets = 1;

/** The packets of an ADTS stream, each with its header. @throws RenderError when it is no such stream */
export function adtsFrames(stream: Buffer): Buffer[] {
  const frames: Buffer[] = [];
  for (let at = 0; at < stream.length; ) {
    // Twelve bits of sync, then the layer, which is 0. The length has thirteen bits from the 31st on, two of them in the fourth byte.
    const isHeader = at + 7 <= stream.length && stream.readUInt16BE(at) >> 4 === 0xfff && (stream[at + 1]! & 6) === 0;
    const bytes = isHeader ? (stream.readUInt32BE(at + 3) >>> 13) & 0x1fff : 0;
    if (bytes < 7 || at + bytes > stream.length) throw new RenderError("The sound of a clip cannot be read.");
    frames.push(stream.subarray(at, at + bytes));
    at += bytes;
  }
  return frames;
}

/**
 * The packets of a part's sound to append to a joint stream that has `kept` packets, the first of which is priming. They put the part's
 * sound as close to its picture as whole packets allow, which is within half a packet. The position is always counted from the stream's
 * beginning, so errors do not add up.
 * @param startSample where the part's picture begins @param endSample where it ends
 * @returns from `first` up to, not including, `end`
 */
export function heldPackets({
  kept,
  available,
  startSample,
  endSample,
}: {
  kept: number;
  available: number;
  startSample: number;
  endSample: number;
}): { first: number; end: number } {
  // Packet i of a part contains the samples from (i - 1) × 1024 on, and likewise in the joint stream.
  const first = Math.max(0, kept - Math.round(startSample / framesPerPacket));
  const wanted = Math.round(endSample / framesPerPacket) + primingPackets - kept;
  return { first, end: Math.min(available, first + Math.max(0, wanted)) };
}
