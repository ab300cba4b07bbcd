import type { LoaderFunctionArgs } from "@remix-run/node";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { endSession, findSession, startSession } from "../../backend/accounts/sessions.ts";
import { smallPages } from "./small-pages.ts";
import { type RunningWeb, startWeb } from "./start-web.ts";

/** Says of three calls whether they were made for somebody who is signed in; `during` comes after the first. */
async function whoAsks({ request, context }: LoaderFunctionArgs, during = async () => {}): Promise<Response> {
  const { apiFetch } = context as { apiFetch(request: Request): Promise<Response> };
  const isSignedIn = async () => {
    const headers = { Cookie: request.headers.get("cookie") ?? "" };
    const answer = await apiFetch(new Request(new URL("/api/auth/status/", request.url), { headers }));
    return ((await answer.json()) as { authenticated: boolean }).authenticated;
  };
  const first = await isSignedIn();
  await during();
  return Response.json([first, ...(await Promise.all([isSignedIn(), isSignedIn()]))]);
}

let web: RunningWeb;
let token: string;
let userId: number;

async function signOut(): Promise<void> {
  const session = await findSession(web.services, token);
  if (session) await endSession(web.services, session.idHash);
}

beforeAll(async () => {
  const page = { loader: whoAsks, action: (args: LoaderFunctionArgs) => whoAsks(args, signOut) };
  web = await startWeb({}, async () => smallPages([{ path: "matches", ...page }]));
  const player = { steam_id: "76561198000000001", steam_name: "Player" };
  const { database } = web.services;
  ({ id: userId } = await database.insertInto("users").values(player).returning("id").executeTakeFirstOrThrow());
  ({ token } = await startSession(web.services, userId));
});
afterAll(() => web.close());

const ask = (method: string, cookie = `clutchcast_session=${token}`) =>
  fetch(`${web.url}/matches`, { method, headers: { Cookie: cookie, Origin: web.url } });

test("Whose session it is is looked up once for a page, however often it asks, and anew for the next", async () => {
  const { database } = web.services;
  const lookUps = vi.spyOn(database, "selectFrom");
  const ofSessions = () => lookUps.mock.calls.filter(([table]) => (table as unknown) === "sessions").length;
  expect(await (await ask("GET")).json()).toEqual([true, true, true]);
  expect(ofSessions()).toBe(1);
  expect(await (await ask("GET", "clutchcast_session=nobody")).json()).toEqual([false, false, false]);
  expect(await (await ask("GET")).json()).toEqual([true, true, true]);
  expect(ofSessions()).toBe(2);
  lookUps.mockRestore();
});

test("A session that an action ends is over for what the action asks next", async () => {
  expect(await (await ask("POST")).json()).toEqual([true, false, false]);
  expect(await (await ask("GET")).json()).toEqual([false, false, false]);
});
