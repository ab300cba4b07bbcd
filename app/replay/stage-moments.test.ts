import { expect, test } from "vitest";
import type { MatchRecord } from "../../replay/match-record.ts";
import { momentsOf } from "./stage-moments.ts";

const player = (name: string) => ({ name }) as MatchRecord["players"][number];
const kill = (tick: number, attacker: number, victim: number) =>
  ({ tick, attacker, victim, weapon: "ak47" }) as MatchRecord["kills"][number];
const record = {
  players: [player("sable."), player("wren"), player("")],
  kills: [kill(100, 0, 1), kill(200, 0, 2), kill(250, 1, 0)],
  bomb: [
    { tick: 300, kind: "defused", player: 0 },
    { tick: 150, kind: "planted", player: 1 },
  ],
} as unknown as MatchRecord;
const segment = { round: 1, startTick: 0, endTick: 400, player: 0, captions: [] };
const momentsIn = (segments: (typeof segment & { isEven?: boolean })[]) =>
  momentsOf({ frameAt: (_, tick) => tick }, { record }, { segments });

test("What is jumped to is called what it is: a kill with its victim, a defuse as one", () => {
  expect(momentsIn([segment])).toEqual([
    { frame: 100, text: "Kill 1 of 3: wren, AK-47" },
    { frame: 200, text: "Kill 2 of 3: somebody, AK-47" },
    { frame: 300, text: "Bomb defused, 3 of 3" },
  ]);
});

test("A round that is watched has everybody's kills, and a stretch none of what is outside of it", () => {
  const texts = momentsIn([{ ...segment, startTick: 150, isEven: true }]).map(({ text }) => text);
  expect(texts).toEqual(["Kill 1 of 3: somebody, AK-47", "Kill 2 of 3: sable., AK-47", "Bomb defused, 3 of 3"]);
});
