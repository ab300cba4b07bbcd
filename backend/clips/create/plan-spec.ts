import { cleanClipName, cleanPlayerName } from "../../../contract/clean-text.ts";
import { type ClipFormat, clipFormats } from "../../../contract/clip-formats.ts";
import { clipName } from "../../../contract/clip-rules.ts";
import { limits } from "../../../contract/limits.ts";
import { mapDisplayName } from "../../../contract/maps.ts";
import type { RenderSettings } from "../../../contract/schemas/clips.ts";
import type { CreateClip } from "../../../contract/schemas/create-clip.ts";
import type { ClipSpec } from "../../../replay/clip-spec.ts";
import { Refusal } from "../../refusal.ts";
import type { DemoRow, HighlightRow } from "../../storage/schema.ts";
import { buildClipSpec } from "./build-clip-spec.ts";
import { storedHighlight } from "./clip-highlights.ts";

/** What a clip is called and how it is drawn. */
export interface PlannedSpec {
  name: string;
  settings: RenderSettings;
  spec: ClipSpec;
}

/** How the clip is wished for, whoever wishes. */
export type WishedClip = Pick<CreateClip, "name" | "render_settings" | "order"> & { format: ClipFormat };

/**
 * Plans a clip from what was read of a demo alone.
 * @param highlights of that demo, at least one, in the order they were chosen
 * @throws Refusal for a clip that would be too long, or that the recording does not show
 */
export function planSpec(
  demo: Pick<DemoRow, "timing" | "players" | "map">,
  highlights: readonly HighlightRow[],
  wish: WishedClip,
): PlannedSpec {
  const name = cleanClipName(wish.name) || defaultName(highlights, demo);
  // The watermark is a locked option: whatever a request says, it stays off.
  const settings = { ...wish.render_settings, watermark: false };
  const { width, height, framesPerSecond } = clipFormats[wish.format];
  const isKnown = ({ round }: HighlightRow) => demo.timing.rounds.some(({ number }) => number === round);
  if (!highlights.every(isKnown)) throw notInRecording();
  const format = { title: name, width, height, fps: framesPerSecond };
  const spec = buildClipSpec(demo.timing, highlights.map(storedHighlight), settings, format, wish.order);
  const ticks = spec.segments.reduce((sum, { startTick, endTick }) => sum + endTick - startTick, 0);
  if (ticks === 0) throw notInRecording();
  if (ticks > limits.clipSeconds * demo.timing.tickRate) {
    const minutes = limits.clipSeconds / 60;
    throw Refusal.ofField("highlight_ids", `A clip can last at most ${minutes} minutes. Select fewer highlights.`);
  }
  return { name, settings, spec };
}

/** Of a demo whose rounds contradict its kills. */
function notInRecording(): Refusal {
  return new Refusal("not_in_recording", "The recording does not show this highlight, so no clip can be made.");
}

function defaultName(highlights: readonly HighlightRow[], { players, map }: Pick<DemoRow, "players" | "map">): string {
  const inMatchOrder = [...highlights].sort((a, b) => a.start_tick - b.start_tick || a.id - b.id);
  return cleanClipName(
    clipName(
      inMatchOrder.map((row) => ({
        highlight_type: row.type,
        display_name: row.name,
        player_name: cleanPlayerName(players[row.player]?.name ?? "") || "Unknown player",
        round_number: row.round,
        kills_count: row.kills_count,
      })),
      mapDisplayName(map),
    ),
  );
}
