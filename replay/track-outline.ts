import { ByteReader } from "./byte-reader.ts";
import type { MatchRecord } from "./match-record.ts";
import { recordedStretches } from "./recorded-stretches.ts";
import { magic, ReplayFormatError, readableVersions, type TrackLayout } from "./track-format.ts";

/** What a track says of its match without its samples. */
export interface TrackOutline {
  record: MatchRecord;
  /** The stretches that are recorded without a gap; ends inclusive. */
  stretches: { startTick: number; endTick: number }[];
}

/**
 * Reads the beginning of a replay track: the record and which stretches are recorded, none of the samples.
 * @throws ReplayFormatError for bytes that are no track
 */
export function readTrackOutline(bytes: Uint8Array): TrackOutline {
  const head = magic.length + 1;
  const isTrack = [...magic].every((letter, index) => letter.charCodeAt(0) === bytes[index]);
  if (!isTrack || bytes.length < head + 12 || !readableVersions.includes(bytes[magic.length] ?? 0)) {
    throw new ReplayFormatError("it does not begin as one");
  }
  const reader = new ByteReader(bytes, head);
  const record = reader.readJson() as MatchRecord;
  const { windows } = reader.readJson() as TrackLayout;
  return {
    record,
    stretches: recordedStretches(
      windows.map(({ startTick, tickStep, sampleCount }) => ({
        startTick,
        endTick: startTick + (sampleCount - 1) * tickStep,
      })),
    ),
  };
}
