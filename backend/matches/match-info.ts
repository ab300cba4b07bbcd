import { boundedLine } from "../../contract/clean-text.ts";
import { mapDisplayName, mapIconUrl } from "../../contract/maps.ts";
import type { MatchInfo } from "../../contract/schemas/match-info.ts";
import { textLimits } from "../../contract/text-limits.ts";
import type { DemoRow, MatchRow } from "../storage/schema.ts";
import { orderedScores } from "./roster-order.ts";

export type DemoFacts = Pick<DemoRow, "map" | "game_mode" | "played_at" | "players" | "teams">;

export type ProviderFacts = Pick<
  MatchRow,
  "provider_map" | "provider_game_mode" | "provider_score1" | "provider_score2" | "provider_played_at"
>;

/**
 * The match header every page shows. What the demo says wins; until it is read, what the history provider said. Demos have no
 * date: the provider's wins over the one stored with the demo, which may be an estimate.
 * @param steamId whose roster comes first
 * @param importedAt by the owner
 */
export function matchInfo(
  demo: DemoFacts | null,
  provider: ProviderFacts,
  steamId: string,
  importedAt: Date | null,
): MatchInfo {
  const map = boundedLine(demo?.map || provider.provider_map || "", textLimits.mapName);
  const { score1, score2 } = orderedScores(demo, provider, steamId);
  const playedAt = provider.provider_played_at ?? demo?.played_at;
  return {
    map_name: map,
    map_display_name: mapDisplayName(map),
    map_icon_url: mapIconUrl(map),
    game_mode: boundedLine(demo?.game_mode || provider.provider_game_mode || "", textLimits.gameMode),
    match_date: playedAt?.toISOString() ?? null,
    imported_at: importedAt?.toISOString() ?? null,
    score_team1: score1,
    score_team2: score2,
  };
}

/**
 * The same of a compilation: what its clips have in common. It has neither a score nor a date.
 * @param demos of its highlights, each as often as it has some
 */
export function compilationInfo(demos: readonly Pick<DemoFacts, "map" | "game_mode">[]): MatchInfo {
  const maps = [...new Set(demos.map(({ map }) => boundedLine(map, textLimits.mapName)))];
  const modes = [...new Set(demos.map(({ game_mode }) => boundedLine(game_mode, textLimits.gameMode)))];
  return {
    map_name: maps.length === 1 ? (maps[0] ?? "") : "",
    map_display_name: severalMaps(maps),
    map_icon_url: mapIconUrl(maps[0] ?? ""),
    game_mode: modes.length === 1 ? (modes[0] ?? "") : "",
    match_date: null,
    imported_at: null,
    score_team1: null,
    score_team2: null,
  };
}

/** @returns "" for none */
export function severalMaps(maps: readonly string[]): string {
  return maps.length <= 2 ? maps.map(mapDisplayName).join(" & ") : `${maps.length} maps`;
}
