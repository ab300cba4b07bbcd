import { mkdtempSync, readdirSync, readFileSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { expect, test, vi } from "vitest";
import { decodeReplayTrack } from "../../replay/decode-track.ts";
import { limitsOnly } from "../children/containment.ts";
import { detectHighlights } from "../highlights/index.ts";
import { highlightWindows } from "../highlights/segments.ts";
import { InterruptedError } from "../jobs/job-queue.ts";
import type { ParseStage } from "./parse-job.ts";
import { type StartParseOptions, startParse } from "./start-parse.ts";
import { fixturePath, temporaryFolder, unpackedFixture } from "./testing/demo-fixtures.ts";

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
/** SHA-256 that the troubled process reports for a demo it has finished. */
const finishedSha256 = "f".repeat(64);
const megabyte = 1024 ** 2;
const { hasLimits } = await limitsOnly.means();

/** An empty file whose name tells the troubled process what to do. */
function troubledDemo(trouble: string): string {
  const path = join(mkdtempSync(join(scratch, "demo-")), `${trouble}.dem`);
  writeFileSync(path, "");
  return path;
}
const triesAt = (path: string) => readFileSync(`${path}.tries`).length;

/**
 * What the process does, how it is started, how its job ends, and a word of the reason where another reason would end it in the same way.
 */
type TroubledRow = [string, StartParseOptions, string, string?];

test.each([
  ["hangs", { silenceMs: 2000 }, "parser_failed"],
  ["aborts", {}, "parser_failed"],
  ["ends", {}, "parser_failed"],
  ["links", {}, "parser_failed"],
  ["gives-up", {}, "parser_failed", "MalformedMessage"],
  ["writes-garbage", {}, "parser_failed", "was ended because it wrote a line that is no JSON"],
  ["writes-without-end", {}, "parser_failed", "because it wrote a line without an end"],
  ["says-null", {}, "parser_failed", "because it wrote a line that is no message"],
  ["says-a-number", {}, "parser_failed", "because it wrote a line that is no message"],
  ["says-a-list", {}, "parser_failed", "because it wrote a line that is no message"],
  ["never-stops-talking", {}, "parser_failed", "because it wrote more than all its work needs"],
  ["talks-nonsense", {}, "parser_failed", "because it said what no parse process says"],
  ["has-odd-memory", {}, "parser_failed", "because it said what no parse process says"],
  ["names-a-path", {}, "parser_failed", "because it said what no parse process says"],
  ["names-no-demo", {}, "parser_failed", "did not say which demo"],
  ["lies", {}, "parser_failed", "because it said what no parse process says"],
  ["refused", {}, "out_of_memory"],
  ["hangs", { maxMs: 2000 }, "too_slow"],
  ["swells", { maxMemoryBytes: 250 * megabyte }, "out_of_memory", "over the limit"],
  ["reports", { memoryOf: async () => null, maxMs: 20_000 }, "out_of_memory", "over the limit"],
  ["heap", { entry: { ...troubled, execArgv: ["--max-old-space-size=40"] } }, "out_of_memory"],
] satisfies TroubledRow[])("a process that %s ends in a sentence", async (...row: TroubledRow) => {
  const [trouble, options, code, why = ""] = row;
  const path = troubledDemo(trouble);
  const job = parse(path, { entry: troubled, ...options });
  const error = await job.catch((reason) => reason);
  expect(error).toMatchObject({ name: "DemoImportError", code });
  expect(error.cause.message).toContain(why);
  // Only possible accidents are retried.
  expect(triesAt(path)).toBe(code === "parser_failed" ? 2 : 1);
  expect(readdirSync(job.directory).filter((name) => name !== "replay-track.gz")).toEqual([]);
});

test.each(["falls-once", "stops-once", "gives-up-once"])(
  "a process that %s over a demo is started once more",
  async (trouble) => {
    const path = troubledDemo(trouble);
    const asked: string[] = [];
    const job = parse(path, {
      entry: troubled,
      silenceMs: 4000,
      isKnown: (sha256) => {
        asked.push(sha256);
        return false;
      },
    });
    expect(await job).toMatchObject({ isKnown: false, sha256: finishedSha256, highlights: [] });
    expect(asked).toEqual([finishedSha256]);
    expect(triesAt(path)).toBe(2);
    expect(readdirSync(job.directory)).toEqual(["replay-track.gz"]);
  },
);

test.each(["killed", "terminated"])(
  "that a process was %s by somebody says nothing about the demo",
  async (trouble) => {
    const path = troubledDemo(trouble);
    const error = await parse(path, { entry: troubled }).catch((reason) => reason);
    expect(error).toBeInstanceOf(InterruptedError);
    expect(triesAt(path)).toBe(1);
  },
);

test("a process that cannot begin is no fault of the demo", async () => {
  const entry = { modulePath: join(scratch, "no-such-process.mjs"), execArgv: [] };
  const error = await parse(troubledDemo("hangs"), { entry }).catch((reason) => reason);
  expect(error.name).toBe("Error");
  expect(error.message).toContain("no-such-process.mjs");
});

test("a process knows neither secrets nor where others keep their files", async () => {
  vi.stubEnv("DATABASE_URL", "postgres://secret");
  const entry = {
    modulePath: "-",
    execArgv: [
      `--eval=const said = { type: "broken", detail: JSON.stringify([process.env, process.cwd()]) };
      fs.writeSync(3, JSON.stringify(said) + "\\n");`,
    ],
  };
  const job = parse(troubledDemo("tells"), { entry });
  const error = await job.catch((reason) => reason);
  vi.unstubAllEnvs();
  const [environment, folder] = JSON.parse(error.message.slice(error.message.indexOf("[")));
  expect(Object.keys(environment).sort()).toEqual(
    ["HOME", "NODE_ENV", "PATH", "TEMP", "TMP", "TMPDIR"].filter((name) => name in environment),
  );
  expect(folder.startsWith(job.directory)).toBe(true);
  for (const name of ["HOME", "TMPDIR"]) expect(environment[name]).toBe(folder);
});

test("a real demo that takes more memory than allowed ends in a sentence", async () => {
  const error = await parse(fixturePath("match-de_nuke"), { maxMemoryBytes: 120 * megabyte }).catch((reason) => reason);
  expect(error).toMatchObject({ name: "DemoImportError", code: "out_of_memory" });
  expect(error.cause.message).toContain("over the limit");
});

test.runIf(hasLimits)("a real demo is refused memory beyond the limit before it has it", async () => {
  const limits = { memoryBytes: 320 * megabyte };
  // Nothing measures the memory from outside.
  const options = { limits, memoryOf: async () => 0 };
  const error = await parse(fixturePath("match-de_nuke"), options).catch((reason) => reason);
  expect(error).toMatchObject({ name: "DemoImportError", code: "out_of_memory" });
});

test.runIf(hasLimits)("a demo that takes more processor time than allowed ends in a sentence", async () => {
  const job = parse(troubledDemo("computes"), { entry: troubled, limits: { processorSeconds: 1 } });
  await expect(job).rejects.toMatchObject({ name: "DemoImportError", code: "too_slow" });
});

test("nothing is ever written beside a demo that is not packed", async () => {
  const folder = mkdtempSync(join(scratch, "uploads-"));
  const path = await unpackedFixture("sample-match", folder);
  const touched = new Set<string | null>();
  const watcher = watch(folder, (event, name) => event === "rename" && touched.add(name));
  await parse(path);
  // The watcher reports in order: earlier changes arrive before this one.
  const last = new Promise<void>((resolve) => watcher.on("change", (_, name) => name === "last" && resolve()));
  writeFileSync(join(folder, "last"), "");
  await last;
  watcher.close();
  expect([...touched]).toEqual(["last"]);
});

test("what a panicking parser said is in the cause", async () => {
  const error = await parse(troubledDemo("aborts"), { entry: troubled }).catch((reason) => reason);
  expect(error.cause.message).toContain("index out of bounds");
});

test("an aborted job rejects with the reason and ends its process", async () => {
  const controller = new AbortController();
  const job = parse(troubledDemo("hangs"), { entry: troubled, signal: controller.signal });
  setTimeout(() => controller.abort(new Error("deleted")), 100);
  await expect(job).rejects.toThrow("deleted");
  const ended = parse(fixturePath("highlights-reel"), { signal: AbortSignal.abort(new Error("too late")) });
  await expect(ended).rejects.toThrow("too late");
});

test("an error while asking ends the job with it", async () => {
  const job = parse(fixturePath("highlights-reel"), { isKnown: () => Promise.reject(new Error("no database")) });
  await expect(job).rejects.toThrow("no database");
});
