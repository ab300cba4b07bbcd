import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { limits } from "../../contract/limits.ts";
import { sliceReplayTrack, type TickSpan } from "../../replay/slice-track.ts";
import { clipSegments } from "../highlights/segments.ts";
import type { Services } from "../services.ts";
import { BlobMissingError } from "../storage/blob-store.ts";
import type { DemoRow } from "../storage/schema.ts";
import { storedHighlight } from "./clip-highlights.ts";

/** Which part of a match is asked for. */
export interface WantedPart {
  highlights?: string | undefined;
  round?: number | undefined;
}

/** Of an unpacked track that is sliced while others wait: three times the largest we know. */
const maxTrackBytes = 64 * 1024 ** 2;

/**
 * The part of a match's replay track that some of its highlights, or a round, are drawn from, gzipped.
 * @returns null when there is no such part, or no track any more
 */
export async function trackSliceOf(
  services: Services,
  demo: Pick<DemoRow, "sha256" | "track_key" | "timing">,
  wanted: WantedPart,
): Promise<Buffer | null> {
  if (!demo.track_key) return null;
  const spans =
    wanted.round === undefined ? await spansOfHighlights(services, demo, wanted) : spanOfRound(demo, wanted.round);
  if (spans.length === 0) return null;
  let packed: Uint8Array;
  try {
    packed = new Uint8Array(
      await new Response(
        (await services.blobs.read(demo.track_key, undefined, "visitor")) as unknown as BodyInit,
      ).arrayBuffer(),
    );
  } catch (error) {
    if (error instanceof BlobMissingError) return null;
    throw error;
  }
  const track = await promisify(gunzip)(packed, { maxOutputLength: maxTrackBytes });
  return promisify(gzip)(sliceReplayTrack(track, spans), { level: 5 });
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
