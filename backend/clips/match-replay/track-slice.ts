import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { limits } from "../../../contract/limits.ts";
import { sliceReplayTrack, type TickSpan } from "../../../replay/slice-track.ts";
import { clipSegments } from "../../highlights/segments.ts";
import { Refusal } from "../../refusal.ts";
import type { Services } from "../../services.ts";
import type { DemoRow } from "../../storage/schema.ts";
import { storedHighlight } from "../create/clip-highlights.ts";
import { withUnpackedTrack } from "./unpacked-track.ts";

/** Which part of a match is asked for. */
export interface WantedPart {
  highlights?: string | undefined;
  round?: number | undefined;
}

/**
 * The part of a match's replay track that some of its highlights, or a round, are drawn from, gzipped.
 * @returns null when there is no track any more
 * @throws Refusal for what is no part of it, OverloadedError when too many tracks are being read, and the signal's reason
 */
export async function trackSliceOf(
  services: Services,
  demo: Pick<DemoRow, "sha256" | "track_key" | "timing">,
  wanted: WantedPart,
  { readerId, signal }: { readerId: number; signal: AbortSignal },
): Promise<Buffer | null> {
  if (!demo.track_key) return null;
  const spans =
    wanted.round === undefined ? await spansOfHighlights(services, demo, wanted) : spanOfRound(demo, wanted.round);
  if (spans.length === 0) throw Refusal.notFound("There is no such part in the replay of this match.");
  const cut = (track: Uint8Array) => promisify(gzip)(sliceReplayTrack(track, spans), { level: 5 });
  return withUnpackedTrack(services, demo.track_key, String(readerId), cut, signal);
}

function spanOfRound({ timing }: Pick<DemoRow, "timing">, wanted: number): TickSpan[] {
  const round = timing.rounds.find(({ number }) => number === wanted);
  return round ? [{ startTick: round.freezeEndTick, endTick: round.officialEndTick }] : [];
}

/** With the widest time adjustments that clips can have. */
async function spansOfHighlights(
  { database }: Services,
  { sha256, timing }: Pick<DemoRow, "sha256" | "timing">,
  { highlights = "" }: WantedPart,
): Promise<TickSpan[]> {
  const ids = [...new Set(highlights.split(",").map(Number))].slice(0, limits.highlightsPerClip);
  const rows = await database
    .selectFrom("highlights")
    .selectAll()
    .where("demo_sha256", "=", sha256)
    .where("id", "in", ids)
    .execute();
  const known = rows.map(storedHighlight).filter(({ round }) => timing.rounds.some(({ number }) => number === round));
  return clipSegments(known, timing, {
    preSeconds: limits.preTimeAdjustmentSeconds.max,
    postSeconds: limits.postTimeAdjustmentSeconds.max,
  });
}
