import type { CreateClip, RenderSettings } from "../../contract/api.ts";
import { cleanClipName, cleanPlayerName } from "../../contract/clean-text.ts";
import { clipFormats } from "../../contract/clip-formats.ts";
import { clipName, noHighlights, tooManyHighlights } from "../../contract/clip-rules.ts";
import { limits } from "../../contract/limits.ts";
import { mapDisplayName } from "../../contract/maps.ts";
import type { ClipSpec } from "../../replay/clip-spec.ts";
import { ownMatch } from "../matches/own-match.ts";
import { Refusal } from "../refusal.ts";
import type { Services } from "../services.ts";
import type { DemoRow, HighlightRow, MatchRow, User } from "../storage/schema.ts";
import { buildClipSpec } from "./build-clip-spec.ts";
import { storedHighlight } from "./clip-highlights.ts";
import { defaultClipFormat } from "./default-clip-format.ts";

/** Of another match, or found no more since the rules have changed. */
export const highlightNotListed = "A selected highlight is not one of this match, or no more. Load the page anew.";

/** Everything about a clip that can be said before it is rendered. */
export interface PlannedClip {
  match: MatchRow;
  demo: DemoRow;
  /** In the order they were chosen. */
  highlights: HighlightRow[];
  name: string;
  settings: RenderSettings;
  spec: ClipSpec;
}

/**
 * Works out the clip that a player asks for, and writes nothing.
 * @throws Refusal for a match that is not theirs, for a wrong choice of highlights, when the match cannot give
 * clips, yet or any more
 */
export async function planClip(
  services: Services,
  user: User,
  matchId: string,
  request: CreateClip,
): Promise<PlannedClip> {
  const match = await ownMatch(services, user.id, matchId);
  if (!match) throw Refusal.notFound("Match not found");
  const chosen = [...new Set(request.highlight_ids)];
  if (chosen.length === 0) throw Refusal.ofField("highlight_ids", noHighlights);
  if (chosen.length > limits.highlightsPerClip) {
    throw Refusal.ofField("highlight_ids", tooManyHighlights);
  }
  if (match.status !== "completed" || !match.demo_sha256) {
    throw new Refusal("match_not_ready", "The import of this match is not finished yet.");
  }
  const demo = await services.database
    .selectFrom("demos")
    .selectAll()
    .where("sha256", "=", match.demo_sha256)
    .executeTakeFirst();
  if (!demo?.track_key) {
    throw new Refusal(
      "match_data_deleted",
      "The replay data of this match has been deleted, so no new clips can be made of it.",
    );
  }
  const found = await services.database
    .selectFrom("highlights")
    .selectAll()
    .where("demo_sha256", "=", demo.sha256)
    .where("is_listed", "=", true)
    .where("id", "in", chosen)
    .execute();
  const highlights = chosen.flatMap((id) => found.find((row) => row.id === id) ?? []);
  if (highlights.length < chosen.length) {
    throw Refusal.ofField("highlight_ids", highlightNotListed);
  }
  const name = cleanClipName(request.name) || defaultName(highlights, demo);
  // The watermark is a locked option: whatever a request says, it stays off.
  const settings = { ...request.render_settings, watermark: false };
  const { width, height, framesPerSecond } = clipFormats[request.format ?? defaultClipFormat(services.config)];
  const isKnown = ({ round }: HighlightRow) => demo.timing.rounds.some(({ number }) => number === round);
  if (!highlights.every(isKnown)) throw notInRecording();
  const format = { title: name, width, height, fps: framesPerSecond };
  const spec = buildClipSpec(demo.timing, highlights.map(storedHighlight), settings, format, request.order);
  const ticks = spec.segments.reduce((sum, { startTick, endTick }) => sum + endTick - startTick, 0);
  if (ticks === 0) throw notInRecording();
  if (ticks > limits.clipSeconds * demo.timing.tickRate) {
    const minutes = limits.clipSeconds / 60;
    throw Refusal.ofField("highlight_ids", `A clip can last at most ${minutes} minutes. Select fewer highlights.`);
  }
  return { match, demo, highlights, name, settings, spec };
}

/** Of a demo whose rounds contradict its kills. */
function notInRecording(): Refusal {
  return new Refusal("not_in_recording", "The recording does not show this highlight, so no clip can be made.");
}

function defaultName(highlights: readonly HighlightRow[], demo: DemoRow): string {
  const inMatchOrder = [...highlights].sort((a, b) => a.start_tick - b.start_tick || a.id - b.id);
  return cleanClipName(
    clipName(
      inMatchOrder.map((row) => ({
        highlight_type: row.type,
        display_name: row.name,
        player_name: cleanPlayerName(demo.players[row.player]?.name ?? "") || "Unknown player",
        round_number: row.round,
        kills_count: row.kills_count,
      })),
      mapDisplayName(demo.map),
    ),
  );
}
