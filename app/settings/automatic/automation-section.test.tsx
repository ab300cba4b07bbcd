import { renderToStaticMarkup } from "react-dom/server";
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from "react-router-dom/server.js";
import { expect, test } from "vitest";
import { type Automation, saveAutomationSchema } from "../../../contract/api.ts";
import { AutomationSection } from "./automation-section.tsx";

/** The field for the lowest score, as the server sends it. */
async function scoreField(chosen: number): Promise<Record<string, string>> {
  const automation: Automation = {
    ...saveAutomationSchema.parse({ choice: "above", players: "me", clips_per_day: 3, min_score: chosen }),
    ...{ visibility: "public", provider: { name: "Leetify", url: "https://leetify.com" }, is_on: false },
    ...{ since: null, looked_at: null, found_at: null, next_look_at: null, problem: null },
    ...{ matches_found: 0, matches_under_way: 0, clips_today: 0 },
  };
  const routes = [{ path: "/", element: <AutomationSection automation={automation} answer={undefined} /> }];
  const context = await createStaticHandler(routes).query(new Request("http://local.invalid/"));
  if (context instanceof Response) throw new Error(`answered ${context.status}`);
  const page = renderToStaticMarkup(
    <StaticRouterProvider router={createStaticRouter(routes, context)} context={context} hydrate={false} />,
  );
  const field = /<input[^>]* name="min_score"[^>]*>/.exec(page)?.[0] ?? "";
  return Object.fromEntries(
    [...field.matchAll(/([a-z]+)="([^"]*)"/g)].map(([, name = "", value = ""]) => [name, value]),
  );
}

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
