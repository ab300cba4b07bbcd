import { expect, test } from "vitest";
import { UsageError } from "./cli-error.ts";
import { readArguments } from "./read-arguments.ts";
import { commandNames, usageOf } from "./usage.ts";

const read = (line: string) => readArguments(line.split(" ").filter(Boolean));

function complaintOf(line: string): string {
  try {
    read(line);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  throw new Error(`“${line}” was taken.`);
}

const answerTo = (line: string) => {
  try {
    return JSON.stringify(read(line));
  } catch (error) {
    return String(error);
  }
};

test("a clip is asked for as the issue writes it", () => {
  expect(read("clip match.dem --best 3 -o out.mp4 --format vertical --player NAME --type ace")).toEqual({
    name: "clip",
    demos: ["match.dem"],
    watched: null,
    wanted: { best: 3, players: ["NAME"], types: ["ace"], rounds: [], picks: [] },
    output: "out.mp4",
    isForced: false,
    format: "vertical",
    title: "",
    order: "match",
    leadIn: null,
    leadOut: null,
    shown: { xray: true, hud: true, radar: true, killfeed: true, highlight_info: true },
    isJson: false,
    isQuiet: false,
  });
});

test("a command without options takes the defaults, and a demo after -- may begin with a dash", () => {
  expect(read("analyze a.dem b.dem")).toMatchObject({ demos: ["a.dem", "b.dem"], by: "score", isJson: false });
  expect(read("analyze --json -- -a.dem")).toMatchObject({ demos: ["-a.dem"], isJson: true });
});

test("types are taken by id, label and category; seconds may be negative", () => {
  const { wanted, leadOut } = read("clip a.dem --type No-Scope --type clutch,zeuskill --lead-out -1.5") as {
    wanted: object;
    leadOut: number;
  };
  expect(wanted).toMatchObject({
    types: ["no_scope", "clutch_1v2", "clutch_1v3", "clutch_1v4", "clutch_1v5", "taser_kill"],
  });
  expect(leadOut).toBe(-1.5);
  expect(read("clip a.dem --lead-in=0 --round 3,12 --no-hud --no-captions")).toMatchObject({
    leadIn: 0,
    wanted: { rounds: [3, 12] },
    shown: { hud: false, highlight_info: false, xray: true },
  });
});

test.each([
  ["bogus", /no command “bogus”/],
  ["match.dem", /Did you mean “clutchcast analyze match.dem”/],
  ["--best 3 clip", /A command comes first/],
  ["analyze", /Which demo/],
  ["clip --best 3", /Which demo/],
  ["clip a.dem --wat", /no option “--wat”/],
  ["clip a.dem --output", /“--output” needs a value/],
  ["clip a.dem --force=yes", /“--force” takes no value/],
  ["clip a.dem --best 0", /--best is a whole number from 1 to 5, not “0”/],
  ["clip a.dem --best 6", /from 1 to 5/],
  ["clip a.dem --best 1.5", /from 1 to 5/],
  ["clip a.dem --best=", /from 1 to 5/],
  ["clip a.dem --type duck", /no type “duck”. The types: ace/],
  ["clip a.dem --type toString", /no type “toString”/],
  ["clip a.dem --round x", /--round is a number/],
  ["clip a.dem --pick 1,2 --best 1", /--pick names the highlights itself/],
  ["clip a.dem --pick 1,2,3,4,5,6", /at most 5/],
  ["clip a.dem --format 4k", /one of 720p, 1080p, vertical, not “4k”/],
  ["clip a.dem --lead-in 6", /from 0 to 5/],
  ["clip a.dem --lead-out nine", /from -1.5 to 5/],
  ["clip a.dem --order random", /match or chosen/],
  ["clip --watch demos a.dem", /leave out “a.dem”/],
  ["clip --watch=", /needs a folder/],
  ["analyze a.dem --force", /no option “--force”/],
  ["direction", /Which demo/],
  ["direction a.dem --format 720p --format 4k", /one of 720p, 1080p, vertical, not “4k”/],
  ["direction a.dem --wat", /no option “--wat”/],
  ["accuracy", /Which demo/],
  ["accuracy a.dem --write", /no option “--write”/],
  ["serve --port 8080", /no option “--port”/],
  ["serve now", /“serve” takes no “now”: settings are environment variables/],
  ["record a.dem --no-radar", /no option “--no-radar”/],
  ["record a.dem --best 6", /from 1 to 5/],
])("“%s” is a wrong use, and the sentence says what is wrong", (line, sentence) => {
  expect(complaintOf(line)).toMatch(sentence);
});

test("help and version are where people look for them", () => {
  for (const line of ["", "--help", "-h", "help", "help help", "help --help"])
    expect(read(line)).toEqual({ name: "help", about: null });
  for (const line of ["--version", "-V", "version"]) expect(read(line)).toEqual({ name: "version" });
  for (const command of commandNames) {
    expect(read(`${command} --help`)).toEqual({ name: "help", about: command });
    expect(read(`help ${command}`)).toEqual({ name: "help", about: command });
    for (const option of ["--version", "-V"]) expect(read(`${command} ${option}`)).toEqual({ name: "version" });
  }
  expect(complaintOf("help nonsense")).toBe(complaintOf("nonsense"));
  expect(complaintOf("help nonsense")).toMatch(/There is no command “nonsense”/);
});

test("every option that help names is known, and help fits 120 columns", () => {
  for (const command of commandNames) {
    const usage = usageOf(command);
    expect(Math.max(...usage.split("\n").map((line) => line.length))).toBeLessThanOrEqual(120);
    for (const option of new Set(usage.match(/--[a-z-]+/g))) {
      expect(answerTo(`${command} ${command === "serve" ? "" : "a.dem"} ${option}`), option).not.toMatch(/no option/);
    }
  }
});
