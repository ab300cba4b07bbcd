import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { decodeReplayTrack } from "../../replay/decode-track.ts";
import { highlightWindows } from "../clips/segments.ts";
import { detectHighlights } from "../highlights/index.ts";
import type { ParseStage } from "./parse-job.ts";
import { type StartParseOptions, startParse } from "./start-parse.ts";
import { fixturePath, temporaryFolder } from "./testing/demo-fixtures.ts";

const scratch = temporaryFolder();
const reelSha256 = "a91f0dd51934048b1c766dcb54c3360e21ab40a67cab39bcbe55d468a9e6fcc6";

function parse(path: string, options: StartParseOptions = {}) {
  const directory = mkdtempSync(join(scratch, "job-"));
  const promise = startParse({ path, directory, maxBytes: 2 ** 30 }, options);
  return Object.assign(promise, { directory });
}

test("a packed demo becomes highlights and a replay track that holds them", async () => {
  const stages: ParseStage[] = [];
  const fractions: (number | null)[] = [];
  const job = parse(fixturePath("highlights-reel"), {
    onStage: (stage, fraction) => {
      if (stages.at(-1) !== stage) stages.push(stage);
      fractions.push(fraction);
    },
  });
  const result = await job;
  if (result.isKnown) throw new Error("Nobody said that it is known.");
  expect(stages).toEqual(["extracting_demo", "parsing_demo", "analyzing_highlights"]);
  expect(fractions.every((fraction) => fraction === null || (fraction >= 0 && fraction <= 1))).toBe(true);
  expect(result.sha256).toBe(reelSha256);
  expect(result.record).toMatchObject({ map: "de_dust2", gameMode: "Matchmaking_Competitive", tickRate: 64 });
  expect(result.record.rounds).toHaveLength(9);
  expect(result.record.players).toHaveLength(10);

  const track = decodeReplayTrack(gunzipSync(readFileSync(result.trackPath)));
  expect(detectHighlights(track.record)).toEqual(result.highlights);
  for (const wanted of highlightWindows(result.highlights, track.record)) {
    const isHeld = track.windows.some(
      (window) =>
        window.startTick <= wanted.startTick && window.endTick >= Math.min(wanted.endTick, track.record.lastTick) - 2,
    );
    expect(isHeld).toBe(true);
  }
  expect(readdirSync(job.directory)).toEqual(["replay-track.gz"]);
});

test("a demo that is known already is not parsed again", async () => {
  const stages = new Set<ParseStage>();
  const asked: string[] = [];
  const job = parse(fixturePath("highlights-reel"), {
    onStage: (stage) => stages.add(stage),
    isKnown: async (sha256) => asked.push(sha256) > 0,
  });
  expect(await job).toEqual({ isKnown: true, sha256: reelSha256 });
  expect(asked).toEqual([reelSha256]);
  expect([...stages]).toEqual(["extracting_demo"]);
});

test("what is wrong with a file comes over from the process", async () => {
  const text = join(scratch, "text.dem");
  writeFileSync(text, "HL2DEMO\0and so on");
  await expect(parse(text)).rejects.toMatchObject({ code: "csgo_demo" });
  const large = startParse({ path: fixturePath("highlights-reel"), directory: scratch, maxBytes: 1_500_000 });
  await expect(large).rejects.toMatchObject({ code: "too_large", message: expect.stringContaining("1.4 MiB") });
});

test("a fault of ours is no fault of the demo", async () => {
  const error = await parse(join(scratch, "no-such-file.dem")).catch((reason) => reason);
  expect(error.name).toBe("Error");
  expect(error.message).toContain("ENOENT");
});

const troubled = { modulePath: fileURLToPath(new URL("testing/troubled-process.mjs", import.meta.url)), execArgv: [] };
const megabyte = 1024 ** 2;

test.each([
  ["hangs", { silenceMs: 400 }, "parser_failed"],
  ["aborts", {}, "parser_failed"],
  ["ends", {}, "parser_failed"],
  ["swells", { maxMemoryBytes: 250 * megabyte }, "out_of_memory"],
  ["reports", { memoryOf: async () => null }, "out_of_memory"],
  ["heap", { entry: { ...troubled, execArgv: ["--max-old-space-size=40"] } }, "out_of_memory"],
] satisfies [string, StartParseOptions, string][])("a process that %s ends in a sentence", async (...row) => {
  const [trouble, options, code] = row;
  const error = await parse(join(scratch, `${trouble}.dem`), { entry: troubled, ...options }).catch((reason) => reason);
  expect(error).toMatchObject({ name: "DemoImportError", code });
});

test("a real demo that takes more memory than allowed ends in a sentence", async () => {
  const error = await parse(fixturePath("match-de_nuke"), { maxMemoryBytes: 120 * megabyte }).catch((reason) => reason);
  expect(error).toMatchObject({ name: "DemoImportError", code: "out_of_memory" });
});

test("what a panicking parser said is in the cause", async () => {
  const error = await parse(join(scratch, "aborts.dem"), { entry: troubled }).catch((reason) => reason);
  expect(error.cause.message).toContain("index out of bounds");
});

test("an aborted job rejects with the reason and ends its process", async () => {
  const controller = new AbortController();
  const job = parse(join(scratch, "hangs.dem"), { entry: troubled, signal: controller.signal });
  setTimeout(() => controller.abort(new Error("deleted")), 100);
  await expect(job).rejects.toThrow("deleted");
  const ended = parse(fixturePath("highlights-reel"), { signal: AbortSignal.abort(new Error("too late")) });
  await expect(ended).rejects.toThrow("too late");
});

test("an error while asking ends the job with it", async () => {
  const job = parse(fixturePath("highlights-reel"), { isKnown: () => Promise.reject(new Error("no database")) });
  await expect(job).rejects.toThrow("no database");
});
