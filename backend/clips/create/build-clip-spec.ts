import type { RenderSettings } from "../../../contract/schemas/clips.ts";
import type { CreateClip } from "../../../contract/schemas/create-clip.ts";
import type { ClipSegment, ClipSpec } from "../../../replay/clip-spec.ts";
import type { StoredHighlight } from "../../highlights/highlight.ts";
import { clipSegments } from "../../highlights/segments.ts";
import type { MatchTiming } from "../../highlights/stretches.ts";

export interface ClipFormat {
  /** The clip's name, shown on the end card. */
  title: string;
  /** Pixels. */
  width: number;
  height: number;
  /** Frames a second. */
  fps: number;
}

/**
 * The stored description of a clip, from which it can be rendered at any time.
 * @param highlights of one match, at least one
 * @param order of the rounds: as they were played, or as their first highlight was chosen
 * @throws Error when there is no highlight, or one names a round the record does not have
 */
export function buildClipSpec(
  record: MatchTiming,
  highlights: readonly StoredHighlight[],
  settings: RenderSettings,
  { title, width, height, fps }: ClipFormat,
  order: CreateClip["order"] = "match",
): ClipSpec {
  if (highlights.length === 0) throw new Error("A clip needs a highlight.");
  const segments = clipSegments(highlights, record, {
    preSeconds: settings.pre_time_adjustment,
    postSeconds: settings.post_time_adjustment,
  });
  const rounds = [...new Set(highlights.map(({ round }) => round))];
  const place = ({ round }: ClipSegment) => rounds.indexOf(round);
  return {
    version: 1,
    // Sorting is stable: a round is one story, which keeps its order.
    segments: order === "chosen" ? segments.sort((a, b) => place(a) - place(b)) : segments,
    settings: {
      xray: settings.xray,
      hud: settings.hud,
      radar: settings.radar,
      killfeed: settings.killfeed,
      highlightInfo: settings.highlight_info,
      watermark: settings.watermark,
    },
    title,
    width,
    height,
    framesPerSecond: fps,
  };
}
