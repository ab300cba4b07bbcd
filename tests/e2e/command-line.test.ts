import { spawn } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { bin, demoFolder, follow, root, runCommand } from "../services/command-line.ts";

/** The program that package.json lists, in an empty folder, without a server. Slow tests are in command-line.long.test.ts. */

const place = mkdtempSync(join(tmpdir(), "clutchcast-cli-"));
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(place, "folder-"));
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

const reel = "highlights-reel.dem.gz";
const put = (name: string, to = name) => copyFileSync(join(demoFolder, name), join(folder, to));

test("what package.json calls clutchcast is what runs here", () => {
  const { bin: named, scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  expect(join(root, named.clutchcast)).toBe(bin);
  expect(scripts.clutchcast).toBe(`node ${named.clutchcast}`);
});

test("help and version go to standard output and end well; a wrong use to standard error, with 2", async () => {
  const help = await runCommand(folder, ["--help"]);
  expect(help).toMatchObject({ code: 0, stderr: "" });
  expect(help.stdout).toMatch(/^Usage: clutchcast COMMAND/);
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  expect(await runCommand(folder, ["--version"])).toEqual({ code: 0, stdout: `clutchcast ${version}\n`, stderr: "" });
  expect(await runCommand(folder, ["clip", "a.dem", "--wat"])).toEqual({
    code: 2,
    stdout: "",
    stderr: "clutchcast: There is no option “--wat”.\nTry: clutchcast clip --help\n",
  });
});

test("through npm, from another folder, relative paths are that folder's", async () => {
  put(reel);
  const npm = follow(
    spawn("npm", ["run", "--silent", "--prefix", root, "clutchcast", "--", "analyze", reel, "--by", "round"], {
      cwd: folder,
    }),
  );
  const { code, stdout } = await npm.ended;
  expect(code).toBe(0);
  expect(stdout).toContain("Dust II, Granite Row 3 : 6 Harbour Five, 9 rounds");
  expect(stdout).toContain(" 1      1  0:12  Ace              quietOtter        5 kills in 22.0 s");
  expect(readdirSync(folder)).toEqual([reel]);
});

test("of a bad file one sentence is said, without a stack, and the others are analyzed", async () => {
  mkdirSync(join(folder, "demos"));
  put(reel, "demos/good.dem.gz");
  writeFileSync(join(folder, "demos/empty.dem"), "");
  writeFileSync(join(folder, "demos/text.dem"), "A demo this is not.\n".repeat(100));
  const analyzed = await runCommand(folder, ["analyze", "demos", "--quiet"]);
  expect(analyzed.code).toBe(1);
  expect(analyzed.stderr.split("\n")).toEqual([
    "demos/empty.dem: The file is empty. Copy or download it again.",
    "demos/text.dem: The file is not a CS2 demo. We can read .dem, .dem.bz2, .dem.gz and .dem.zst files.",
    "",
  ]);
  expect(analyzed.stdout).toContain("Ace              quietOtter        5 kills in 22.0 s");
});

test("of what is not there, or has no demo in it, a sentence is said, and the others are done", async () => {
  put(reel);
  mkdirSync(join(folder, "empty"));
  const said = [
    "clutchcast: There is no file or folder “typo.dem”.",
    "clutchcast: There is no demo in the folder “empty” (.dem, .dem.bz2, .dem.gz, .dem.zst).",
  ];
  const { code, stdout, stderr } = await runCommand(folder, [
    "analyze",
    "typo.dem",
    reel,
    "empty",
    "--json",
    "--quiet",
  ]);
  expect(code).toBe(1);
  expect(stderr.split("\n")).toEqual([...said, ""]);
  expect(JSON.parse(stdout)).toMatchObject([
    { demo: "typo.dem", error: "There is no file or folder “typo.dem”." },
    { demo: "empty", error: expect.stringContaining("no demo") },
    { demo: reel, rounds: 9 },
  ]);
  writeFileSync(join(folder, "text.dem"), "A demo this is not.\n".repeat(100));
  for (const command of ["clip", "record"]) {
    const failed = await runCommand(folder, [command, "typo.dem", "text.dem", "empty", "--quiet"]);
    expect(failed.code).toBe(1);
    expect(failed.stderr.split("\n")).toEqual([
      ...said,
      expect.stringMatching(/^text.dem: The file is not a CS2 demo/),
      "",
    ]);
  }
});

test("where temporary files cannot be, it is the folder that is named, not the demo", async () => {
  put(reel);
  for (const command of ["analyze", "direction"]) {
    const { code, stderr } = await runCommand(folder, [command, reel], { TMPDIR: join(folder, "nowhere") });
    expect(code).toBe(1);
    expect(stderr).toContain(`The folder for temporary files, ${join(folder, "nowhere")}, is not there. Set TMPDIR`);
  }
});

test.each(["clip", "record"])(
  "%s takes one of two demos of one name in a folder, and says of the other that it is left out",
  async (command) => {
    mkdirSync(join(folder, "demos"));
    for (const name of ["match.dem", "match.dem.bz2"])
      writeFileSync(join(folder, "demos", name), "A demo this is not.\n".repeat(100));
    const { code, stderr } = await runCommand(folder, [command, "demos", "--quiet"]);
    expect(code).toBe(1);
    expect(stderr.split("\n")).toEqual([
      "demos/match.dem.bz2: Left out, since demos/match.dem has the same name.",
      "demos/match.dem: The file is not a CS2 demo. We can read .dem, .dem.bz2, .dem.gz and .dem.zst files.",
      "",
    ]);
  },
);

test("record writes what records a demo's best moments in the game, the same for both programs, and says how it is used", async () => {
  put(reel);
  const { code, stdout, stderr } = await runCommand(folder, ["record", reel, "--quiet", "-o", "game/"]);
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "", stderr: "" });
  expect(readdirSync(join(folder, "game")).sort()).toEqual(["highlights-reel.json", "highlights-reel.xml"]);
  const config = JSON.parse(readFileSync(join(folder, "game/highlights-reel.json"), "utf8")) as {
    sequences: { startTick: number; endTick: number; playerCameras: { playerName: string }[] }[];
  };
  expect(config).toMatchObject({
    demoPath: join(folder, "highlights-reel.dem"),
    ...{ width: 1280, height: 720, framerate: 60 },
  });
  // Its three best moments, each from before its first kill to after its last one, from the view of the player who has it.
  const { kills } = JSON.parse(readFileSync(join(demoFolder, "highlights-reel.expected.json"), "utf8")) as {
    kills: { round: number; tick: number; attacker: string }[];
  };
  const best: [number, string, number][] = [
    [1, "quietOtter", 5],
    [7, "northern_pike", 4],
    [8, "lampPost7", 5],
  ];
  expect(config.sequences).toHaveLength(best.length);
  for (const [i, [round, player, count]] of best.entries()) {
    const { startTick = 0, endTick = 0, playerCameras = [] } = config.sequences[i] ?? {};
    const ticks = kills.filter((kill) => kill.round === round && kill.attacker === player).map(({ tick }) => tick);
    expect(ticks, player).toHaveLength(count);
    expect(startTick, player).toBeLessThan(Math.min(...ticks));
    expect(endTick, player).toBeGreaterThan(Math.max(...ticks));
    expect(playerCameras.length, player).toBeGreaterThan(1);
    expect(new Set(playerCameras.map(({ playerName }) => playerName)), player).toEqual(new Set([player]));
  }
  const xml = readFileSync(join(folder, "game/highlights-reel.xml"), "utf8");
  const ticksOf = (command: string) =>
    [...xml.matchAll(new RegExp(`<c tick="(\\d+)">${command}</c>`, "g"))].map(([, tick]) => Number(tick));
  expect(ticksOf("mirv_streams record start")).toEqual(config.sequences.map(({ startTick }) => startTick));
  expect(ticksOf("mirv_streams record end")).toEqual(config.sequences.map(({ endTick }) => endTick));

  // Again, for one program only; existing files stay.
  const again = ["record", reel, "--round", "4", "-o", "game/highlights-reel.xml"];
  expect(await runCommand(folder, again)).toMatchObject({ code: 1, stdout: "" });
  expect(readFileSync(join(folder, "game/highlights-reel.xml"), "utf8")).toBe(xml);
  const forced = await runCommand(folder, [...again, "--force"]);
  expect(forced.code).toBe(0);
  expect(readFileSync(join(folder, "game/highlights-reel.xml"), "utf8")).not.toBe(xml);
  expect(readdirSync(join(folder, "game")).sort()).toEqual(["highlights-reel.json", "highlights-reel.xml"]);
  expect(forced.stdout.split("\n")).toEqual([
    `Unpack ${reel} first: the game reads .dem files alone.`,
    expect.stringContaining("game/highlights-reel.xml: put the demo into game/csgo as highlights-reel.dem"),
    '  playdemo "highlights-reel"',
    `  mirv_streams record name "${join(folder, "game/highlights-reel")}"`,
    `  mirv_cmd load "${join(folder, "game/highlights-reel.xml")}"`,
    expect.stringMatching(/^ {2}demo_gototick \d+$/),
    '  No command reliably finds O\'Marrow "Moss": choose them by hand.',
    "",
  ]);
});
