import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseDemo } from "../../demos/record/parse-demo.ts";
import { PlayerRegister } from "../../demos/record/player-register.ts";
import {
  type DemoFixture,
  demoFixtures,
  temporaryFolder,
  unpackedCase,
  unpackedFixture,
} from "../../demos/testing/demo-fixtures.ts";
import { demoFacts } from "../../matches/demo-facts.ts";
import { hlaeCommands, unsayableNames } from "./hlae-commands.ts";
import type { RecordedClip } from "./recorded-takes.ts";

/* HLAE finds a player by the name that the demo has; what is stored and shown of it is cleaned. */

const directory = temporaryFolder();

/** A clip that follows everybody of a demo in turn. */
async function clipOfAll(path: string): Promise<RecordedClip> {
  const { players, timing } = demoFacts((await parseDemo(path)).record);
  return {
    name: "All",
    players,
    tickRate: timing.tickRate,
    spec: {
      version: 1,
      segments: players.map((_, player) => ({
        round: 1,
        startTick: 1000 + player * 1000,
        endTick: 1200 + player * 1000,
        player,
        captions: [],
      })),
      settings: { xray: true, hud: true, radar: true, killfeed: true, highlightInfo: true, watermark: false },
      title: "All",
      width: 1280,
      height: 720,
      framesPerSecond: 60,
    },
  };
}

function namesSaid(clip: RecordedClip): string[] {
  const said = [...hlaeCommands(clip).matchAll(/spec_player "(.*)"<\/c>/g)].map(([, name = ""]) => name);
  return [...new Set(said)].map((name) =>
    name.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&"),
  );
}

test("of a demo with odd names only those are said that it has itself, and all others are told", async () => {
  const script = new URL("../../../tests/fixtures/demos/cases/odd-names.json", import.meta.url);
  const written: string[] = JSON.parse(readFileSync(script, "utf8")).players.map(({ name }: { name: string }) => name);
  const clip = await clipOfAll(await unpackedCase("odd-names", directory));
  const said = namesSaid(clip);
  expect(written).toEqual(expect.arrayContaining(said));
  expect(said.sort()).toEqual(["Harvey", "a1", "Жук & <名前>"]);
  expect(unsayableNames(clip).sort()).toEqual(
    [
      "a name that is so much longer than any that Steam allows that it",
      "a space before",
      "café",
      "nowidth",
      "turned",
      "two spaces",
      'x"; quit; "',
    ].sort(),
  );
});

test.each(Object.keys(demoFixtures).slice(0, 3) as DemoFixture[])(
  "in %s, where nobody means harm, everybody is named but those with quotes",
  async (name) => {
    const clip = await clipOfAll(await unpackedFixture(name, directory));
    const quoted = clip.players.filter((player) => player.name.includes('"')).map((player) => player.name);
    expect(unsayableNames(clip)).toEqual(quoted);
    expect(namesSaid(clip)).toHaveLength(clip.players.length - quoted.length);
  },
);

test("who changes their name during the recording, or has none, and a bot without a name are told", () => {
  const [renamed, nameless, same] = ["76561199999900001", "76561199999900002", "76561199999900003"];
  const event = (steamid: string, name: string) => ({
    event_name: "player_spawn",
    tick: 1,
    user_steamid: steamid,
    user_name: name,
  });
  const events = [event(renamed!, "before"), event(same!, "same"), event(renamed!, "now"), event(same!, "same")];
  const register = new PlayerRegister(events, new Map([renamed, nameless, same].map((id) => [id!, 0 as const])), []);
  register.livingBot(1, 1);
  expect(register.players.map(({ name, hasOtherName }) => [name, hasOtherName])).toEqual([
    ["now", true],
    ["same", undefined],
    [nameless, true],
    ["BOT", true],
  ]);
});
