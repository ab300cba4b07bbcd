import { boundedLine, cleanPlayerName } from "../../contract/clean-text.ts";
import { customMoments } from "../../contract/custom-moments.ts";
import { highlightDefinition } from "../../contract/highlight-definitions.ts";
import { limits } from "../../contract/limits.ts";
import type { Highlight } from "../../contract/schemas/highlights.ts";
import { textLimits } from "../../contract/text-limits.ts";
import { weaponName } from "../../contract/weapons.ts";
import type { HighlightMoment } from "../highlights/highlight.ts";
import type { DemoPlayer, HighlightRow } from "../storage/schema.ts";
import type { PlayerProfiles } from "./player-profiles.ts";

/** What of a stored highlight is shown. */
export const shownHighlightColumns = [
  ...(["id", "demo_sha256", "type", "name", "kills_count", "player", "round", "score", "reason"] as const),
  ...(["start_tick", "end_tick", "moments"] as const),
] satisfies (keyof HighlightRow)[];

/**
 * A highlight as the API gives it.
 * @param players of its demo
 * @param profiles of those players, for avatars
 */
export function presentHighlight(
  row: Pick<HighlightRow, (typeof shownHighlightColumns)[number]>,
  players: readonly DemoPlayer[],
  profiles: PlayerProfiles,
): Highlight {
  const person = (index: number) => {
    const player = players[index];
    const steamId = player?.steam_id ?? null;
    return {
      name: cleanPlayerName(player?.name ?? "") || "Unknown player",
      steam_id: steamId,
      avatar_url: (steamId && profiles.get(steamId)?.avatar_url) || null,
    };
  };
  const moments = row.moments as HighlightMoment[];
  const kills = moments.map((moment) => ({
    tick: moment.tick,
    weapon: boundedLine(moment.weapon, textLimits.weapon),
    weapon_name: weaponName(boundedLine(moment.weapon, textLimits.weapon)),
    flags: moment.flags,
    victim: moment.victim === null ? null : person(moment.victim),
  }));
  const player = person(row.player);
  return {
    id: row.id,
    highlight_type: row.type,
    kills_count: row.kills_count,
    display_name: row.name === null ? null : boundedLine(row.name, customMoments.nameCharacters),
    player_name: player.name,
    player_steam_id: player.steam_id,
    player_avatar_url: player.avatar_url,
    round_number: row.round,
    victims_data: kills.flatMap((kill) => kill.victim ?? []),
    score: row.score,
    reason: boundedLine(row.reason, textLimits.reason),
    definition: highlightDefinition(row.type),
    start_tick: row.start_tick,
    end_tick: row.end_tick,
    kills,
  };
}

/** A highlight as lists of matches and clips carry it: they show what it is, not everybody in it. */
export function listedHighlight(highlight: Highlight): Highlight {
  return { ...highlight, kills: [], victims_data: highlight.victims_data.slice(0, limits.victimsInLists) };
}
