import { beforeAll, expect, test, vi } from "vitest";
import { hostileName, hostileNameCleaned, unseenMark } from "../../../contract/testing/hostile-name.ts";
import { textLimits } from "../../../contract/text-limits.ts";
import { encodeReplayTrack } from "../../../replay/encode-track.ts";
import { detectHighlights } from "../../highlights/index.ts";
import { highlightWindows } from "../../highlights/segments.ts";
import { temporaryFolder, unpackedFixture } from "../testing/demo-fixtures.ts";
import { collectTrack } from "../track/collect-track.ts";
import type { DemoEvent } from "./demo-events.ts";
import { type ParsedDemo, parseDemo } from "./parse-demo.ts";

const long = `${hostileName}名👩‍👩‍👧x`.repeat(8000);
const headerTexts = { map_name: `workshop/1/de_${long}`, server_name: long };

vi.mock("@laihoe/demoparser2", async (importOriginal) => {
  const parser = await importOriginal<typeof import("@laihoe/demoparser2")>();
  return {
    ...parser,
    parseHeader: (path: string) => ({ ...(parser.parseHeader(path) as object), ...headerTexts }),
    parseEvents: (...given: Parameters<typeof parser.parseEvents>) =>
      (parser.parseEvents(...given) as DemoEvent[]).map(withLongTexts),
  };
});

/** Replaces every text of an event except numbers and the game's own names. */
function withLongTexts(event: DemoEvent, index: number): DemoEvent {
  const texts = Object.entries(event).map(([field, value]) => {
    if (/_name$/.test(field) && field !== "event_name" && value) return [field, value + long];
    if (field === "hitgroup") return [field, long];
    if (field === "weapon" && value) return [field, index % 3 === 0 ? `weapon_knife${long}` : value];
    return [field, value];
  });
  return Object.fromEntries(texts);
}

const directory = temporaryFolder();
let path: string;
let parsed: ParsedDemo;
beforeAll(async () => {
  path = await unpackedFixture("highlights-reel", directory);
  parsed = await parseDemo(path);
});

const charactersOf = (text: string) => Array.from(text).length;

test("no text of a match record is longer than its limit, or turns the text around it", () => {
  const { record } = parsed;
  expect(charactersOf(record.map)).toBeLessThanOrEqual(textLimits.mapName);
  expect(charactersOf(record.map)).toBeGreaterThan(textLimits.mapName / 2);
  expect(charactersOf(record.rawMap)).toBeLessThanOrEqual(textLimits.mapName);
  expect(charactersOf(record.serverName)).toBeLessThanOrEqual(textLimits.serverName);
  for (const { name } of record.teams) expect(charactersOf(name)).toBeLessThanOrEqual(textLimits.clanName);
  for (const { name } of record.players) expect(charactersOf(name)).toBeLessThanOrEqual(textLimits.playerName);
  const weapons = new Set([...record.kills, ...record.shots, ...record.damages].map(({ weapon }) => weapon));
  expect(weapons).toContain("unknown");
  for (const weapon of weapons) expect(weapon).toMatch(/^[a-z0-9_]{1,30}$/);
  for (const { hitGroup } of record.damages) expect(charactersOf(hitGroup)).toBeLessThanOrEqual(textLimits.hitGroup);
  expect(JSON.stringify(record)).not.toMatch(/\\u/);
  expect(JSON.stringify(record)).not.toMatch(unseenMark);
  for (const { name } of [...record.teams, ...record.players]) expect(name).toContain(hostileNameCleaned.slice(0, 4));
  expect(record.serverName).toContain(hostileNameCleaned);
});

test("highlights and the replay track of such a demo are as small as those of any other", async () => {
  const highlights = detectHighlights(parsed.record);
  expect(highlights.length).toBeGreaterThan(5);
  for (const { reason } of highlights) expect(charactersOf(reason)).toBeLessThanOrEqual(textLimits.reason);
  const track = await collectTrack(path, parsed, highlightWindows(highlights, parsed.record), {
    scratchDirectory: directory,
  });
  expect(encodeReplayTrack(track).length).toBeLessThan(4_000_000);
});
