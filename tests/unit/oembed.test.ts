import type { LoaderFunctionArgs } from "@remix-run/node";
import { expect, test, vi } from "vitest";

const origin = "http://pages.example";

/** The answer for a clip like this one, to a browser that is signed in. */
async function offerOf(given: { visibility: string; render_status: string }): Promise<Response> {
  // What the site is like is kept for a minute.
  vi.resetModules();
  const { loader } = await import("../../app/routes/oembed.tsx");
  const clip = {
    public_id: "3",
    width: 1280,
    height: 720,
    poster_url: null,
    wide_poster_url: null,
    sharing: { title: "A clip" },
    user: { username: "wren", steam_id: "76561199999900003" },
    ...given,
  };
  const apiFetch = async (call: Request) =>
    Response.json(call.url.includes("/clips/") ? clip : { public_url: origin, name: "Clutchcast" });
  const request = new Request(`${origin}/oembed?url=${origin}/clips/3`, { headers: { Cookie: "session=s" } });
  return loader({ request, params: {}, context: { apiFetch } } as unknown as LoaderFunctionArgs);
}

test("Caches keep what oEmbed says of a clip that everybody sees, and nothing of one that its owner alone does", async () => {
  const everybodys = await offerOf({ visibility: "public", render_status: "completed" });
  expect(everybodys.headers.get("Cache-Control")).toBe("public, max-age=300");
  expect(await everybodys.json()).toMatchObject({ title: "A clip", author_name: "wren" });
  for (const owners of [
    { visibility: "unlisted", render_status: "completed" },
    { visibility: "public", render_status: "processing" },
    { visibility: "public", render_status: "failed" },
  ]) {
    const offer = await offerOf(owners);
    expect([offer.status, offer.headers.get("Cache-Control")]).toEqual([200, "private, no-store"]);
  }
});
