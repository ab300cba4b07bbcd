import type { ActionFunctionArgs } from "@remix-run/node";
import { beforeEach, expect, test, vi } from "vitest";
import { action } from "../routes/clips.$clipId_.keep.tsx";

/** What is answered to "Keep" of clip 12. @param api the API's answer */
async function keep(fields: Record<string, string>, api: () => Response): Promise<Response> {
  const request = new Request("http://pages.example/clips/12/keep", {
    method: "POST",
    headers: { Cookie: "session=s; XSRF-TOKEN=t" },
    body: new URLSearchParams(fields),
  });
  const context = { apiFetch: async () => api() };
  return action({ request, context, params: { clipId: "12" } } as unknown as ActionFunctionArgs);
}

const kept = () => new Response(null, { status: 204 });
const gone = () => Response.json({ error: "not_found", detail: "Clip not found" }, { status: 404 });
const signedOut = () => Response.json({ error: "signed_out", detail: "Sign in first" }, { status: 401 });

/** Failures are logged. */
beforeEach(() => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  return () => warn.mockRestore();
});

test("keeping a clip leads back to the page on which it was pressed, and to no other site", async () => {
  const to = async (from: string) => (await keep({ from }, kept)).headers.get("Location");
  expect(await to("/matches/7?clips=2")).toBe("/matches/7?clips=2");
  expect(await to("/clips?map=de_nuke")).toBe("/clips?map=de_nuke");
  expect(await to("//evil.example/")).toBe("/");
  expect(await to("https://evil.example/")).toBe("/");
  expect((await keep({}, kept)).headers.get("Location")).toBe("/clips/12");
});

test("a clip that cannot be kept leaves the page as it is, and a script hears why", async () => {
  const plain = await keep({ from: "/matches/7" }, gone);
  expect([plain.status, plain.headers.get("Location")]).toEqual([302, "/matches/7"]);
  const scripted = await keep({ from: "/matches/7", inPlace: "1" }, gone);
  expect([scripted.status, await scripted.json()]).toEqual([404, { error: "Clip not found" }]);
  expect((await keep({ inPlace: "1" }, kept)).status).toBe(200);
});

test("whose session has ended is led back after the sign-in", async () => {
  const plain = await keep({ from: "/matches/7" }, signedOut);
  expect(plain.headers.get("Location")).toBe("/?login=ended&next=%2Fmatches%2F7");
  expect((await keep({ from: "/matches/7", inPlace: "1" }, signedOut)).status).toBe(401);
});
