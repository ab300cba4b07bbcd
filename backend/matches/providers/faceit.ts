import { LRUCache } from "lru-cache";
import pLimit from "p-limit";
import { z } from "zod";
import { boundedLine } from "../../../contract/clean-text.ts";
import { providerLimits } from "../../../contract/limits.ts";
import { textLimits } from "../../../contract/text-limits.ts";
import { askProvider, unreachable } from "./ask-provider.ts";
import { type HistoryProvider, HistoryProviderError, type RecentMatch, validDate } from "./history-provider.ts";

const name = "FACEIT";
/** Each needs a call of its own: the history has neither map nor demo. */
const maxMatches = 10;
const callsAtOnce = 5;
/** A match that has ended, and whose demos are there, stays what it is: asked for once an hour, not with every look. Decision 064. */
const endedMatches = { max: 5000, ttl: 60 * 60_000 };

const idSchema = z.string().max(textLimits.id);
const playerSchema = z.object({ player_id: idSchema });
const historySchema = z.object({
  items: z.array(z.object({ match_id: z.string().regex(/^[\w-]{1,100}$/) })).max(providerLimits.matches),
});
const rosterSchema = z.object({
  roster: z
    .array(z.object({ player_id: idSchema }))
    .max(providerLimits.players)
    .catch([]),
});
const factionsSchema = z.object({ faction1: z.object({ score: z.int() }), faction2: z.object({ score: z.int() }) });
const matchSchema = z.object({
  match_id: z.string().regex(/^[\w-]{1,100}$/),
  finished_at: z.number().nullish(),
  teams: z.object({ faction1: rosterSchema, faction2: rosterSchema }).nullish().catch(null),
  voting: z
    .object({ map: z.object({ pick: z.array(z.string()).max(providerLimits.mapsOfMatch) }) })
    .nullish()
    .catch(null),
  /** Rounds by map; `results` counts maps. */
  detailed_results: z
    .array(z.object({ factions: factionsSchema }))
    .max(providerLimits.mapsOfMatch)
    .nullish()
    .catch(null),
  demo_url: z.array(z.string().max(textLimits.url)).max(providerLimits.mapsOfMatch).nullish().catch(null),
});
type FaceitMatch = z.infer<typeof matchSchema>;

const downloadSchema = z.object({
  payload: z.object({
    download_url: z
      .string()
      .max(providerLimits.signedUrlCharacters)
      .regex(/^https?:\/\//),
  }),
});

/**
 * FACEIT's data API, version 4 (https://docs.faceit.com/docs/data-api/data), and its download API for the demos, whose scope
 * FACEIT grants to a key separately.
 */
export function faceitProvider({ apiUrl, apiKey }: { apiUrl: string; apiKey: string }): HistoryProvider {
  const headers = { Authorization: `Bearer ${apiKey}` };
  const ask = (path: string, query: Record<string, string> = {}) => {
    const address = new URL(`${apiUrl}/data/v4${path}`);
    for (const [key, value] of Object.entries(query)) address.searchParams.set(key, value);
    return askProvider(name, address, { headers });
  };

  const ended = new LRUCache<string, FaceitMatch>(endedMatches);

  async function matchesById(matchIds: readonly string[]): Promise<(FaceitMatch | null)[]> {
    const limit = pLimit(callsAtOnce);
    return limit.map(matchIds, async (matchId) => {
      const known = ended.get(matchId);
      if (known) return known;
      try {
        const parsed = matchSchema.safeParse(await ask(`/matches/${matchId}`));
        if (parsed.success && isWhole(parsed.data)) ended.set(matchId, parsed.data);
        return parsed.success ? parsed.data : null;
      } catch (error) {
        // One refusal is enough: asking on after a 429 makes it last.
        limit.clearQueue();
        throw error;
      }
    });
  }

  return {
    name,
    url: "https://www.faceit.com/",
    matchUrl: (id) => `https://www.faceit.com/en/cs2/room/${encodeURIComponent(id.split(":")[0] ?? id)}`,
    async recentMatches(steamId) {
      const player = playerSchema.safeParse(await ask("/players", { game: "cs2", game_player_id: steamId }));
      if (!player.success) return [];
      const playerId = player.data.player_id;
      const body = await ask(`/players/${encodeURIComponent(playerId)}/history`, {
        game: "cs2",
        limit: String(maxMatches),
      });
      if (body === null) return [];
      const history = historySchema.safeParse(body);
      if (!history.success) throw unreachable(name);
      const matches = await matchesById(history.data.items.slice(0, maxMatches).map((item) => item.match_id));
      return matches.flatMap((match) => (match ? mapsOf(match, playerId) : []));
    },
    async downloadUrl(demoUrl) {
      const address = new URL(`${apiUrl}/download/v2/demos/download`);
      const asked = {
        method: "POST",
        headers: { ...headers, "Content-Type": "application/json" },
        body: JSON.stringify({ resource_url: demoUrl }),
      };
      const body = await askProvider(name, address, asked, "demo");
      const parsed = downloadSchema.safeParse(body);
      if (!parsed.success) throw new HistoryProviderError("FACEIT does not have this demo any more.");
      return parsed.data.payload.download_url;
    },
  };
}

/** Whether a match has ended and has a demo of every map that was played. */
function isWhole({ finished_at, detailed_results, demo_url }: FaceitMatch): boolean {
  return Boolean(finished_at) && (demo_url?.length ?? 0) >= Math.max(1, detailed_results?.length ?? 1);
}

/** A match of several maps has a demo and a score for each; each is listed on its own, the last played first. */
function mapsOf(match: FaceitMatch, playerId: string): RecentMatch[] {
  const isSecond = match.teams?.faction2.roster.some((player) => player.player_id === playerId) ?? false;
  const picked = match.voting?.map.pick ?? [];
  // Where nobody votes, as in some tournaments, the demo tells the map once it is imported.
  const maps = picked.length > 0 ? picked : (match.demo_url ?? []).map(() => "");
  const played = match.detailed_results?.length ?? 1;
  return maps
    .slice(0, played)
    .map((map, index): RecentMatch => {
      const scores = match.detailed_results?.[index]?.factions;
      const first = scores?.faction1.score ?? null;
      const second = scores?.faction2.score ?? null;
      return {
        id: index === 0 ? match.match_id : `${match.match_id}:${index + 1}`,
        demoUrl: match.demo_url?.[index] ?? null,
        map: boundedLine(map, textLimits.mapName),
        gameMode: name,
        ownScore: isSecond ? second : first,
        opponentScore: isSecond ? first : second,
        playedAt: match.finished_at ? validDate(match.finished_at * 1000) : null,
      };
    })
    .reverse();
}
