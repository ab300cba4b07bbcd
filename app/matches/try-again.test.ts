import type { ActionFunctionArgs } from "@remix-run/node";
import { expect, test } from "vitest";
import { action as ofList } from "../routes/matches._index.tsx";
import { action as ofMatch } from "../routes/matches.$matchId.tsx";

type Action = (args: ActionFunctionArgs) => Promise<unknown>;

/** What a page answers to "Try again", thrown or returned. @param api the API's answer */
async function tryAgain(action: Action, address: string, fields: Record<string, string>, api: () => Response) {
  const request = new Request(`http://pages.example${address}`, {
    method: "POST",
    headers: { Cookie: "session=s; XSRF-TOKEN=t" },
    body: new URLSearchParams({ intent: "retry", ...fields }),
  });
  const context = { apiFetch: async () => api() };
  const args = { request, context, params: { matchId: "7" } } as unknown as ActionFunctionArgs;
  return action(args).catch((thrown: unknown) => thrown);
}

const tried = () => Response.json({ match_id: "7" }, { status: 202 });
const refused = () => Response.json({ error: "import_limit", detail: "Three imports wait." }, { status: 429 });
const leadsTo = (answer: unknown) => answer instanceof Response && answer.headers.get("Location");

test("on a match's own page another try is shown, or why there is none", async () => {
  expect(leadsTo(await tryAgain(ofMatch, "/match/7", {}, tried))).toBe("/matches/7");
  expect(await tryAgain(ofMatch, "/matches/7", {}, refused)).toMatchObject({
    data: { ok: false, error: "Three imports wait." },
    init: { status: 429 },
  });
  expect(await tryAgain(ofMatch, "/matches/7", { inPlace: "1" }, refused)).toMatchObject({ init: { status: 200 } });
});

test("in the list another try leads back to the page on which the match stands", async () => {
  const match = { match_id: "7" };
  expect(leadsTo(await tryAgain(ofList, "/matches?index&page=2", match, tried))).toBe("/matches?page=2");
  expect(leadsTo(await tryAgain(ofList, "/matches?index", match, tried))).toBe("/matches");
});
