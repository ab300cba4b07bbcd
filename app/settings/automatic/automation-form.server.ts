import { automationLimits } from "../../../contract/automation-limits.ts";
import { isClipFormat } from "../../../contract/clip-formats.ts";
import type { Api } from "../../api/client.server.ts";
import { renderOptionsFromForm } from "../../clips/render-settings.ts";

type Choice = Parameters<Api["automation"]["save"]>[0]["body"];

/** What the form holds; a number that is none is the standard one. */
export function choiceFromForm(form: FormData) {
  const format = form.get("format");
  const number = (name: string, standard: number) => {
    const text = String(form.get(name) ?? "").trim();
    return text === "" || Number.isNaN(Number(text)) ? standard : Number(text);
  };
  return {
    choice: form.get("choice") === "above" ? ("above" as const) : ("best" as const),
    min_score: number("min_score", automationLimits.minScore.standard),
    players: form.get("players") === "team" ? ("team" as const) : ("me" as const),
    visibility: form.get("visibility") === "unlisted" ? ("unlisted" as const) : ("public" as const),
    clips_per_day: number("clips_per_day", automationLimits.clipsPerDay.standard),
    render_settings: renderOptionsFromForm(form),
    ...(isClipFormat(format) ? { format } : {}),
  } satisfies Choice;
}
