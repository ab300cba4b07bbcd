import { parseEvents } from "@laihoe/demoparser2";
import { expect, test } from "vitest";
import { temporaryFolder, unpackedCase } from "../testing/demo-fixtures.ts";
import { type DemoEvent, eventGameFields, eventPlayerFields, wantedEvents } from "./demo-events.ts";
import { readDemoFrames } from "./demo-frames.ts";
import { nameReturnedPlayers } from "./name-returned-players.ts";

const directory = temporaryFolder();

test("GOTV is no bot who may have thrown what the only one who is back threw", async () => {
  const path = await unpackedCase("late-reconnect", directory);
  const events = parseEvents(path, wantedEvents, eventPlayerFields, eventGameFields) as DemoEvent[];
  const joins = { event_name: "player_team", tick: 0, isbot: true, team: 1, user_name: null, user_steamid: null };
  const kill = events.find(({ event_name: name, user_name: user }) => name === "player_death" && user === "a2")!;
  kill.weapon = "hegrenade";
  expect(kill.attacker_name).toBeNull();
  nameReturnedPlayers(path, [joins, ...events], await readDemoFrames(path));
  expect(kill.attacker_name).toBe("b4");
});
