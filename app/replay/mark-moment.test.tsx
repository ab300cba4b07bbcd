import { renderToStaticMarkup } from "react-dom/server";
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from "react-router-dom/server.js";
import { expect, test } from "vitest";
import { type MarkedMoment, MarkMoment } from "./mark-moment.tsx";
import type { ReplayHighlight } from "./replay-plan.ts";

const person = (name: string, steam_id: string | null, team = 0) => ({ name, steam_id, team });
const players = [
  person("sable.", "76561199999900001"),
  person("BOT Rock", null),
  person("wren", "76561199999900002"),
  person("wren", "76561199999900003"),
];

/** The form, and what is marked, as the server sends them. */
async function formOf(given: Partial<MarkedMoment>, highlights: ReplayHighlight[] = []): Promise<string> {
  const element = (
    <MarkMoment
      match={{ tick_rate: 64, players, rounds: [], track_url: "", removable_highlights: [] }}
      matchPath="/matches/x"
      moment={{ round: "1", player: "0", from: "1", to: "9", name: "", ...given }}
      onChange={() => {}}
      failure={null}
      isMarked={false}
      highlights={highlights}
    />
  );
  const routes = [{ path: "/", element }];
  const context = await createStaticHandler(routes).query(new Request("http://local.invalid/"));
  if (context instanceof Response) throw new Error(`answered ${context.status}`);
  return renderToStaticMarkup(
    <StaticRouterProvider router={createStaticRouter(routes, context)} context={context} hydrate={false} />,
  );
}

const chosen = (form: string) => /<option value="([^"]*)" selected="">/.exec(form)?.[1];

test("what is marked is seen with its own player, though another has the same name", async () => {
  const highlight = {
    id: 1,
    highlight_type: "custom",
    display_name: "Peek",
    round_number: 1,
    tick: 64,
    start_tick: 64,
  };
  const page = await formOf({}, [{ ...highlight, player_name: "wren", player_steam_id: "76561199999900003" }]);
  expect(page).toMatch(/href="\?round=1(&amp;t=[\d.]+)?&amp;player=3"/);
});

test("a moment is of the player who is followed", async () => {
  const form = await formOf({ player: "2" });
  expect(chosen(form)).toBe("2");
  expect(form).not.toContain("You are following a bot");
});

test("with a bot that is followed, nobody else is chosen, and the form says why", async () => {
  const form = await formOf({ player: "1" });
  expect(chosen(form)).toBe("");
  expect(form).toMatch(/<select name="player"[^>]*required=""/);
  expect(form).toContain("You are following a bot, and a moment follows a player.");
  expect(form).not.toContain("BOT Rock");
});
