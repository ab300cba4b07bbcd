import { readdirSync } from "node:fs";
import type { ActionFunctionArgs } from "@remix-run/node";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

const folder = new URL("../../app/routes/", import.meta.url);

type Action = (args: ActionFunctionArgs) => unknown;
const actions: { name: string; action: Action }[] = [];

beforeAll(async () => {
  for (const log of ["warn", "error"] as const) vi.spyOn(console, log).mockImplementation(() => {});
  for (const name of readdirSync(folder)) {
    const { action } = (await import(new URL(name, folder).href)) as { action?: Action };
    if (action) actions.push({ name, action });
  }
});
afterAll(() => vi.restoreAllMocks());

const origin = "http://pages.example";

/** What an action answers to this body, and which calls of the API it makes but for the sign-in's; each of them is answered alike. */
async function answerOf(action: Action, contentType: string, body: string, status: number) {
  const calls: string[] = [];
  const apiFetch = async (call: Request) => {
    if (call.url.endsWith("/api/auth/status/")) return Response.json({ authenticated: false, user: null });
    calls.push(`${call.method} ${new URL(call.url).pathname}`);
    return Response.json({ error: "none", detail: "None." }, { status });
  };
  const request = new Request(`${origin}/somewhere`, {
    method: "POST",
    headers: { Origin: origin, Cookie: "XSRF-TOKEN=t", "Content-Type": contentType },
    body,
  });
  const params = { clipId: "1", matchId: "x" };
  const context = { apiFetch, publicOrigin: origin } as unknown as ActionFunctionArgs["context"];
  const ask = async () => action({ request, params, context });
  const answer = await ask().catch((thrown: unknown) => thrown);
  return { answer, calls };
}

const noForms = [
  ["JSON", "application/json", "{}"],
  ["text", "text/plain", "a=1"],
  [
    "a form that breaks off",
    "multipart/form-data; boundary=x",
    '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1',
  ],
] as const;

test.each(noForms)("No action of a page fails at a body that is %s", async (_what, contentType, body) => {
  expect(actions.length).toBeGreaterThan(18);
  for (const { name, action } of actions) {
    for (const status of [401, 404]) {
      const { answer } = await answerOf(action, contentType, body, status);
      expect(answer, name).not.toBeInstanceOf(Error);
      const answered = answer as { status?: number; init?: { status?: number } | null };
      expect(answered.status ?? answered.init?.status ?? 200, name).toBeLessThan(500);
    }
  }
});

test.each(["settings._index.tsx", "clips.$clipId_.edit.tsx"])(
  "Where no form came, %s makes nothing of its standard choice",
  async (name) => {
    const { action } = actions.find((one) => one.name === name)!;
    const { answer, calls } = await answerOf(action, "application/json", "{}", 200);
    expect(answer).toMatchObject({ init: { status: 400 } });
    expect(calls).toEqual([]);
  },
);
