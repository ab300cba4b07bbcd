import { renderToStaticMarkup } from "react-dom/server";
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from "react-router-dom/server.js";
import { expect, test } from "vitest";
import { type Automation, saveAutomationSchema } from "../../../contract/schemas/automation.ts";
import { AutomationSection } from "./automation-section.tsx";
import { type TypedChoice, withTyped } from "./with-typed.ts";

/** What is saved. @param chosen the lowest score */
function saved(chosen: number): Automation {
  return {
    ...saveAutomationSchema.parse({ choice: "above", players: "me", clips_per_day: 3, min_score: chosen }),
    ...{ visibility: "public", provider: { name: "Leetify", url: "https://leetify.com" }, is_on: false },
    ...{ since: null, looked_at: null, found_at: null, next_look_at: null, problem: null },
    ...{ matches_found: 0, matches_under_way: 0, clips_today: 0 },
  };
}

/** What the server sends. @param typed by a form that was refused */
async function pageOf(automation: Automation, typed?: TypedChoice): Promise<string> {
  const section = <AutomationSection automation={automation} typed={typed} answer={undefined} />;
  const routes = [{ path: "/", element: section }];
  const context = await createStaticHandler(routes).query(new Request("http://local.invalid/"));
  if (context instanceof Response) throw new Error(`answered ${context.status}`);
  return renderToStaticMarkup(
    <StaticRouterProvider router={createStaticRouter(routes, context)} context={context} hydrate={false} />,
  );
}

/** The fields of a name. */
async function fieldsOf(automation: Automation, name: string, typed?: TypedChoice): Promise<Record<string, string>[]> {
  const page = await pageOf(automation, typed);
  return [...page.matchAll(/<input[^>]*>/g)]
    .map(([field]) =>
      Object.fromEntries([...field.matchAll(/([a-z]+)="([^"]*)"/g)].map(([, key = "", value = ""]) => [key, value])),
    )
    .filter((field) => field.name === name);
}

const scoreField = async (chosen: number) => (await fieldsOf(saved(chosen), "min_score"))[0] ?? {};

test("any score that a call may save can be typed, and what is saved stands there", async () => {
  for (const score of [0, 45, 62.5, 1000]) {
    expect(await scoreField(score)).toMatchObject({ type: "number", value: String(score), step: "any" });
  }
  const { min, max } = await scoreField(60);
  const isSaved = (score: number) =>
    saveAutomationSchema.safeParse({ choice: "above", players: "me", clips_per_day: 3, min_score: score }).success;
  expect([Number(min), Number(max)].map(isSaved)).toEqual([true, true]);
  expect([Number(min) - 1, Number(max) + 1].map(isSaved)).toEqual([false, false]);
});

test("the choices of a form that was refused stand there again, and what it did not hold as it is saved", async () => {
  const typed = {
    ...{ choice: "best" as const, min_score: 250, players: "team" as const, visibility: "unlisted" as const },
    ...{ clips_per_day: 7, format: "vertical" as const },
    render_settings: { xray: false, hud: true },
  };
  const isChecked = async (name: string) =>
    (await fieldsOf(saved(60), name, typed)).filter((field) => "checked" in field).map(({ value }) => value);
  expect(await isChecked("choice")).toEqual(["best"]);
  expect(await isChecked("players")).toEqual(["team"]);
  expect(await isChecked("visibility")).toEqual(["unlisted"]);
  expect(await isChecked("format")).toEqual(["vertical"]);
  expect(await isChecked("xray")).toEqual([]);
  expect(await isChecked("hud")).toHaveLength(1);
  expect(await fieldsOf(saved(60), "clips_per_day", typed)).toMatchObject([{ value: "7" }]);
  expect(withTyped(saved(60), typed).render_settings.radar).toBe(saved(60).render_settings.radar);
  expect(withTyped(saved(60), undefined)).toEqual(saved(60));
  const state = (page: string) => page.match(/Made today.*?<\/dd>/)?.[0].replaceAll(/<[^>]*>/g, " ");
  expect(state(await pageOf({ ...saved(60), is_on: true, clips_today: 2 }, typed))).toMatch(/ 2 of 3 /);
});
