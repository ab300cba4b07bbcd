import { expect, test } from "vitest";
import type { RecordedRound } from "../../../replay/match-record.ts";
import { noPlace } from "../../../replay/replay-track.ts";
import type { PlayerColumns } from "./ask-parser.ts";
import { collectFootprints } from "./footprints.ts";

const round = { startTick: 0, endTick: 1000 } as RecordedRound;

/** A walk to the east in the parser's columns, with a row every half second. */
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

test("footprints keep the places that the demo names, cleaned and each name once", () => {
  const long = "x".repeat(5000);
  const columns = { a: walk({ last_place_name: ["BombsiteA", "BombsiteA", "", "Top\u202eof\u0000Mid", long, null] }) };
  const { places } = collectFootprints(columns, [round]);
  expect(places?.names).toEqual(["BombsiteA", "Topof Mid", "x".repeat(32)]);
  expect([...(places?.ofFootprint ?? [])]).toEqual([0, 0, noPlace, 1, 2, noPlace]);
});

test("a demo without places keeps none", () => {
  expect(collectFootprints({ a: walk({ last_place_name: ["", ""] }) }, [round]).places).toBeUndefined();
});

test("more places than a byte can tell are left out", () => {
  const names = Array.from({ length: 300 }, (_, i) => `Place${i}`);
  const columns = { a: walk({ last_place_name: names, tick: names.map((_, i) => i), X: names.map((_, i) => i) }) };
  const { places } = collectFootprints(columns, [round]);
  expect(places?.names).toHaveLength(255);
  expect(places?.ofFootprint[254]).toBe(254);
  expect(places?.ofFootprint[299]).toBe(noPlace);
});
