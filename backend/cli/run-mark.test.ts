import { spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { forkSource } from "../storage/testing/fork-source.ts";
import { type isGone, markAsOwn, sweepAbandoned } from "./run-mark.ts";
import { inTemporaryFolder } from "./temporary-folder.ts";

const markName = ".clutchcast-run.json";

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "runs-"));
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

type Mark = Parameters<typeof isGone>[0];

async function ownMark(): Promise<Mark> {
  const folder = mkdtempSync(join(parent, ".own-"));
  await markAsOwn(folder);
  const mark = JSON.parse(readFileSync(join(folder, markName), "utf8"));
  rmSync(folder, { recursive: true });
  return mark;
}

/** Of a process that has ended. */
const endedPid = () => spawnSync(process.execPath, ["--version"]).pid;

function leave(name: string, mark: object | string | null): string {
  const folder = join(parent, name);
  mkdirSync(folder);
  writeFileSync(join(folder, "video.mp4"), "half a video");
  if (mark !== null) writeFileSync(join(folder, markName), typeof mark === "string" ? mark : JSON.stringify(mark));
  return name;
}

test("What a run left that is gone is removed; of all others nothing is touched", async () => {
  const own = await ownMark();
  const gone = { ...own, pid: endedPid(), began: "1" };
  leave(".clip.mp4-Gone01", gone);
  leave(".clip.mp4-Gone02", { ...own, began: "1" });
  leave(".clip.mp4-Gone03", { ...own, boot: "before the machine was started anew" });
  const kept = [
    leave(".clip.mp4-Live01", own),
    leave(".clip.mp4-Live02", { ...own, pid: process.ppid, began: null }),
    leave(".clip.mp4-Other1", { ...gone, host: "another-machine" }),
    leave(".clip.mp4-Other2", { ...gone, namespace: "pid:[1]" }),
    leave(".clip.mp4-Nobody", null),
    leave(".clip.mp4-Broken", '{"program":"clutchcast","pid":'),
    leave(".clip.mp4-Long01", JSON.stringify({ ...gone, host: own.host, more: "x".repeat(2000) })),
    leave(".clip.mp4-Strang", { ...gone, program: "another" }),
    leave("holiday-pictures", gone),
  ];
  symlinkSync(join(parent, "holiday-pictures"), join(parent, ".clip.mp4-Linked"));
  await sweepAbandoned(parent);
  expect(readdirSync(parent).sort()).toEqual([...kept, ".clip.mp4-Linked"].sort());
  expect(readdirSync(join(parent, "holiday-pictures")).sort()).toEqual([markName, "video.mp4"]);
});

test("A run that is killed in the middle leaves a folder, which the next run removes, while that of a live one stays", async () => {
  const start = async (name: string) => {
    const run = forkSource(new URL("./testing/run-in-folder.ts", import.meta.url), [parent, name], {});
    await once(run, "message");
    return run;
  };
  const [killed, live] = [await start(".killed-"), await start(".live-")];
  const ended = once(killed, "exit");
  killed.kill("SIGKILL");
  await ended;
  const foldersOf = (name: string) => readdirSync(parent).filter((entry) => entry.startsWith(name));
  expect(foldersOf(".killed-")).toHaveLength(1);
  const seen = await inTemporaryFolder(parent, ".next-", async (folder) => {
    expect(existsSync(join(folder, markName))).toBe(true);
    return [foldersOf(".killed-"), foldersOf(".live-"), foldersOf(".next-")].map(({ length }) => length);
  });
  expect(seen).toEqual([0, 1, 1]);
  const over = once(live, "exit");
  live.kill("SIGTERM");
  await over;
  expect(readdirSync(parent)).toEqual([]);
});
