import { z } from "zod";
import { boundedLine } from "../../../contract/clean-text.ts";
import { providerLimits } from "../../../contract/limits.ts";
import { textLimits } from "../../../contract/text-limits.ts";
import { askProvider, unreachable } from "./ask-provider.ts";
import { type HistoryProvider, type RecentMatch, validDate } from "./history-provider.ts";

const name = "Leetify";
const maxMatches = 30;

/** Modes by Leetify's data source; others are shown under the source's own name. */
const gameModes = new Map([
  ["matchmaking", "Matchmaking"],
  ["matchmaking_competitive", "Matchmaking_Competitive"],
  ["matchmaking_wingman", "Matchmaking_Wingman"],
  ["faceit", "FACEIT"],
  ["renown", "Renown"],
]);

const matchSchema = z.object({
  id: z.string().regex(/^[\w-]{1,100}$/),
  finished_at: z.string().max(textLimits.date).nullish(),
  data_source: z.string(),
  map_name: z.string(),
  replay_url: z.string().max(textLimits.url).nullish().catch(null),
  team_scores: z
    .array(z.object({ team_number: z.number(), score: z.int() }))
    .max(providerLimits.teams)
    .catch([]),
  stats: z
    .array(z.object({ steam64_id: z.string().max(textLimits.id), initial_team_number: z.number().nullish() }))
    .max(providerLimits.players)
    .catch([]),
});
type LeetifyMatch = z.infer<typeof matchSchema>;

/**
 * Leetify's public API, version 3 (https://api-public-docs.cs-prod.leetify.com). It answers without a key too, less often.
 * Its guidelines ask for a badge, a link to the match there, and no storage beyond a short cache.
 */
export function leetifyProvider({ apiUrl, apiKey }: { apiUrl: string; apiKey?: string | undefined }): HistoryProvider {
  return {
    name,
    url: "https://leetify.com/",
    matchUrl: (id) => `https://leetify.com/app/match-details/${encodeURIComponent(id)}`,
    downloadUrl: async (demoUrl) => demoUrl,
    async recentMatches(steamId) {
      const address = new URL(`${apiUrl}/v3/profile/matches`);
      address.searchParams.set("steam64_id", steamId);
      const body = await askProvider(name, address, { headers: apiKey ? { _leetify_key: apiKey } : {} });
      if (body === null) return [];
      if (!Array.isArray(body)) throw unreachable(name);
      return body
        .slice(0, providerLimits.matches)
        .flatMap((entry) => {
          const parsed = matchSchema.safeParse(entry);
          return parsed.success ? [recentMatch(parsed.data, steamId)] : [];
        })
        .sort((a, b) => (b.playedAt?.getTime() ?? 0) - (a.playedAt?.getTime() ?? 0))
        .slice(0, maxMatches);
    },
  };
}

function recentMatch(match: LeetifyMatch, steamId: string): RecentMatch {
  const ownTeam = match.stats.find((player) => player.steam64_id === steamId)?.initial_team_number;
  const [first, second] = match.team_scores;
  const own = ownTeam == null ? first : match.team_scores.find((team) => team.team_number === ownTeam);
  const opponent = own === first ? second : first;
  return {
    id: match.id,
    demoUrl: match.replay_url && /^https?:\/\//.test(match.replay_url) ? match.replay_url : null,
    map: boundedLine(match.map_name, textLimits.mapName),
    gameMode: gameModes.get(match.data_source) ?? boundedLine(match.data_source, textLimits.gameMode),
    ownScore: own?.score ?? null,
    opponentScore: opponent?.score ?? null,
    playedAt: match.finished_at ? validDate(match.finished_at) : null,
  };
}
