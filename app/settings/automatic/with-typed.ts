import type { Automation } from "../../../contract/schemas/automation.ts";

export type TypedChoice = Pick<Automation, "choice" | "min_score" | "players" | "visibility" | "clips_per_day"> & {
  render_settings: Partial<Automation["render_settings"]>;
  format?: NonNullable<Automation["format"]>;
};

/** What is saved, with the choices of a form that was refused in its place. */
export function withTyped(saved: Automation, typed: TypedChoice | undefined): Automation {
  if (!typed) return saved;
  return { ...saved, ...typed, render_settings: { ...saved.render_settings, ...typed.render_settings } };
}
