import { expect, test } from "vitest";
import { type GameModeFacts, gameMode } from "./game-mode.ts";

const facts = (changes: Partial<GameModeFacts> & { variables?: Record<string, string> }): GameModeFacts => ({
  serverName: "Some server",
  isValveServer: false,
  rankTypes: [],
  serverVariables: new Map(Object.entries(changes.variables ?? {})),
  playersASide: 5,
  ...changes,
});

test.each([
  ["Premier by its rank type", facts({ isValveServer: true, rankTypes: [-1, 11, 11, 0] }), "Matchmaking"],
  ["Competitive by its rank type", facts({ isValveServer: true, rankTypes: [12] }), "Matchmaking_Competitive"],
  ["Wingman by its rank type", facts({ isValveServer: true, rankTypes: [7, 7] }), "Matchmaking_Wingman"],
  [
    "Valve by the server's name",
    facts({ serverName: "Valve Counter-Strike 2 eu_west Server (srcds1001)" }),
    "Matchmaking_Competitive",
  ],
  ["Valve's Wingman by its size", facts({ isValveServer: true, playersASide: 2 }), "Matchmaking_Wingman"],
  [
    "FACEIT, where players carry their Premier rank",
    facts({ serverName: "FACEIT.com register", rankTypes: [11] }),
    "FACEIT",
  ],
  ["Deathmatch", facts({ variables: { game_type: "1", game_mode: "2" } }), "Deathmatch"],
  [
    "Casual on Valve's servers",
    facts({ isValveServer: true, variables: { game_type: "0", game_mode: "0" } }),
    "Casual",
  ],
  ["a full house is Casual", facts({ playersASide: 10 }), "Casual"],
  ["two a side elsewhere", facts({ playersASide: 2 }), "Wingman"],
  ["five a side elsewhere", facts({}), "Competitive"],
])("%s", (_, given, mode) => {
  expect(gameMode(given)).toBe(mode);
});
