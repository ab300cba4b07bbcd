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
  await expect(trackOf(source, { round: 1 })).rejects.toThrow(problem);
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
  answers(503);
  await expect(fetchPart("/api/part", text)).rejects.toThrow(outOfReach);
});
