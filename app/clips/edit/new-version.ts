import { limits } from "../../../contract/limits.ts";
import type { ClipDetail } from "../../../contract/schemas/clips.ts";
import type { CreateClip } from "../../../contract/schemas/create-clip.ts";

/**
 * The clip that a form of the edit page asks for: the highlights and settings of another, its rounds in the order of the fields
 * `place-ROUND`, with other seconds before and after.
 */
export function newVersionOf(
  clip: Pick<ClipDetail, "name" | "format" | "visibility" | "render_settings"> & {
    highlights: readonly { id: number; round_number: number }[];
  },
  form: Pick<FormData, "get">,
): CreateClip {
  const rounds = [...new Set(clip.highlights.map(({ round_number: round }) => round))];
  const place = (round: number) =>
    within(form.get(`place-${round}`), { min: 1, max: rounds.length }, rounds.indexOf(round) + 1);
  const inOrder = [...rounds].sort((a, b) => place(a) - place(b) || rounds.indexOf(a) - rounds.indexOf(b));
  const { preTimeAdjustmentSeconds: lead, postTimeAdjustmentSeconds: tail } = limits;
  const settings = clip.render_settings;
  return {
    name: clip.name,
    highlight_ids: inOrder.flatMap((round) =>
      clip.highlights.filter(({ round_number }) => round_number === round).map(({ id }) => id),
    ),
    render_settings: {
      ...settings,
      pre_time_adjustment: within(form.get("leadIn"), lead, settings.pre_time_adjustment),
      post_time_adjustment: within(form.get("leadOut"), tail, settings.post_time_adjustment),
    },
    format: clip.format,
    visibility: clip.visibility,
    order: "chosen",
    reuse: true,
  };
}

/** A number that a field holds, brought within its limits; where it holds none, another. */
function within(value: unknown, { min, max }: { min: number; max: number }, otherwise: number): number {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? Math.min(max, Math.max(min, number)) : otherwise;
}
