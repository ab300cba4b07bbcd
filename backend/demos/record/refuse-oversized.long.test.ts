import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { demoLimits } from "../../../contract/limits.ts";
import { detectHighlights } from "../../highlights/index.ts";
import { clipSegments } from "../../highlights/segments.ts";
import { DemoImportError } from "../demo-import-error.ts";
import { temporaryFolder, unpackedFixture } from "../testing/demo-fixtures.ts";
import type { DemoEvent } from "./demo-events.ts";
import { parseDemo } from "./parse-demo.ts";

/** Changes the events of a demo between the parser and our code. */
let change: (events: DemoEvent[]) => DemoEvent[] = (events) => events;

vi.mock("@laihoe/demoparser2", async (importOriginal) => {
  const parser = await importOriginal<typeof import("@laihoe/demoparser2")>();
  return {
    ...parser,
    parseEvents: (...given: Parameters<typeof parser.parseEvents>) => change(parser.parseEvents(...given)),
  };
});

const directory = temporaryFolder();
let path: string;
beforeAll(async () => {
  path = await unpackedFixture("highlights-reel", directory);
});
afterEach(() => {
  change = (events) => events;
});

/** Adds copies of the demo's first event of a name. */
function withMore(name: string, count: number, vary: (copy: DemoEvent, index: number) => DemoEvent = (copy) => copy) {
  change = (events) => {
    const model = events.find((event) => event.event_name === name)!;
    return [...events, ...Array.from({ length: count }, (_, index) => vary({ ...model }, index))];
  };
}

test.each([
  ["weapon_fire", demoLimits.events, "events (300,000)"],
  ["round_freeze_end", demoLimits.roundEvents, "rounds (20,000)"],
  ["player_death", demoLimits.kills, "kills (10,000)"],
  ["smokegrenade_detonate", demoLimits.grenadeEvents, "grenades (30,000)"],
  ["bomb_defused", demoLimits.bombEvents, "plants and defuses (10,000)"],
] as const)("a demo with more %s than any match has is refused with a sentence", async (name, limit, counted) => {
  withMore(name, limit);
  const [what, max] = counted.split(" (");
  await expect(parseDemo(path)).rejects.toMatchObject({
    code: "too_much",
    message: `The demo holds more ${what} than any match has (${max}, so it was not read.`,
  });
});

test("a demo into which more people come than any server has room for is refused with a sentence", async () => {
  withMore("player_connect_full", demoLimits.players, (copy, index) => ({
    ...copy,
    user_steamid: String(76561198100000000n + BigInt(index)),
    user_name: `guest ${index}`,
  }));
  await expect(parseDemo(path)).rejects.toMatchObject({ code: "too_much", facts: { what: "players" } });
});

test("a demo of more rounds than any match has is refused with a sentence", async () => {
  change = (events) => {
    const ends = events.filter(({ event_name: name }) => name === "round_freeze_end" || name === "round_end");
    const last = Math.max(...events.map(({ tick }) => tick));
    const rounds = Array.from({ length: demoLimits.rounds + 20 }, (_, index) => {
      const tick = last + 1 + index * 128;
      const freezeEnd = ends.find(({ event_name: name }) => name === "round_freeze_end")!;
      const end = ends.find(({ event_name: name }) => name === "round_end")!;
      return [
        { ...freezeEnd, tick, total_rounds_played: 20 + index },
        { ...end, tick: tick + 100 },
      ];
    });
    return [...events, ...rounds.flat()];
  };
  await expect(parseDemo(path)).rejects.toMatchObject({ code: "too_much", facts: { what: "rounds" } });
});

test.each([2 ** 31 - 2, -(2 ** 31), -2, 2 ** 30 + 1, 2 ** 25, 0.5, Number.NaN])(
  "a demo with something at tick %d is damaged, and says so",
  async (tick) => {
    for (const name of ["player_death", "round_end", "weapon_fire"]) {
      change = (events) => {
        events.filter((event) => event.event_name === name).at(-1)!.tick = tick;
        return events;
      };
      await expect(parseDemo(path)).rejects.toMatchObject({ code: "parser_failed" });
    }
  },
);

/** Writes the demo with other ticks in its frames; all other bytes stay the same. */
function retimed(tickOf: (tick: number, frame: number) => number): string {
  const demo = readFileSync(path);
  const pieces: Buffer[] = [demo.subarray(0, 16)];
  let at = 16;
  const readNumber = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = demo[at++]!;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const written = (value: number) => {
    const bytes: number[] = [];
    for (let rest = value >>> 0; ; rest >>>= 7) {
      bytes.push(rest >= 0x80 ? (rest & 0x7f) | 0x80 : rest);
      if (rest < 0x80) return Buffer.from(bytes);
    }
  };
  for (let frame = 0; at < demo.length; frame++) {
    const command = readNumber();
    const tick = readNumber();
    const size = readNumber();
    pieces.push(written(command), written(tickOf(tick, frame)), written(size), demo.subarray(at, at + size));
    at += size;
  }
  const file = join(directory, "retimed.dem");
  writeFileSync(file, Buffer.concat(pieces));
  return file;
}

test.each<[string, (tick: number, frame: number) => number]>([
  ["near 2^31", (tick) => (tick > 0 ? tick + 2 ** 31 - 6000 : tick)],
  ["from 2^31 on", (tick) => (tick > 0 ? tick + 2 ** 31 - 3000 : tick)],
  ["below nought", (tick) => (tick > 0 ? tick - 5000 : tick)],
  ["a thousand days apart", (tick) => (tick > 3000 ? tick + 2 ** 29 : tick)],
])("a recording whose packets have ticks %s is damaged, and says so", async (_, tickOf) => {
  await expect(parseDemo(retimed(tickOf))).rejects.toMatchObject({ code: "parser_failed" });
});

test("a recording whose ticks go back, stand still or leap ends in a sentence or in a record that can be shown", async () => {
  for (const tickOf of [
    (tick: number) => (tick > 0 ? 20_000 - tick : tick),
    (tick: number) => Math.min(tick, 5000),
    (tick: number) => (tick > 6000 ? tick - 3000 : tick),
    (tick: number, frame: number) => (frame % 50 === 0 && tick > 0 ? tick + 100_000 : tick),
  ]) {
    const parsed = await parseDemo(retimed(tickOf)).catch((error: unknown) => error);
    if (parsed instanceof DemoImportError) continue;
    const { record } = parsed as Awaited<ReturnType<typeof parseDemo>>;
    const segments = clipSegments(detectHighlights(record), record, { preSeconds: 2, postSeconds: 0 });
    for (const { startTick, endTick } of segments) expect(endTick).toBeGreaterThan(startTick);
  }
});

const oddTick = fc.oneof(
  fc.integer({ min: -1, max: 40_000 }),
  fc.constantFrom(-1, 0, 1, 2 ** 24, 2 ** 24 - 1, 2 ** 30, 2 ** 31 - 1),
);

test("whenever things happen, a demo ends in a sentence or in highlights that can be stored and shown", async () => {
  let readable = 0;
  const moves = fc.array(fc.record({ event: fc.nat(), tick: oddTick }), { minLength: 1, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(moves, async (moved) => {
      change = (events) => {
        const known = events.filter(({ event_name: name }) => /^(round_|player_death|bomb_|player_hurt)/.test(name));
        for (const { event, tick } of moved) known[event % known.length]!.tick = tick;
        return events;
      };
      const parsed = await parseDemo(path).catch((error: unknown) => error);
      if (parsed instanceof DemoImportError) return;
      expect(parsed).toHaveProperty("record");
      const { record } = parsed as Awaited<ReturnType<typeof parseDemo>>;
      readable++;
      for (const highlight of detectHighlights(record)) {
        expect(highlight.endTick).toBeGreaterThanOrEqual(highlight.startTick);
        expect(highlight.endTick).toBeLessThan(2 ** 31);
        expect(clipSegments([highlight], record, { preSeconds: 2, postSeconds: 0 }).length).toBeGreaterThan(0);
      }
    }),
    { numRuns: 30, seed: 20_261_122 },
  );
  expect(readable).toBeGreaterThan(0);
});
