import { afterEach, expect, test, vi } from "vitest";
import { askEarly, takeEarly } from "../early-parts.ts";
import { avatarsOf, fetchPart, groundOf, PreviewProblem, planPreview, trackOf } from "./preview-parts.ts";

afterEach(() => vi.unstubAllGlobals());

const outOfReach = "The server cannot be reached. Check your connection and try again.";

/** A packed ground as far as its head, which says that it has one floor. */
const packedHead = (() => {
  const head = new TextEncoder().encode(JSON.stringify({ floors: [{}] }));
  const bytes = new Uint8Array(9 + head.length);
  new DataView(bytes.buffer).setUint32(5, head.length, true);
  bytes.set(head, 9);
  return bytes;
})();

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
  await expect(fetchPart("/api/part", text)).rejects.toThrow("No.");
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

test("what came of the last few matches is kept, and of the others nothing: a page that visits many does not grow", async () => {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (address: string) => {
    asked.push(address);
    return address.includes("/avatars/") ? Response.json({ avatars: [] }) : new Response(packedHead);
  });
  const sourceOf = (match: number) => ({ matchPath: `/matches/v${match}`, picturesUrl: `/pictures/v${match}/` });
  const visit = (match: number) =>
    Promise.all([groundOf(sourceOf(match)).ground, groundOf(sourceOf(match)).small, avatarsOf(sourceOf(match))]);
  for (const match of [1, 2, 3, 1, 4]) await visit(match);
  const before = asked.length;
  for (const match of [1, 3, 4]) await visit(match);
  expect(asked.slice(before)).toEqual([]);
  await visit(2);
  expect(asked.slice(before)).toEqual([
    "/pictures/v2/floor-0-small.webp",
    "/pictures/v2/ground.bin",
    "/api/matches/v2/avatars/",
  ]);
});

test("an answer that was asked for early is had by the first who takes it, and one that nobody took is not kept for ever", async () => {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (address: string) => {
    asked.push(address);
    return new Response(address);
  });
  const early = (first: number) => Array.from({ length: 20 }, (_, i) => `/early/${first + i}`);
  askEarly(early(0));
  askEarly(early(0));
  expect(asked).toEqual(early(0));
  await takeEarly("/early/0");
  askEarly(early(1));
  expect(asked).toEqual(early(0).concat("/early/20"));
  await takeEarly("/early/1");
  await takeEarly("/early/0");
  expect(asked.slice(21)).toEqual(["/early/0"]);
  askEarly(early(100));
  await takeEarly("/early/2");
  expect(asked.slice(42)).toEqual(["/early/2"]);
});
