import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { InterruptedError } from "../jobs/job-queue.ts";
import { CliError } from "./cli-error.ts";
import type { FoundDemo } from "./find-demos.ts";
import { contentsOf, MadeVideos } from "./made-videos.ts";
import { readArguments } from "./read-arguments.ts";
import { mayPass } from "./sentence-of.ts";
import { openSession } from "./session.ts";
import { retryPauseMs, watchFolder } from "./watch-folder.ts";

const root = mkdtempSync(join(tmpdir(), "clutchcast-watch-"));
let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(root, "cwd-"));
});
afterAll(() => rmSync(root, { recursive: true }));

const hourMs = 3_600_000;

/** @param hoursAgo when it was written */
function put(name: string, content: string, hoursAgo: number): void {
  writeFileSync(join(cwd, name), content);
  const time = new Date(Date.now() - hoursAgo * hourMs);
  utimesSync(join(cwd, name), time, time);
}

/** Watches the folder `in` until `work` is done. @returns what was said, line by line */
async function watchDuring(work: (said: () => string) => Promise<void>): Promise<string[]> {
  const command = readArguments(["clip", "--watch", "in", "-o", "out/"]);
  if (command.name !== "clip" || command.watched === null) throw new Error("It watches nothing.");
  const stop = new AbortController();
  const reason = new Error("the test is done");
  const session = {
    ...openSession(process.env, { isQuiet: true, cwd, signal: stop.signal }),
    progress: { isTTY: false, write: () => true },
  };
  let said = "";
  const say = (text: string) => {
    said += text;
  };
  const watching = watchFolder({ ...command, watched: command.watched }, { ...session, say }).catch((error) => error);
  try {
    await Promise.race([work(() => said), watching.then((error) => Promise.reject(error))]);
  } finally {
    stop.abort(reason);
  }
  expect(await watching).toBe(reason);
  expect(said).toMatch(/^Watching in\. Ctrl-C ends it\.\n/);
  return said.split("\n").slice(1, -1);
}

test("a demo that is newer than its video becomes a further video, of a name that no other demo has, and it is said", async () => {
  for (const folder of ["in", "out"]) mkdirSync(join(cwd, folder));
  // What came again, what is done, and what has the name of a further video itself.
  put("in/match.dem", "no demo", 1);
  put("out/match.mp4", "first", 2);
  put("in/done.dem", "no demo", 4);
  put("out/done.mp4", "video", 3);
  put("in/match-2.dem", "no demo", 4);
  put("out/match-2.mp4", "of match-2.dem", 3);
  const said = await watchDuring((soFar) => expect.poll(soFar, { timeout: 30_000 }).toContain("Newer"));
  expect(said).toEqual(["in/match.dem: Newer than “out/match.mp4”, so its clip becomes “out/match-3.mp4”."]);
}, 60_000);

test("a watched folder that is away for a moment is looked at again, and said to be", async () => {
  mkdirSync(join(cwd, "in"));
  // Where no video can be, which needs no demo to be read.
  put("out", "a file", 1);
  const said = await watchDuring(async (soFar) => {
    await expect.poll(soFar, { timeout: 30_000 }).toContain("Watching");
    await new Promise((resolve) => setTimeout(resolve, 500));
    renameSync(join(cwd, "in"), join(cwd, "away"));
    await expect.poll(soFar, { timeout: 30_000 }).toContain("again in 10 seconds");
    put("away/match.dem", "no demo", 1);
    renameSync(join(cwd, "away"), join(cwd, "in"));
    await expect.poll(soFar, { timeout: 60_000 }).toContain("Name another one");
  });
  expect(said).toEqual([
    "There is no file or folder “in”. It is looked at again in 10 seconds.",
    "in/match.dem: The folder of “out/match.mp4” is a file. Name another one with -o.",
  ]);
}, 150_000);

test("what was made here of a demo is told by its contents, what an earlier watch made by times", async () => {
  const demo: FoundDemo = { shown: "match.dem", path: join(cwd, "match.dem"), folder: cwd };
  const packed: FoundDemo = { shown: "match.dem.bz2", path: join(cwd, "match.dem.bz2"), folder: cwd };
  const target = { shown: "match.mp4", path: join(cwd, "match.mp4") };
  const made = new MadeVideos();
  const isOutdated = async (ofOneName = [demo]) => {
    const { newestMs } = await made.videosOf(demo, target, () => false);
    return newestMs !== null && (await made.looksNew(demo, ofOneName, newestMs)) && (await made.isNew(demo));
  };
  const nextOf = async () => (await made.videosOf(demo, target, () => false)).next.shown;
  put("match.dem", "one", 2);
  expect([await isOutdated(), await nextOf()]).toEqual([false, "match.mp4"]);
  put("match.mp4", "video", 1);
  expect([await isOutdated(), await nextOf()]).toEqual([false, "match-2.mp4"]);
  put("match.dem", "two", 0);
  expect(await isOutdated()).toBe(true);
  // Unpacked anew, of an archive that is older than the video.
  put("match.dem.bz2", "packed", 2);
  expect(await isOutdated([demo, packed])).toBe(false);
  rmSync(packed.path);

  // By a clock that is two hours ahead.
  put("match.dem", "three", -2);
  const contents = await contentsOf(demo);
  put("match-2.mp4", "video", 0);
  await made.note(demo, { shown: "match-2.mp4", path: join(cwd, "match-2.mp4") }, contents);
  expect([await isOutdated(), await nextOf()]).toEqual([false, "match-3.mp4"]);
  expect(
    await new MadeVideos().looksNew(demo, [demo], (await made.videosOf(demo, target, () => false)).newestMs ?? 0),
  ).toBe(false);
  // The same file once more, and another one with a time from before.
  put("match.dem", "three", -3);
  expect(await isOutdated()).toBe(false);
  put("match.dem", "other", 9);
  expect(await isOutdated()).toBe(true);
});

test("what may pass is tried again with a doubling pause, six times, within eleven minutes", () => {
  const pauses = [1, 2, 3, 4, 5, 6, 7, 8].map(retryPauseMs);
  expect(pauses).toEqual([10_000, 20_000, 40_000, 80_000, 160_000, 320_000, null, null]);
  expect(pauses.reduce<number>((sum, pause) => sum + (pause ?? 0), 0)).toBeLessThan(11 * 60_000);
});

test("files in use and processes that somebody ended may pass, what is wrong with a demo does not", () => {
  const busy = Object.assign(new Error("EBUSY: resource busy or locked"), { code: "EBUSY" });
  expect(mayPass(busy)).toBe(true);
  expect(mayPass(new CliError("The folder may not be written to.", { cause: busy }))).toBe(true);
  expect(mayPass(new InterruptedError("SIGKILL"))).toBe(true);
  expect(mayPass(new CliError("There is no such highlight."))).toBe(false);
  expect(mayPass(Object.assign(new Error("gone"), { code: "ENOENT" }))).toBe(false);
  expect(mayPass(null)).toBe(false);
});
