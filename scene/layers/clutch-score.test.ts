import { expect, test } from "vitest";
import type { MatchRecord, RecordedDeath } from "../../replay/match-record.ts";
import { createClipScene } from "../clip-scene.ts";
import { buildRelief } from "../relief/build-relief.ts";
import {
  freezeEndTick,
  sceneOptions,
  segmentOf,
  specOf,
  syntheticTrack,
  tickRate,
  walkedArea,
} from "../testing/synthetic-track.ts";

const ground = walkedArea(-300, -300, 300, 300);
const relief = buildRelief(ground, { map: "de_test", finestScale: 0.3, maxPixels: 100_000 });
const at = (second: number) => freezeEndTick + second * tickRate;
/** Three against four. */
const names = ["Nova", "mate", "pal", "dune", "ember", "flint", "gale"];
const [mate, pal, dune, ember, flint, gale] = [1, 2, 3, 4, 5, 6] as const;
const cast = names.map((name, i) => ({ name, team: (i < 3 ? 0 : 1) as 0 | 1, pose: { x: 40 * i - 100, y: 0 } }));

interface Played {
  /** Players and the seconds at which they die. */
  deaths: [player: number, second: number][];
  /** In the record but without samples: they came later, or not at all. */
  unseen?: number[];
  /** Not alive when freeze time ended. */
  away?: number[];
  bots?: number[];
  winner?: 0 | 1;
  label?: string;
  changes?: Partial<MatchRecord>;
}

/** The round is over at 20 s and the clip goes on to 24 s; what the pill says from which second on. */
function pills({ deaths, unseen = [], away = [], bots = [], winner = 0, label = "Ace", changes = {} }: Played) {
  const track = syntheticTrack(cast, ground, {
    deaths: deaths.map(([player, second]): RecordedDeath => ({ tick: at(second), round: 1, player, cause: "kill" })),
    ...changes,
  });
  for (const player of [...unseen, ...bots]) track.windows[0]!.players[player] = null;
  for (const player of bots) track.record.players[player]!.isBot = true;
  const [round] = track.record.rounds;
  Object.assign(round!, {
    winner,
    endTick: at(20),
    officialEndTick: at(27),
    aliveAtFreezeEnd: round!.aliveAtFreezeEnd.map((living) => living.filter((player) => !away.includes(player))),
  });
  const segment = segmentOf(23, { startTick: at(1), isEven: true });
  const captions = segment.captions.map((caption) => ({ ...caption, label }));
  const scene = createClipScene(track, specOf([{ ...segment, captions }], { radar: false }), {
    ...sceneOptions,
    relief,
  });
  const said: [text: string, second: number][] = [];
  for (let frame = 0; !scene.moment(frame).isEndCard; frame += 6) {
    const operations = scene.layers(frame).layers.find(({ name }) => name === "clutchScore")?.operations ?? [];
    const [operation] = operations;
    const text = operation && "sprite" in operation ? operation.sprite.key.replace(/^clutch-|@.*$/g, "") : "";
    if (said.at(-1)?.[0] !== text) said.push([text, Math.floor((scene.moment(frame).tick - freezeEndTick) / tickRate)]);
  }
  return said.filter(([text], i) => text !== "" || i > 0);
}

test("a clutch is counted from when the last mate falls, and is won with the round", () => {
  const deaths: Played["deaths"] = [
    [mate, 3],
    [dune, 4],
    [pal, 6],
    [ember, 10],
    [flint, 12],
    [gale, 14],
  ];
  expect(pills({ deaths })).toEqual([
    ["1 v 3", 6],
    ["1 v 2", 10],
    ["1 v 1", 12],
    ["1 v 0", 14],
    ["1v3 CLUTCH WON", 20],
  ]);
});

test("who is left alone after the round was decided has no clutch, won or lost", () => {
  const deaths: Played["deaths"] = [
    [mate, 3],
    [dune, 4],
    [pal, 22],
  ];
  expect(pills({ deaths })).toEqual([]);
  expect(pills({ deaths, winner: 1 })).toEqual([]);
  // With its last tick it has: as clutches are found.
  expect(
    pills({
      deaths: [
        [mate, 3],
        [dune, 4],
        [pal, 20],
      ],
    }),
  ).toEqual([["1v3 CLUTCH WON", 20]]);
});

test("a lost clutch is counted until the round is over, or the player falls", () => {
  const deaths: Played["deaths"] = [
    [mate, 3],
    [pal, 6],
    [ember, 10],
  ];
  expect(pills({ deaths, winner: 1 })).toEqual([
    ["1 v 4", 6],
    ["1 v 3", 10],
    ["", 20],
  ]);
  expect(pills({ deaths: [...deaths, [0, 12]], winner: 1 })).toEqual([
    ["1 v 4", 6],
    ["1 v 3", 10],
    ["", 12],
  ]);
});

test("players who were not there when freeze time ended, or without a sample, count as clutches are found", () => {
  const deaths: Played["deaths"] = [
    [mate, 3],
    [ember, 10],
    [flint, 12],
    [gale, 14],
  ];
  // A mate and an opponent who come back later and do nothing.
  expect(pills({ deaths, away: [pal, dune] }).at(0)).toEqual(["1 v 3", 3]);
  expect(pills({ deaths, away: [pal, dune] }).at(-1)).toEqual(["1v3 CLUTCH WON", 20]);
  // An opponent who came late and shot.
  const shots = [{ tick: at(5), player: dune, weapon: "ak47", yaw: 0 }];
  expect(pills({ deaths, away: [pal, dune], changes: { shots } }).at(-1)).toEqual(["1v4 CLUTCH WON", 20]);
  // Nobody has samples of mates and of one opponent.
  expect(pills({ deaths: [...deaths, [pal, 6]], unseen: [mate, pal, dune] }).at(0)).toEqual(["1 v 4", 6]);
});

test("bots are mates and opponents", () => {
  const deaths: Played["deaths"] = [
    [mate, 3],
    [pal, 6],
    [ember, 10],
    [flint, 12],
    [gale, 14],
    [dune, 16],
  ];
  expect(pills({ deaths, bots: [mate, pal, dune] }).at(0)).toEqual(["1 v 4", 6]);
  expect(pills({ deaths, bots: [mate, pal, dune] }).at(-1)).toEqual(["1v4 CLUTCH WON", 20]);
  // Who takes over the last bot clutches in its body.
  const inBot: Played["deaths"] = [
    [0, 2],
    [mate, 3],
    [ember, 10],
    [flint, 12],
    [gale, 14],
    [dune, 16],
  ];
  const bomb = [
    { tick: at(18), kind: "defused" as const, player: 0, site: "A" as const, hasKit: true, position: null },
  ];
  expect(pills({ deaths: inBot, bots: [pal], changes: { bomb } }).at(-1)).toEqual(["1v4 CLUTCH WON", 20]);
});

test("a clip of a clutch says what it is of, whatever its track makes of the round", () => {
  expect(
    pills({
      deaths: [
        [mate, 3],
        [pal, 6],
      ],
      label: "1v2 Clutch",
    }).at(-1),
  ).toEqual(["1v2 CLUTCH WON", 20]);
  expect(pills({ deaths: [[mate, 3]], label: "1v2 Clutch" })).toEqual([["1v2 CLUTCH WON", 20]]);
  expect(pills({ deaths: [[mate, 3]] })).toEqual([]);
  const duel: Played["deaths"] = [
    [mate, 3],
    [dune, 4],
    [ember, 5],
    [flint, 6],
    [pal, 8],
    [gale, 10],
  ];
  expect(pills({ deaths: duel })).toEqual([
    ["1 v 1", 8],
    ["1 v 0", 10],
    ["", 20],
  ]);
});
