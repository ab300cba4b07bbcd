import fc from "fast-check";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { encodeReplayTrack } from "../../../replay/encode-track.ts";
import { detectHighlights } from "../../highlights/index.ts";
import { highlightWindows } from "../../highlights/segments.ts";
import { DemoImportError } from "../demo-import-error.ts";
import { temporaryFolder, unpackedFixture } from "../testing/demo-fixtures.ts";
import { collectTrack } from "../track/collect-track.ts";
import { type DemoEvent, eventPlayerFields } from "./demo-events.ts";
import { type ParsedDemo, parseDemo } from "./parse-demo.ts";

/** Changes the events of a demo between the parser and our code. */
let noise: (events: DemoEvent[]) => DemoEvent[] = (events) => events;

vi.mock("@laihoe/demoparser2", async (importOriginal) => {
  const parser = await importOriginal<typeof import("@laihoe/demoparser2")>();
  return {
    ...parser,
    parseEvents: (...given: Parameters<typeof parser.parseEvents>) => noise(parser.parseEvents(...given)),
  };
});

const directory = temporaryFolder();
let path: string;
let clean: ParsedDemo;

beforeAll(async () => {
  path = await unpackedFixture("highlights-reel", directory);
  clean = await parseDemo(path);
});
afterEach(() => {
  noise = (events) => events;
});

const nobody = (role: string) =>
  Object.fromEntries(["name", "steamid", ...eventPlayerFields].map((field) => [`${role}_${field}`, null]));

test("the recorder, repeated announcements and events that nobody asked for change nothing", async () => {
  noise = (events) => [
    // GOTV is a bot without a side that joins when the recording begins.
    { event_name: "player_connect_full", tick: 0, ...nobody("user") },
    { event_name: "player_team", tick: 0, isbot: true, team: 1, oldteam: 0, disconnect: false, ...nobody("user") },
    ...events.flatMap((event): DemoEvent[] => {
      const { tick } = event;
      if (event.event_name !== "round_start") return [event];
      return [
        event,
        { event_name: "round_announce_match_start", tick },
        { event_name: "round_announce_match_start", tick: tick + 1 },
        { event_name: "begin_new_match", tick },
        { event_name: "round_prestart", tick },
      ];
    }),
  ];
  const { record } = await parseDemo(path);
  expect(record).toEqual(clean.record);
});

test("servers that never announce a match, and end rounds without saying so officially, have the same rounds", async () => {
  const left = new Set(["begin_new_match", "round_officially_ended", "cs_win_panel_match"]);
  noise = (events) => events.filter(({ event_name }) => !left.has(event_name));
  const { record } = await parseDemo(path);
  const told = ({ number, freezeEndTick, endTick, winner, reason }: (typeof record.rounds)[number]) => ({
    ...{ number, freezeEndTick, endTick, winner, reason },
  });
  expect(record.rounds.map(told)).toEqual(clean.record.rounds.map(told));
  const kills = (parsed: typeof record) =>
    detectHighlights(parsed).map(({ type, round, moments }) => [type, round, moments]);
  expect(kills(record)).toEqual(kills(clean.record));
});

test("rounds whose end nobody tells are won by the side whose score rose", async () => {
  noise = (events) => events.filter(({ event_name }) => event_name !== "round_end");
  const { record } = await parseDemo(path);
  expect(record.rounds.slice(0, -1).map(({ winner }) => winner)).toEqual(
    clean.record.rounds.slice(0, -1).map(({ winner }) => winner),
  );
  expect(record.kills.map(({ tick, round }) => [tick, round])).toEqual(
    clean.record.kills.map(({ tick, round }) => [tick, round]),
  );
});

test("a detonation without a place is where the grenade was last, not in the middle of the world", async () => {
  let placeless = 0;
  noise = (events) =>
    events.map((event) => {
      if (!/_detonate$|_startburn$|_started$/.test(event.event_name)) return event;
      placeless++;
      return { ...event, x: null, y: null, z: null };
    });
  const { record } = await parseDemo(path);
  expect(placeless).toBeGreaterThan(0);
  expect(record.grenades.length).toBeGreaterThan(0);
  for (const { path: points } of record.grenades) {
    expect(points.every(([, x, y]) => x !== 0 || y !== 0)).toBe(true);
  }
});

test("a demo without any event has no rounds", async () => {
  noise = () => [];
  await expect(parseDemo(path)).rejects.toMatchObject({ code: "no_rounds" });
});

/** Values that no field should have, but some do. */
const odd = fc.constantFrom(null, undefined, "", "unconnected", Number.NaN, -1, 65_535, 4_294_967_295, true, [], {});

test("events that lack fields, or hold nonsense in them, end in a record or in a sentence", async () => {
  const damage = fc.array(fc.record({ event: fc.nat(), field: fc.nat(), value: odd }), {
    minLength: 1,
    maxLength: 400,
  });
  await fc.assert(
    fc.asyncProperty(damage, async (damages) => {
      noise = (events) => {
        for (const { event: eventAt, field: fieldAt, value } of damages) {
          const event = events[eventAt % events.length]!;
          const fields = Object.keys(event).filter((field) => field !== "event_name" && field !== "tick");
          const field = fields[fieldAt % fields.length];
          if (field) event[field] = value;
        }
        return events;
      };
      const parsed = await parseDemo(path).catch((error: unknown) => error);
      if (parsed instanceof DemoImportError) return;
      expect(parsed).toHaveProperty("record");
      const { record } = parsed as ParsedDemo;
      const highlights = detectHighlights(record);
      for (const { player, round } of highlights) {
        expect(record.players[player]?.steamId).toMatch(/^\d+$/);
        expect(record.rounds.some(({ number }) => number === round)).toBe(true);
      }
      const track = await collectTrack(path, parsed as ParsedDemo, highlightWindows(highlights, record), {
        scratchDirectory: directory,
      });
      expect(encodeReplayTrack(track).length).toBeGreaterThan(0);
    }),
    { numRuns: 12, seed: 20_261_121 },
  );
});
