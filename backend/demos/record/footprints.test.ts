import { expect, test } from "vitest";
import type { RecordedRound } from "../../../replay/match-record.ts";
import type { PlayerColumns } from "./ask-parser.ts";
import { collectFootprints } from "./footprints.ts";

const round = { startTick: 0, endTick: 1000 } as RecordedRound;

/** A walk to the east as the parser answers it, a row every half second. */
function walk(columns: Record<string, unknown[]>): PlayerColumns {
  const [rows = []] = Object.values(columns);
  return {
    tick: rows.map((_, row) => row * 32),
    X: rows.map((_, row) => row * 120),
    Y: rows.map(() => 0),
    Z: rows.map(() => 10),
    is_alive: rows.map(() => true),
    ...columns,
  };
}

test("who is in the air leaves no footprint, and walks on from where they land", () => {
  const columns = { a: walk({ is_airborne: [false, true, true, false, false], Z: [0, 52, 60, 20, 20] }) };
  const { xyz, breaks } = collectFootprints(columns, [round]);
  expect([...xyz]).toEqual([0, 0, 0, 360, 0, 20, 480, 0, 20]);
  expect([...breaks]).toEqual([0]);
});

test("recordings that do not tell who is in the air keep every step", () => {
  const { xyz } = collectFootprints({ a: walk({ Z: [0, 52, 0] }) }, [round]);
  expect(xyz).toHaveLength(9);
});
