import { expect, test } from "vitest";
import { z } from "zod";
import { textLimits } from "../../../contract/text-limits.ts";
import type { ClipSegment, ClipSpec } from "../../../replay/clip-spec.ts";
import { csdmConfig } from "./csdm-config.ts";
import { hlaeCommands, hlaeFirstTick, unsayableNames } from "./hlae-commands.ts";
import { type RecordedClip, recordedTakes } from "./recorded-takes.ts";

/*
 * What the programs make of our files, by the rules of their sources as of July 2026: CS Demo Manager's types and the loader in
 * `video-command.ts` (8961f50), HLAE's `CommandSystem::Load` and `OnExecuteCommands` (3e860f5).
 */

const settings = { xray: true, hud: true, radar: true, killfeed: true, highlightInfo: true, watermark: false };
const segment = (startTick: number, endTick: number, player: number): ClipSegment => ({
  round: 1,
  startTick,
  endTick,
  player,
  captions: [],
});
const steamId = (n: number) => `7656119999990000${n}`;
const players = [
  { name: "fox", steam_id: steamId(0), team: 0 as const },
  { name: "Let's & <go> # 1 // 2 /* 3 */", steam_id: steamId(1), team: 1 as const },
  { name: 'x"; quit; "', steam_id: steamId(2), team: 1 as const },
  { name: "BOT Ivan", steam_id: null, team: 1 as const },
  { name: "\\", steam_id: steamId(4), team: 1 as const },
];

function clipOf(segments: ClipSegment[], name = "An ace", spec: Partial<ClipSpec> = {}): RecordedClip {
  const whole = {
    version: 1 as const,
    segments,
    settings,
    title: name,
    width: 1280,
    height: 720,
    framesPerSecond: 60,
    ...spec,
  };
  return { spec: whole, players, tickRate: 64, name };
}

/** Two segments that follow one another, one far later, one of an earlier round. */
const clip = clipOf([
  segment(5000.5, 5400.25, 0),
  segment(5400.25, 5600, 1),
  segment(9000, 9300, 0),
  segment(2000, 2100, 3),
]);

/** `VideoCommandConfig`, with nothing that it does not have. */
const csdmFile = z.strictObject({
  demoPath: z.string().endsWith(".dem"),
  recordingSystem: z.enum(["CS", "HLAE"]).optional(),
  recordingOutput: z.enum(["video", "images", "images-and-video"]).optional(),
  encoderSoftware: z.enum(["FFmpeg", "VirtualDub"]).optional(),
  framerate: z.int().positive().optional(),
  width: z.int().min(800).optional(),
  height: z.int().min(600).optional(),
  closeGameAfterRecording: z.boolean().optional(),
  trueView: z.boolean(),
  concatenateSequences: z.boolean().optional(),
  outputFileName: z.string().optional(),
  outputFolderPath: z.string().optional(),
  sequences: z
    .array(
      z.strictObject({
        number: z.int().positive(),
        startTick: z.int().positive(),
        endTick: z.int().positive(),
        showXRay: z.boolean(),
        showAssists: z.boolean(),
        showOnlyDeathNotices: z.boolean(),
        playersOptions: z.array(z.never()),
        playerCameras: z.array(
          z.strictObject({
            tick: z.int().positive(),
            playerSteamId: z.string().regex(/^7656\d{13}$/),
            playerName: z.string(),
          }),
        ),
        cameras: z.array(z.never()),
        playerVoicesEnabled: z.boolean(),
        recordAudio: z.boolean(),
        deathNoticesDuration: z.number(),
        cfg: z.string().optional(),
      }),
    )
    .min(1),
});

/** What csdm reads of a file: comments go first, whatever they stand in. */
function readByCsdm(file: string) {
  const withoutHashes = file
    .split("\n")
    .map((line) => line.split("#")[0])
    .join("\n");
  const bare = withoutHashes.replace(/\/\/.*/g, "").replace(/\/\*[\s\S]*?\*\//g, "");
  return csdmFile.parse(JSON.parse(bare.trim()));
}

test("takes are in the order of the demo, numbered as the clip shows them, in whole ticks", () => {
  expect(recordedTakes(clip).map(({ number, startTick, endTick }) => [number, startTick, endTick])).toEqual([
    [3, 2000, 2100],
    [1, 5000, 5600],
    [2, 9000, 9300],
  ]);
});

test("CS Demo Manager reads its config, and nothing of a name is a comment", () => {
  const name = 'fox # 1 // http://x /* y */ "z"';
  const config = readByCsdm(csdmConfig({ ...clip, name }, "C:\\demos\\cs2 // #1/match.dem"));
  expect(config).toMatchObject({
    demoPath: "C:\\demos\\cs2 // #1/match.dem",
    outputFileName: "fox 1 http x y z",
    framerate: 60,
    width: 1280,
    height: 720,
    concatenateSequences: true,
  });
  expect(config.sequences[0]?.playerCameras.find(({ tick }) => tick >= 5400)).toMatchObject({
    playerSteamId: steamId(1),
    playerName: "Let's & <go> # 1 // 2 /* 3 */",
  });
});

test("nothing of a clip's name is anything to a shell, to csdm's placeholders or to a file system", () => {
  const nameOf = (name: string) => readByCsdm(csdmConfig({ ...clip, name }, "match.dem")).outputFileName;
  expect(nameOf("$(touch x) `id` %PATH% {map} a/b\\c | d > e & f; g ! h ^ i")).toBe(
    "touch x id PATH map a b c d e f g h i",
  );
  expect(nameOf("-vf Ace by Жук 狐 é_1.2")).toBe("vf Ace by Жук 狐 é_1.2");
  expect(nameOf("../../.ssh/x.")).toBe("ssh x");
  expect(nameOf("\u202E$(`)`")).toBe("clip");
  expect(nameOf("long ".repeat(60))?.length).toBeLessThanOrEqual(80);
});

test("CS Demo Manager records as the demo goes, and joins as the clip has it, before July 2026 and since", () => {
  const { sequences } = readByCsdm(csdmConfig(clip, "match.dem"));
  const ticks = (joined: typeof sequences) => joined.map(({ startTick, endTick }) => [startTick, endTick]);
  const asShown = [
    [5000, 5600],
    [9000, 9300],
    [2000, 2100],
  ];
  // `concatenateVideosFromSequences`: as they stand until b2f06453, since then by `sortSequencesByNumber`.
  expect(ticks(sequences)).toEqual(asShown);
  expect(ticks([...sequences].sort((a, b) => a.number - b.number))).toEqual(asShown);
  expect(new Set(sequences.map(({ number }) => number)).size).toBe(sequences.length);
});

test("it says every half second whom to look at, from the first tick to the last, and of a bot nothing", () => {
  const { sequences } = readByCsdm(csdmConfig(clip, "match.dem"));
  const [first, , ofBot] = sequences;
  expect(ofBot?.playerCameras).toEqual([]);
  const ticks = first?.playerCameras.map(({ tick }) => tick) ?? [];
  expect(ticks[0]).toBe(5000);
  expect(ticks).toContain(5400);
  const gaps = [...ticks, first?.endTick ?? 0].map((tick, i, all) => tick - (all[i - 1] ?? 5000));
  expect(Math.max(...gaps)).toBeLessThanOrEqual(32);
  expect(Math.min(...gaps.slice(1))).toBeGreaterThan(0);
});

test("without display the game shows deaths alone, and without x-ray none", () => {
  const plain = clipOf([segment(100, 400, 0)], "plain", { settings: { ...settings, hud: false, xray: false } });
  const [only] = readByCsdm(csdmConfig(plain, "match.dem")).sequences;
  expect(only).toMatchObject({ showOnlyDeathNotices: true, showXRay: false });
  expect(hlaeCommands(plain)).toContain("spec_show_xray 0; cl_draw_only_deathnotices 1");
});

/** What rapidxml gives HLAE: `c` elements below `commands` below `commandSystem`, their `tick` and their text. */
function readByHlae(file: string): { tick: number; text: string }[] {
  const root =
    /^<\?xml version="1\.0" encoding="utf-8"\?>\s*<commandSystem>\s*<commands>([\s\S]*)<\/commands>\s*<\/commandSystem>\s*$/;
  const body = root.exec(file)?.[1];
  if (body === undefined) throw new Error("It has not the shape that is read.");
  const commands: { tick: number; text: string }[] = [];
  const rest = body.replace(/<c tick="(\d+)">([^<>]*)<\/c>/g, (_, tick: string, text: string) => {
    if (/&(?!(?:amp|lt|gt|quot|apos);)/.test(text)) throw new Error(`A stray & in ${text}`);
    const plain = text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
    commands.push({ tick: Number(tick), text: plain });
    return "";
  });
  expect(rest.trim()).toBe("");
  return commands;
}

/** Plays a demo, tick by tick: what lies between the last tick and this one is run; a jump moves playback on. */
function playWithHlae(file: string, from: number) {
  const commands = readByHlae(file);
  const takes: { from: number; to: number; seen: Map<number, string> }[] = [];
  let isRecording = false;
  let watched = "";
  let tick = from;
  let last = from - 1;
  for (let steps = 0; steps < 100_000; steps++) {
    const due = commands.filter((command) => command.tick > last && command.tick <= tick);
    let next = tick + 1;
    for (const { text } of due) {
      // The console's own way: outside of quotes a semicolon ends a command.
      for (const command of text.match(/(?:[^;"]|"[^"]*")+/g) ?? []) {
        const words = command.trim();
        if (words === "quit") throw new Error("A name has run a command.");
        const player = /^spec_player "(.*)"$/.exec(words)?.[1];
        if (player !== undefined) watched = player;
        if (words === "mirv_streams record start") {
          isRecording = true;
          takes.push({ from: tick, to: tick, seen: new Map() });
        }
        if (words === "mirv_streams record end") isRecording = false;
        if (words === "demo_pause") return takes;
        const goTo = /^demo_gototick (\d+)$/.exec(words)?.[1];
        if (goTo) next = Number(goTo);
      }
    }
    const take = takes.at(-1);
    if (isRecording && take) take.seen.set(tick, watched);
    if (isRecording && take) take.to = tick + 1;
    last = next > tick + 1 ? next - 1 : tick;
    tick = next;
  }
  throw new Error("It plays for ever.");
}

test("HLAE plays the demo from take to take, records just those ticks, and looks at whom the clip follows", () => {
  const takes = playWithHlae(hlaeCommands(clip), hlaeFirstTick(clip));
  expect(takes.map(({ from, to }) => [from, to])).toEqual([
    [2000, 2100],
    [5000, 5600],
    [9000, 9300],
  ]);
  const [, first, second] = takes;
  expect(first?.seen.get(5000)).toBe("fox");
  expect(first?.seen.get(5399)).toBe("fox");
  expect(first?.seen.get(5400)).toBe("Let's & <go> # 1 // 2 /* 3 */");
  expect(second?.seen.get(9299)).toBe("fox");
});

test("a name that could leave its quotes is not said in the console, and is told instead", () => {
  const hostile = clipOf([segment(1000, 1200, 2), segment(5000, 5200, 4), segment(9000, 9100, 0)]);
  const takes = playWithHlae(hlaeCommands(hostile), hlaeFirstTick(hostile));
  expect(takes).toHaveLength(3);
  expect(hlaeCommands(hostile)).not.toContain("quit");
  expect(unsayableNames(hostile)).toEqual(['x"; quit; "', "\\"]);
});

test("a clip at the very beginning of a demo, and takes with little between them, are played to their end", () => {
  const early = clipOf([segment(0, 100, 0), segment(400, 500, 1), segment(700, 800, 0)]);
  const takes = playWithHlae(hlaeCommands(early), hlaeFirstTick(early));
  expect(takes.map(({ from, to }) => [from, to])).toEqual([
    [1, 100],
    [400, 800],
  ]);
  const backwards = clipOf([segment(700, 800, 0), segment(400, 500, 1)]);
  expect(playWithHlae(hlaeCommands(backwards), hlaeFirstTick(backwards)).map(({ from }) => from)).toEqual([400, 700]);
  // Whole rounds, the later one first: no tick is in both.
  const touching = clipOf([segment(500.5, 800, 0), segment(100, 500.5, 1)]);
  expect(playWithHlae(hlaeCommands(touching), hlaeFirstTick(touching)).map(({ from, to }) => [from, to])).toEqual([
    [100, 500],
    [500, 800],
  ]);
});

test("of a match that was imported before it was noted, a name as long as we keep them is not said: it may have been cut", () => {
  const long = { ...players[0]!, name: "x".repeat(textLimits.playerName) };
  const old = { ...clipOf([segment(1000, 1200, 0), segment(5000, 5200, 1)]), players: [long, players[0]!] };
  expect(unsayableNames(old)).toEqual([long.name]);
  expect(hlaeCommands(old)).not.toContain("xxx");
  expect(hlaeCommands(old)).toContain('spec_player "fox"');
});

test("a name that the game may take for a slot or a user id is not said, and is told instead", () => {
  const numbers = ["7", "#12", " -1 ", "7 lives", "n1"].map((name) => ({ ...players[0]!, name }));
  const match = { ...clipOf(numbers.map((_, i) => segment(1000 + i * 1000, 1200 + i * 1000, i))), players: numbers };
  expect(unsayableNames(match)).toEqual(["7", "#12", " -1 "]);
  expect(namesSaid(match)).toEqual(["7 lives", "n1"]);
});

test("a name that another player of the match has too, whether the clip follows them or not, is not said but told", () => {
  const named = ["Fox", "fox ", "foxy", "Жук", "жУК"].map((name) => ({ ...players[0]!, name }));
  const match = { ...clipOf([0, 2, 3].map((i) => segment(1000 + i * 1000, 1200 + i * 1000, i))), players: named };
  expect(unsayableNames(match)).toEqual(["Fox", "Жук"]);
  expect(namesSaid(match)).toEqual(["foxy"]);
});

function namesSaid(recorded: RecordedClip): string[] {
  const said = readByHlae(hlaeCommands(recorded)).flatMap(({ text }) => /spec_player "(.*)"$/.exec(text)?.[1] ?? []);
  return [...new Set(said)];
}
