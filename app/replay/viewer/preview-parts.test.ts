import { afterEach, expect, test, vi } from "vitest";
import { avatarsOf, fetchPart, groundOf, PreviewProblem, planPreview, trackOf } from "./preview-parts.ts";

afterEach(() => vi.unstubAllGlobals());

const outOfReach = "The server cannot be reached. Check your connection and try again.";

/** An answer whose body ends before it is whole. */
const brokenOff = () =>
  new Response(
    new ReadableStream({
      pull: (controller) => controller.error(new TypeError("network error")),
    }),
  );

test("a part that breaks off, or never comes, is the connection's fault, not the browser's", async () => {
  const source = { matchPath: "/matches/7", picturesUrl: "/pictures/7/" };
  const problem = new PreviewProblem(outOfReach);
  vi.stubGlobal("fetch", async () => brokenOff());
  await expect(planPreview(source, new FormData())).rejects.toThrow(problem);
  await expect(trackOf(source, { highlights: "1" })).rejects.toThrow(problem);
  await expect(avatarsOf(source)).rejects.toThrow(problem);
  const { ground, small } = groundOf(source);
  const ended = await Promise.allSettled([ground, small]);
  expect(ended).toMatchObject([{ reason: problem }, { reason: problem }]);
  // Nothing of it is kept: another try asks again.
  expect(groundOf(source).ground).not.toBe(ground);

  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  await expect(fetchPart("/api/part", (answer) => answer.text())).rejects.toThrow(problem);
  vi.stubGlobal("fetch", async () => new Response("whole"));
  expect(await fetchPart("/api/part", (answer) => answer.text())).toBe("whole");
});

test("a refusal is told as the server says it", async () => {
  const answers = (status: number) => vi.stubGlobal("fetch", async () => Response.json({ detail: "No." }, { status }));
  const text = (answer: Response) => answer.text();
  answers(400);
  await expect(fetchPart("/api/part", text)).rejects.toThrow("No.");
  answers(404);
  await expect(fetchPart("/api/part", text, { missing: "Not there." })).rejects.toThrow("Not there.");
});

test("a server that is there but cannot just now is told in its own words, with when to come back; a proxy alone is no server", async () => {
  const busy = "Too many matches are being opened at the moment. Please try again in a few seconds.";
  const answer = (body: string, headers: HeadersInit = {}) =>
    vi.stubGlobal("fetch", async () => new Response(body, { status: 503, headers }));
  const problemOf = () => fetchPart("/api/part", (part) => part.text()).catch((problem: unknown) => problem);
  const body = JSON.stringify({ error: "unavailable", detail: busy });
  answer(body, { "Retry-After": "5" });
  expect(await problemOf()).toMatchObject({ message: busy, retryAfterSeconds: 5 });
  answer(body);
  expect(await problemOf()).toMatchObject({ message: busy, retryAfterSeconds: null });
  answer(body, { "Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT" });
  expect(await problemOf()).toMatchObject({ message: busy, retryAfterSeconds: null });
  for (const silent of ["<h1>503 Service Unavailable</h1>", "{}", "null", '{"detail": ""}']) {
    answer(silent);
    expect(await problemOf()).toEqual(new PreviewProblem(outOfReach));
  }
});
