import { buildClipSpec } from "../../backend/clips/create/build-clip-spec.ts";
import type { Highlight } from "../../backend/highlights/highlight.ts";
import { openScene, writtenTexts } from "../../backend/video/render-clip.ts";
import { openSpriteBakery } from "../../backend/video/sprite-bakery.ts";
import { type ClipFormat, clipFormats } from "../../contract/clip-formats.ts";
import { postTimeAdjustment } from "../../contract/clip-rules.ts";
import { highlightLabel } from "../../contract/highlight-types.ts";
import { renderSettingsSchema } from "../../contract/schemas/clips.ts";
import type { ClipSpec } from "../../replay/clip-spec.ts";
import { heldSpec } from "../../replay/held-spec.ts";
import type { ReplayTrack } from "../../replay/replay-track.ts";
import { type ClipJudgement, judgeClip } from "../../scene/direction/judge-clip.ts";
import { inkReader } from "../../scene/direction/sprite-ink.ts";
import { buildClipRelief } from "../../scene/index.ts";
import type { ReadMatch } from "./read-match.ts";

export interface JudgedClip extends ClipJudgement {
  highlight: Highlight;
}

/** Plans a clip of every highlight of a match in a format, and judges its frames. */
export async function judgeMatch(
  { track, highlights }: ReadMatch,
  format: ClipFormat,
  onClip: (done: number) => void = () => {},
): Promise<JudgedClip[]> {
  const { width, height } = clipFormats[format];
  const relief = buildClipRelief(track, { width, height });
  const specs = highlights.map((highlight) => plannedSpec(track, highlight, format));
  const bakery = await openSpriteBakery(specs.flatMap((spec) => writtenTexts(track, spec)));
  const inkOf = inkReader(bakery.bakeSprite);
  return highlights.map((highlight, i) => {
    const spec = specs[i];
    if (!spec) throw new Error("A highlight has no clip.");
    const scene = openScene(track, spec, bakery, relief);
    const { type, round, player, reason, moments } = highlight;
    const judged = { type, round, player, reason, momentTicks: moments.map(({ tick }) => tick) };
    const frame = { width, height };
    const judgement = judgeClip(scene, judged, { record: track.record, relief, frame, inkOf, known: highlights });
    onClip(i + 1);
    return { highlight, ...judgement };
  });
}

/** The clip of a player who ticks one highlight and leaves the form as it is. */
export function plannedSpec(track: ReplayTrack, highlight: Highlight, format: ClipFormat): ClipSpec {
  const { width, height, framesPerSecond } = clipFormats[format];
  const kills = highlight.moments.filter(({ kind }) => kind === "kill").length;
  const settings = renderSettingsSchema.parse({
    post_time_adjustment: postTimeAdjustment([{ highlight_type: highlight.type, kills_count: kills }]),
  });
  const spec = buildClipSpec(track.record, [highlight], settings, {
    title: highlightLabel(highlight.type),
    width,
    height,
    fps: framesPerSecond,
  });
  return heldSpec(spec, track);
}
