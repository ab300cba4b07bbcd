import { expect, test } from "vitest";
import type { RecordedRound } from "../../../replay/match-record.ts";
import { markRespawns } from "./mark-respawns.ts";
import { PlayerRegister } from "./player-register.ts";

const anna = "76561199999900001";

interface Seen {
  alive: boolean[];
  controlsBot?: boolean[];
  shotAt?: number;
  diesAgainAt?: number;
}

/** Whether a round is marked in which anna, sampled at five ticks, died between the second and the third. */
function isMarked({ alive, controlsBot, shotAt, diesAgainAt }: Seen): boolean {
  const round: RecordedRound = {
    number: 1,
    startTick: 0,
    freezeEndTick: 100,
    endTick: 400,
    officialEndTick: 600,
    finished: true,
    winner: 0,
    reason: "ct_eliminated_t",
    sides: ["CT", "T"],
    scoreBefore: [0, 0],
    overtime: 0,
    aliveAtFreezeEnd: [[0], []],
  };
  const columns = {
    [anna]: {
      tick: [100, 200, 300, 400, 500],
      is_alive: alive,
      is_controlling_bot: controlsBot ?? alive.map(() => false),
    },
  };
  const register = new PlayerRegister([], new Map([[anna, 0]]), []);
  const deaths = [250, diesAgainAt].flatMap((tick) =>
    tick ? [{ tick, round: 1, player: 0, cause: "kill" as const }] : [],
  );
  const shots = shotAt ? [{ tick: shotAt, player: 0, weapon: "ak47", yaw: null }] : [];
  markRespawns(columns, [round], { deaths, shots }, register);
  return round.unclearLives === true;
}

const again = [true, true, false, true, true];

test("a round is marked in which a person lives after a death, and shoots or dies once more", () => {
  expect(isMarked({ alive: again, shotAt: 390 })).toBe(true);
  expect(isMarked({ alive: again, diesAgainAt: 395 })).toBe(true);
});

test("who is only said to live, or only to have shot, marks none", () => {
  expect(isMarked({ alive: again })).toBe(false);
  expect(isMarked({ alive: again, shotAt: 240 })).toBe(false);
  expect(isMarked({ alive: [true, true, false, false, false], shotAt: 390 })).toBe(false);
});

test("who lives again after the round's end, or in a bot's body, marks none", () => {
  expect(isMarked({ alive: [true, true, false, false, true], shotAt: 450, diesAgainAt: 460 })).toBe(false);
  const controlsBot = [false, false, false, true, false];
  expect(isMarked({ alive: again, controlsBot, diesAgainAt: 395 })).toBe(false);
});
