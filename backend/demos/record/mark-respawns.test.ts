import { expect, test } from "vitest";
import type { RecordedDeath, RecordedRound } from "../../../replay/match-record.ts";
import { markRespawns } from "./mark-respawns.ts";
import { PlayerRegister } from "./player-register.ts";

const anna = "76561199999900001";

interface Seen {
  alive: boolean[];
  controlsBot?: boolean[];
  cause?: RecordedDeath["cause"];
}

/** Whether a round is marked in which anna, seen at five ticks, died between the second and the third. */
function isMarked({ alive, controlsBot, cause = "kill" }: Seen): boolean {
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
  markRespawns(columns, [round], [{ tick: 250, round: 1, player: 0, cause }], register);
  return round.unclearLives === true;
}

test("a round is marked in which a person lives after a death", () => {
  expect(isMarked({ alive: [true, true, false, true, true] })).toBe(true);
  expect(isMarked({ alive: [true, true, false, false, false] })).toBe(false);
});

test("who lives again after the round's end, in a bot's body or after having left marks none", () => {
  expect(isMarked({ alive: [true, true, false, false, true] })).toBe(false);
  expect(isMarked({ alive: [true, true, false, true, true], controlsBot: [false, false, false, true, false] })).toBe(
    false,
  );
  expect(isMarked({ alive: [true, true, true, true, true], cause: "disconnect" })).toBe(false);
});
