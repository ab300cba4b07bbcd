import { execFile } from "node:child_process";
import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { clipFormats } from "../../contract/clip-formats.ts";
import { root } from "./test-titles.ts";

const demo = (name: string) => `${root}tests/fixtures/demos/cases/${name}.dem.gz`;

const { BUILT_CHILDREN } = process.env;
const program = BUILT_CHILDREN
  ? [join(BUILT_CHILDREN, "direction.js")]
  : ["--import", "tsx", `${root}scripts/direction.ts`];

async function direction(...given: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  try {
    return { code: 0, ...(await promisify(execFile)(process.execPath, [...program, ...given], { cwd: root })) };
  } catch (error) {
    return error as { code: number; stdout: string; stderr: string };
  }
}

const measures = [
  "kills",
  "hidden",
  "wrongHeadline",
  "toldEarly",
  "notShown",
  "cutShort",
  "idleShare",
  "smallestTextPx390",
  "panelShare",
  "offGroundShare",
  "belowSmoke",
];

let killsOfWingman = 0;

test("the direction of a demo's clips is JSON by format, and nothing else is on standard output", async () => {
  const { code, stdout } = await direction("--json", demo("wingman"));
  expect(code).toBe(0);
  const figures: Record<string, Record<string, number>> = JSON.parse(stdout);
  expect(Object.keys(figures)).toEqual(Object.keys(clipFormats));
  for (const ofFormat of Object.values(figures)) {
    expect(Object.keys(ofFormat)).toEqual(measures);
    expect(ofFormat.kills).toBeGreaterThan(0);
    expect(ofFormat.kills).toBe(figures["720p"]?.kills);
    killsOfWingman = ofFormat.kills ?? 0;
    expect(ofFormat.smallestTextPx390).toBeGreaterThanOrEqual(9);
    expect(ofFormat.panelShare).toBeGreaterThan(0);
    for (const [measure, value] of Object.entries(ofFormat)) {
      if (measure.endsWith("Share")) expect(value, measure).toBeLessThan(1);
      else if (measure !== "smallestTextPx390") expect(value, measure).toSatisfy(Number.isInteger);
    }
  }
});

test("several demos, and those of a folder, are judged together, each once; one that is none keeps none of them", async () => {
  const folder = await mkdtemp(join(tmpdir(), "direction-"));
  try {
    await copyFile(demo("wingman"), join(folder, "again.dem.gz"));
    await writeFile(join(folder, "none.dem"), "A demo this is not.\n".repeat(100));
    const given = ["--json", "--format", "720p", demo("wingman"), demo("wingman"), folder];
    const { code, stdout, stderr } = await direction(...given);
    expect(killsOfWingman, "of the test before").toBeGreaterThan(0);
    expect(JSON.parse(stdout)["720p"].kills).toBe(2 * killsOfWingman);
    expect([code, stderr]).toEqual([1, expect.stringContaining("none.dem: The file is not a CS2 demo")]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

/** The four real matches of the tests. */
const matches = [
  "tests/fixtures/demos/match-de_mirage.dem.bz2",
  "tests/fixtures/demos/match-de_nuke.dem.zst",
  "tests/fixtures/demos/match-de_dust2-overtime.dem.zst",
  "backend/matches/sample/sample-match.dem.zst",
];

// Hundreds of clips, each in three formats.
test("the clips of four whole matches are directed within the limits of docs/direction.md, in every format", async () => {
  const { code, stdout } = await direction("--json", ...matches.map((path) => `${root}${path}`));
  expect(code).toBe(0);
  const figures: Record<string, Record<string, number>> = JSON.parse(stdout);
  expect(Object.keys(figures)).toEqual(Object.keys(clipFormats));
  for (const ofFormat of Object.values(figures)) {
    const { kills, idleShare, smallestTextPx390, panelShare, offGroundShare, ...faults } = ofFormat;
    expect(kills).toBeGreaterThan(300);
    expect(faults).toEqual({ hidden: 0, wrongHeadline: 0, toldEarly: 0, notShown: 0, cutShort: 0, belowSmoke: 0 });
    expect(idleShare).toBeLessThanOrEqual(0.08);
    expect(smallestTextPx390).toBeGreaterThanOrEqual(9);
    expect(panelShare).toBeLessThanOrEqual(0.15);
    expect(offGroundShare).toBeLessThanOrEqual(0.02);
  }
}, 900_000);

test("without a demo the command says how it is used", async () => {
  const { code, stdout, stderr } = await direction("--json");
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain("npm run direction");
});
