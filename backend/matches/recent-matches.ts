import type { Match, MatchList } from "../../contract/api.ts";
import type { Services } from "../services.ts";
import type { User } from "../storage/schema.ts";
import type { RecentMatchFacts } from "./create-match.ts";

export interface RecentMatch extends RecentMatchFacts {
  demoUrl: string | null;
}

export async function recentMatches(
  _services: Services,
  _user: User,
): Promise<{ matches: RecentMatch[]; provider: MatchList["provider"] }> {
  return { matches: [], provider: null };
}
export function presentRecentMatch(_match: RecentMatch): Match {
  throw new Error("none");
}
export async function recentMatchFacts(
  _services: Services,
  _user: User,
  body: { recent_match_id: string },
): Promise<RecentMatchFacts> {
  return {
    recentMatchId: body.recent_match_id,
    leetifyMatchId: null,
    providerMatchUrl: null,
    map: null,
    gameMode: null,
    score1: null,
    score2: null,
    playedAt: null,
  };
}
