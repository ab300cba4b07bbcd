import { expect, test } from "vitest";
import { saveAutomationSchema } from "../../../contract/schemas/automation.ts";
import { choiceFromForm } from "./automation-form.server.ts";

function formOf(fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

const sent = { choice: "above", min_score: "100", players: "team", clips_per_day: "5", format: "vertical", hud: "on" };

test("What the form of automatic clips sends is what is saved, and only a chosen link makes them unlisted", () => {
  const chosen = choiceFromForm(formOf({ ...sent, visibility: "unlisted" }));
  expect(saveAutomationSchema.parse(chosen)).toMatchObject({
    ...{ choice: "above", min_score: 100, players: "team", clips_per_day: 5, format: "vertical" },
    ...{ visibility: "unlisted", render_settings: { hud: true, xray: false } },
  });
  for (const visibility of ["public", "everybody", ""]) {
    expect(choiceFromForm(formOf({ ...sent, visibility }))).toMatchObject({ visibility: "public" });
  }
});
