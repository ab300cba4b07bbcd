import { boundedLine, cleanPlayerName } from "../../contract/clean-text.ts";
import { textLimits } from "../../contract/text-limits.ts";
import type { MatchRecord } from "../../replay/match-record.ts";
import type { DemoRow } from "../storage/schema.ts";

/** What is kept of a match record beside its replay track. */
export type ReadRecord = Pick<
  MatchRecord,
  "map" | "gameMode" | "serverName" | "players" | "teams" | "tickRate" | "rounds"
>;

/** What a demo's row says of the match. */
export type DemoFacts = Pick<DemoRow, "map" | "game_mode" | "server_name" | "timing" | "players" | "teams">;

/** Texts that pages show of a match. They were cut when the demo was read, and are cut here again. */
export function demoFacts(record: ReadRecord): DemoFacts {
  return {
    map: boundedLine(record.map, textLimits.mapName),
    game_mode: boundedLine(record.gameMode, textLimits.gameMode),
    server_name: boundedLine(record.serverName, textLimits.serverName),
    timing: { tickRate: record.tickRate, rounds: record.rounds },
    players: record.players.map(({ name, steamId, team, hasOtherName }) => ({
      name: cleanPlayerName(name),
      steam_id: steamId,
      team,
      ...(hasOtherName && { has_other_name: true }),
    })),
    teams: record.teams.map(({ name, score }) => ({ name: boundedLine(name, textLimits.clanName), score })),
  };
}
