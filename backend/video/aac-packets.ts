import { RenderError } from "./render-error.ts";

/** Samples per second of every clip's sound (`encoderArguments`). */
export const sampleRate = 48_000;
/** Samples that an AAC-LC packet decodes to. */
export const framesPerPacket = 1024;
/** Packets of ffmpeg's encoder before the first sample, which are needed to decode it. */
export const primingPackets = 1;

/** Splits an ADTS stream into packets, each with its header. @throws RenderError for another kind of stream */
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
 * Selects the packets of a part's sound to append to a joint stream that has `kept` packets, the first of which is priming, so that sound
 * and picture are aligned to half a packet. Counted from the stream's beginning every time, so that errors do not add up.
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
  // Packet i, of a part and of the joint stream, holds the samples from (i - 1) × 1024 on.
  const first = Math.max(0, kept - Math.round(startSample / framesPerPacket));
  const wanted = Math.round(endSample / framesPerPacket) + primingPackets - kept;
  return { first, end: Math.min(available, first + Math.max(0, wanted)) };
}
