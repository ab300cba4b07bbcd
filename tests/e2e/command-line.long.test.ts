import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeEach, expect, test } from "vitest";
import { bin, demoFolder, follow, processesIn, runCommand, startCommand } from "../services/command-line.ts";
import { mp4Boxes, probeVideo } from "../services/video.ts";

/** The slow part of command-line.test.ts: whole matches, a full disk, a watched folder, output that nobody reads. */

const place = mkdtempSync(join(tmpdir(), "clutchcast-cli-"));
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(place, "folder-"));
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

const reel = "highlights-reel.dem.gz";
const put = (name: string, to = name) => copyFileSync(join(demoFolder, name), join(folder, to));
/** A clip of five seconds. */
const shortClip = ["--type", "knife_kill", "--lead-in", "0", "--lead-out", "-1.5"];

interface Analyzed {
  demo: string;
  map_name: string;
  rounds: number;
  highlights: { id: number; highlight_type: string; score: number; player_name: string; round_number: number }[];
}

test("a clip is made of a packed demo, whole, under its name alone, and is not overwritten", async () => {
  put(reel);
  const made = await runCommand(folder, ["clip", reel, ...shortClip, "-o", "clips/knife.mp4", "--json", "--quiet"]);
  expect(made.stderr).toBe("");
  expect(made.code).toBe(0);
  const file = join(folder, "clips/knife.mp4");
  const [told] = JSON.parse(made.stdout);
  expect(told).toMatchObject({
    demo: reel,
    file: "clips/knife.mp4",
    name: "quietOtter - Dust II Round 4 - Knife Kill",
    width: 1280,
    height: 720,
    highlights: [{ highlight_type: "knife_kill", player_name: "quietOtter", round_number: 4 }],
  });
  expect(told.bytes).toBe(readFileSync(file).length);
  const video = probeVideo(file);
  expect(video).toMatchObject({ codec: "h264", audioCodec: "aac", width: 1280, height: 720, framesPerSecond: 60 });
  expect(video.durationSeconds).toBeCloseTo(told.duration_seconds, 1);
  expect(mp4Boxes(file).slice(0, 2)).toEqual(["ftyp", "moov"]);
  expect(readdirSync(folder, { recursive: true }).sort()).toEqual(["clips", "clips/knife.mp4", reel]);

  expect(await runCommand(folder, ["clip", reel, ...shortClip, "-o", "clips/knife.mp4"])).toEqual({
    code: 1,
    stdout: "",
    stderr: `${reel}: “clips/knife.mp4” is there already. Overwrite it with --force, or name another file with -o.\n`,
  });
  expect(readFileSync(file).length).toBe(told.bytes);
});

test("Ctrl-C in the middle of a render leaves no process and no file", async () => {
  put(reel);
  const { child, ended } = startCommand(folder, ["clip", reel, "-o", "out.mp4", "--quiet"]);
  const isRendering = () =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).some((name) =>
      name.endsWith("video/.rendering/video.mp4"),
    );
  await expect.poll(isRendering, { timeout: 60_000, interval: 100 }).toBe(true);
  expect(processesIn(folder).length).toBeGreaterThan(0);
  child.kill("SIGINT");
  expect(await ended).toEqual({ code: 130, stdout: "", stderr: "" });
  expect(readdirSync(folder)).toEqual([reel]);
  await expect.poll(() => processesIn(folder)).toEqual([]);
});

test("whole matches, packed in every way, are analyzed at once", async () => {
  for (const name of ["match-de_nuke.dem.zst", "match-de_mirage.dem.bz2", "overtime-reconnect.dem.gz"]) put(name);
  const { code, stdout } = await runCommand(folder, ["analyze", ".", "--json", "--quiet", "--by", "round"]);
  expect(code).toBe(0);
  const matches: Analyzed[] = JSON.parse(stdout);
  expect(matches.map(({ map_name: map }) => map)).toEqual(["de_mirage", "de_nuke", expect.stringMatching(/^de_/)]);
  for (const { demo, rounds, highlights } of matches) {
    const name = demo.replace(/\.dem\.\w+$/, "");
    const expected = JSON.parse(readFileSync(join(demoFolder, `${name}.expected.json`), "utf8"));
    // Knife rounds do not count.
    expect(rounds, name).toBe(expected.rounds.filter(({ number }: { number: number }) => number > 0).length);
    expect(highlights.length, name).toBeGreaterThan(10);
    expect(highlights.map(({ id }) => id)).toEqual(highlights.map((_, i) => i + 1));
  }
  expect(readdirSync(folder)).toHaveLength(3);
});

test("the best moments of a whole match become an upright clip, read back frame by frame", async () => {
  put("match-de_nuke.dem.zst");
  const words = ["clip", "match-de_nuke.dem.zst", "--best", "2", "--format", "vertical", "-o", "best.mp4", "--json"];
  const { code, stdout } = await runCommand(folder, [...words, "--quiet"]);
  expect(code).toBe(0);
  const [told] = JSON.parse(stdout);
  expect(told.highlights).toHaveLength(2);
  const video = probeVideo(join(folder, "best.mp4"));
  expect(video).toMatchObject({ codec: "h264", audioCodec: "aac", width: 1080, height: 1920, framesPerSecond: 60 });
  expect(video.frames).toBe(Math.round(told.duration_seconds * 60));
  expect(readdirSync(folder).sort()).toEqual(["best.mp4", "match-de_nuke.dem.zst"]);
}, 600_000);

const mounting = ["--user", "--map-root-user", "--mount", "sh", "-c"];
const canMount = spawnSync("unshare", [...mounting, "mount -t tmpfs -o size=1m none /mnt"]).status === 0;

test.runIf(canMount)("a full disk is said, and keeps nothing of what was begun", async () => {
  put(reel);
  mkdirSync(join(folder, "disk"));
  // Room for the demo, which has 4 MB, but not for its video as well.
  const script = `mount -t tmpfs -o size=5m none disk && "$0" "$1" clip ${reel} -o disk/ --best 1 --quiet; echo "$?"; ls -A disk`;
  const unshared = spawn("unshare", [...mounting, script, process.execPath, bin], { cwd: folder });
  const { stdout, stderr } = await follow(unshared).ended;
  expect(stdout).toBe("1\n");
  expect(stderr).toBe(
    `${reel}: There is no room left in ${join(folder, "disk")}. Make some, or work in another folder.\n`,
  );
});

test("of a bad file one sentence is said, and of the others their clips are made", async () => {
  mkdirSync(join(folder, "demos"));
  put(reel, "demos/good.dem.gz");
  writeFileSync(join(folder, "demos/empty.dem"), "");
  writeFileSync(join(folder, "demos/text.dem"), "A demo this is not.\n".repeat(100));
  const packed = readFileSync(join(demoFolder, reel));
  writeFileSync(join(folder, "demos/cut-off.dem.gz"), packed.subarray(0, 400_000));
  writeFileSync(join(folder, "demos/damaged.dem.gz"), Buffer.from(packed).fill(0, 300_000, 300_100));
  const made = await runCommand(folder, ["clip", "demos", ...shortClip, "-o", "clips/", "--quiet"]);
  expect(made.code).toBe(1);
  expect(made.stderr.split("\n")).toEqual([
    "demos/cut-off.dem.gz: The demo ends too early: it is incomplete. Copy or download it again.",
    "demos/damaged.dem.gz: The archive is damaged and cannot be unpacked. Copy or download it again.",
    "demos/empty.dem: The file is empty. Copy or download it again.",
    "demos/text.dem: The file is not a CS2 demo. We can read .dem, .dem.bz2, .dem.gz and .dem.zst files.",
    "",
  ]);
  expect(made.stdout).toMatch(/^clips\/good.mp4: \d+\.\d s, \d+\.\d MB, Knife Kill of quietOtter, round 4\n$/);
  expect(readdirSync(join(folder, "clips"))).toEqual(["good.mp4"]);
});

test("a watched folder gets a clip of each demo, once, until Ctrl-C ends it cleanly", async () => {
  mkdirSync(join(folder, "in"));
  const words = ["clip", "--watch", "in", ...shortClip, "-o", "out/"];
  const { child, ended } = startCommand(folder, words);
  const clip = (name: string) => join(folder, `out/${name}.mp4`);
  put(reel, "in/first.dem.gz");
  writeFileSync(join(folder, "in/cut-off.dem.gz"), readFileSync(join(demoFolder, reel)).subarray(0, 400_000));
  await expect.poll(() => existsSync(clip("first")), { timeout: 120_000, interval: 500 }).toBe(true);
  put(reel, "in/second.dem.gz");
  await expect.poll(() => existsSync(clip("second")), { timeout: 120_000, interval: 500 }).toBe(true);
  child.kill("SIGINT");
  const first = await ended;
  expect(first.code).toBe(130);
  expect(first.stdout.split("\n").map((line) => line.split(":")[0])).toEqual(["out/first.mp4", "out/second.mp4", ""]);
  // Tried only once, since it has not changed.
  expect(first.stderr.match(/in\/cut-off\.dem\.gz: The demo ends too early/g)).toHaveLength(1);
  expect(readdirSync(join(folder, "out")).sort()).toEqual(["first.mp4", "second.mp4"]);
  expect(processesIn(folder)).toEqual([]);

  const made = statSync(clip("first")).mtimeMs;
  const again = startCommand(folder, words);
  put(reel, "in/third.dem.gz");
  await expect.poll(() => existsSync(clip("third")), { timeout: 120_000, interval: 500 }).toBe(true);
  again.child.kill("SIGINT");
  expect((await again.ended).stdout.trim().split("\n")).toHaveLength(1);
  expect(statSync(clip("first")).mtimeMs).toBe(made);
}, 480_000);

test("of two demos of one name in a watched folder one is taken, and the other is said once to be left out", async () => {
  mkdirSync(join(folder, "in"));
  put(reel, "in/twin.dem.gz");
  writeFileSync(join(folder, "in/twin.dem"), gunzipSync(readFileSync(join(demoFolder, reel))));
  const { child, ended } = startCommand(folder, ["clip", "--watch", "in", ...shortClip, "-o", "out/", "--force"]);
  const clip = (name: string) => join(folder, `out/${name}.mp4`);
  await expect.poll(() => existsSync(clip("twin")), { timeout: 120_000, interval: 500 }).toBe(true);
  put(reel, "in/zzz.dem.gz");
  await expect.poll(() => existsSync(clip("zzz")), { timeout: 120_000, interval: 500 }).toBe(true);
  child.kill("SIGINT");
  const { stdout, stderr } = await ended;
  expect(stdout.split("\n").map((line) => line.split(":")[0])).toEqual(["out/twin.mp4", "out/zzz.mp4", ""]);
  expect(stderr.split("\n").filter((line) => line.includes("Left out"))).toEqual([
    "in/twin.dem.gz: Left out, since in/twin.dem has the same name and “out/twin.mp4” is there.",
  ]);
}, 300_000);

test("a demo whose reading somebody ends is tried again as it is, and said to be", async () => {
  mkdirSync(join(folder, "in"));
  put(reel, "in/ended.dem.gz");
  const { child, ended } = startCommand(folder, ["clip", "--watch", "in", ...shortClip, "-o", "out/", "--quiet"]);
  // Only the reader itself: shells with the same name prepare its containment before it runs.
  const readers = () =>
    processesIn(folder).filter((pid) => {
      const [program = "", ...given] = commandOf(pid).split("\0");
      return program === process.execPath && given.some((word) => word.includes("parse-process"));
    });
  await expect.poll(() => readers().length, { timeout: 60_000, interval: 20 }).toBeGreaterThan(0);
  process.kill(Math.max(...readers()), "SIGKILL");
  await expect.poll(() => existsSync(join(folder, "out/ended.mp4")), { timeout: 120_000, interval: 500 }).toBe(true);
  child.kill("SIGINT");
  expect((await ended).stderr.split("\n")).toEqual([
    "in/ended.dem.gz: Somebody else ended the work, or it stood still. Try again.",
    "in/ended.dem.gz: It is tried again in 10 seconds, or when the file changes.",
    "",
  ]);
}, 240_000);

const commandOf = (pid: number) => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
};

/** Root can read everything, so it drops that capability first. */
const isRoot = process.getuid?.() === 0;
const capabilities = "-dac_override,-dac_read_search";
const withoutRights = isRoot ? ["setpriv", `--bounding-set=${capabilities}`, `--inh-caps=${capabilities}`] : [];
const canBeRefused = !isRoot || spawnSync("setpriv", [...withoutRights.slice(1), "true"]).status === 0;

test.runIf(canBeRefused)(
  "a demo that may not be read yet is tried again once it may",
  async () => {
    mkdirSync(join(folder, "in"));
    put(reel, "in/locked.dem.gz");
    chmodSync(join(folder, "in/locked.dem.gz"), 0);
    const words = [process.execPath, bin, "clip", "--watch", "in", ...shortClip, "-o", "out/", "--quiet"];
    const [program = "", ...given] = [...withoutRights, ...words];
    const child = spawn(program, given, { cwd: folder });
    let said = "";
    child.stderr.on("data", (bytes) => {
      said += bytes;
    });
    const { ended } = follow(child);
    await expect.poll(() => said, { timeout: 60_000, interval: 200 }).toContain("It is tried again in 10 seconds");
    chmodSync(join(folder, "in/locked.dem.gz"), 0o644);
    await expect.poll(() => existsSync(join(folder, "out/locked.mp4")), { timeout: 120_000, interval: 500 }).toBe(true);
    child.kill("SIGINT");
    expect((await ended).code).toBe(130);
    expect(said.split("\n")).toEqual([
      "in/locked.dem.gz: The file may not be read. Give yourself the right to.",
      "in/locked.dem.gz: It is tried again in 10 seconds, or when the file changes.",
      "",
    ]);
  },
  240_000,
);

test.each(["./data", "data"])(
  "serve starts the website from any folder, on the data in %s that it is given",
  async (data) => {
    const { child, ended } = startCommand(folder, ["serve"], {
      NODE_ENV: "production",
      PORT: "0",
      DATA_DIR: data,
      HISTORY_PROVIDER: "none",
      LOG_LEVEL: "silent",
    });
    const address = await new Promise<string>((resolve, reject) => {
      let said = "";
      child.stdout?.on("data", (bytes) => {
        said += bytes;
        const found = /http:\/\/localhost:\d+/.exec(said)?.[0];
        if (found) resolve(found);
      });
      child.once("exit", () => reject(new Error(`It ended: ${said}`)));
    });
    expect((await fetch(`${address}/healthz`)).status).toBe(200);
    child.kill("SIGINT");
    expect((await ended).code).toBe(0);
    expect(existsSync(join(folder, "data/postgres"))).toBe(true);
  },
);

test("whoever reads only the beginning ends the command without a word", async () => {
  put(reel);
  // Quiet, since a busy machine may take ten seconds, after which progress is printed.
  const pipe = `"$0" "$1" analyze --quiet ${reel} ${reel} | head -n 1; echo "\${PIPESTATUS[0]}"`;
  const { code, stdout, stderr } = await follow(spawn("bash", ["-c", pipe, process.execPath, bin], { cwd: folder }))
    .ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(new RegExp(`^${reel}\n(0|141)\n$`));
});

test.runIf(existsSync("/dev/full"))("an answer that finds no room is not taken for told", async () => {
  put(reel);
  const redirected = `"$0" "$1" analyze ${reel} --quiet > /dev/full`;
  const { code, stderr } = await follow(spawn("bash", ["-c", redirected, process.execPath, bin], { cwd: folder }))
    .ended;
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr:
      "clutchcast: The answer could not be written to standard output (ENOSPC): make room, or write it elsewhere.\n",
  });
});

test("direction judges a demo, and a wrong word is a wrong use", async () => {
  put(reel);
  const judged = await runCommand(folder, ["direction", "--json", "--format", "720p", reel]);
  expect(judged.code).toBe(0);
  expect(Object.keys(JSON.parse(judged.stdout))).toEqual(["720p"]);
  const wrong = await runCommand(folder, ["direction", "--wat", reel]);
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toBe("clutchcast: There is no option “--wat”.\nTry: clutchcast direction --help\n");
  mkdirSync(join(folder, "demos"));
  put(reel, "demos/good.dem.gz");
  writeFileSync(join(folder, "demos/bad.dem"), "A demo this is not.\n".repeat(100));
  const several = await runCommand(folder, ["direction", "--json", "--format", "vertical", "typo.dem", "demos"]);
  expect(several.code).toBe(1);
  expect(Object.keys(JSON.parse(several.stdout))).toEqual(["vertical"]);
  expect(several.stderr).toContain("There is no file or folder “typo.dem”.");
  expect(several.stderr).toMatch(/^demos\/bad\.dem: The file is not a CS2 demo/m);
});

test("accuracy compares a demo with the independent analyzer", async () => {
  put(reel);
  const { code, stdout } = await runCommand(folder, ["accuracy", reel]);
  expect(code).toBe(0);
  expect(stdout).toContain(reel);
});
