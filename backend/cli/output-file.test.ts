import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { demosOf, findDemos, withoutTwins } from "./find-demos.ts";
import { besideTarget, planOutputs, putInPlace, refuseToOverwrite } from "./output-file.ts";

const root = mkdtempSync(join(tmpdir(), "clutchcast-cli-"));
let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(root, "cwd-"));
});
afterAll(() => rmSync(root, { recursive: true }));

const put = (name: string, content = "") => writeFileSync(join(cwd, name), content);
const plan = async (words: string[], output: string | null, say: string[] = []) => {
  const { demos: found } = await findDemos(words, cwd);
  const demos = withoutTwins(found, (sentence) => say.push(sentence));
  const tasks = await planOutputs(demos, { output, ending: ".mp4", cwd, command: "clip" });
  return tasks.map(({ demo, target }) => `${demo.shown} -> ${target.shown}`);
};

test("demos are found by name and in folders, each once, and what is none is left alone", async () => {
  mkdirSync(join(cwd, "demos/deeper.dem"), { recursive: true });
  for (const name of ["b.dem.bz2", "a.DEM", "c.dem.zst", "d.dem.gz", "a.dem.info", "readme.txt"]) put(`demos/${name}`);
  put("odd name");
  mkdirSync(join(cwd, "empty"));
  const named = ["nowhere.dem", "odd name", "/dev/null", "demos", "demos/a.DEM", "empty"];
  const { demos, missing } = await findDemos(named, cwd);
  expect(demos.map(({ shown }) => shown)).toEqual([
    "odd name",
    "demos/a.DEM",
    "demos/b.dem.bz2",
    "demos/c.dem.zst",
    "demos/d.dem.gz",
  ]);
  expect(missing.map(({ shown, error }) => [shown, error.message])).toEqual([
    ["nowhere.dem", "There is no file or folder “nowhere.dem”."],
    ["/dev/null", "“/dev/null” is neither a file nor a folder."],
    ["empty", "There is no demo in the folder “empty” (.dem, .dem.bz2, .dem.gz, .dem.zst)."],
  ]);
  await expect(demosOf(join(cwd, "gone"), "gone")).rejects.toThrow("There is no file or folder “gone”.");
});

test("outputs are named after their demos, in the current folder, in a folder, or by name", async () => {
  mkdirSync(join(cwd, "clips"));
  for (const name of ["a.dem.gz", "b.dem", "odd"]) put(name);
  expect(await plan(["a.dem.gz", "b.dem", "odd"], null)).toEqual([
    "a.dem.gz -> a.mp4",
    "b.dem -> b.mp4",
    "odd -> odd.mp4",
  ]);
  expect(await plan(["a.dem.gz", "b.dem"], "clips")).toEqual(["a.dem.gz -> clips/a.mp4", "b.dem -> clips/b.mp4"]);
  expect(await plan(["b.dem"], "new/")).toEqual(["b.dem -> new/b.mp4"]);
  expect(await plan(["b.dem"], "best.MP4")).toEqual(["b.dem -> best.MP4"]);
});

test("what cannot be meant is a wrong use", async () => {
  for (const name of ["a.dem.gz", "a.dem", "b.dem"]) put(name);
  await expect(plan(["b.dem"], "best.avi")).rejects.toThrow(/does not end with .mp4/);
  await expect(plan(["a.dem", "b.dem"], "best.mp4")).rejects.toThrow(/2 demos do not fit into the one file/);
  await expect(plan(["a.dem", "a.dem.gz"], null)).rejects.toThrow("“a.dem” and “a.dem.gz” would both become “a.mp4”");
});

test("of demos of one name in a folder the first is taken and the others said to be left out, those named by hand are a wrong use", async () => {
  for (const folder of ["demos", "more"]) mkdirSync(join(cwd, folder));
  for (const name of ["a.dem", "a.dem.bz2", "a.dem.gz", "b.dem.zst", "B.dem"]) put(`demos/${name}`);
  put("more/b.dem");
  const said: string[] = [];
  expect(await plan(["demos"], "clips/", said)).toEqual([
    "demos/B.dem -> clips/B.mp4",
    "demos/a.dem -> clips/a.mp4",
    "demos/b.dem.zst -> clips/b.mp4",
  ]);
  expect(said).toEqual([
    "demos/a.dem.bz2: Left out, since demos/a.dem has the same name.",
    "demos/a.dem.gz: Left out, since demos/a.dem has the same name.",
  ]);
  await expect(plan(["demos/a.dem", "demos/a.dem.bz2"], null)).rejects.toThrow("would both become “a.mp4”");
  await expect(plan(["demos", "demos/a.dem.bz2"], null)).rejects.toThrow("would both become “a.mp4”");
  // Of two folders: perhaps two matches.
  await expect(plan(["demos", "more"], null)).rejects.toThrow("“demos/b.dem.zst” and “more/b.dem” would both become");
});

test("nothing is overwritten unless it is asked for, not even what came while the work was done", async () => {
  const target = { path: join(cwd, "out.mp4"), shown: "out.mp4" };
  await refuseToOverwrite(target, false);
  await besideTarget(target, async (folder) => {
    writeFileSync(join(folder, "video"), "ours");
    put("out.mp4", "theirs");
    await expect(putInPlace(join(folder, "video"), target, false)).rejects.toThrow(/is there already/);
    expect(readFileSync(target.path, "utf8")).toBe("theirs");
    await expect(refuseToOverwrite(target, false)).rejects.toThrow(/--force/);
    await refuseToOverwrite(target, true);
    await putInPlace(join(folder, "video"), target, true);
  });
  expect(readFileSync(target.path, "utf8")).toBe("ours");
  expect(readdirSync(cwd)).toEqual(["out.mp4"]);
});

test("the folder of the work is gone after a failure, and one that cannot be made is said", async () => {
  const target = { path: join(cwd, "deep/out.mp4"), shown: "deep/out.mp4" };
  const failure = besideTarget(target, async (folder) => {
    writeFileSync(join(folder, "half"), "");
    throw new Error("half way");
  });
  await expect(failure).rejects.toThrow("half way");
  expect(readdirSync(join(cwd, "deep"))).toEqual([]);
  put("file");
  const inFile = besideTarget({ path: join(cwd, "file/out.mp4"), shown: "file/out.mp4" }, async () => {});
  await expect(inFile).rejects.toThrow(/The folder of “file\/out.mp4” is a file/);
});
