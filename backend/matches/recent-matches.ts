import type { z } from "zod";
import { boundedLine } from "../../contract/clean-text.ts";
import { mapDisplayName, mapIconUrl } from "../../contract/maps.ts";
import type { importRecentMatchSchema } from "../../contract/schemas/imports.ts";
import type { Match, MatchList } from "../../contract/schemas/matches.ts";
import { textLimits } from "../../contract/text-limits.ts";
import { Refusal } from "../refusal.ts";
import type { Services } from "../services.ts";
import type { User } from "../storage/schema.ts";
import type { RecentMatchFacts } from "./create-match.ts";
import { plausiblePlayedAt } from "./played-at.ts";
import { notImported } from "./processing-state.ts";
import { type HistoryProvider, HistoryProviderError, type RecentMatch } from "./providers/history-provider.ts";
import { providerFor } from "./providers/provider-for.ts";
import { recentEntryId } from "./recent-entry-id.ts";
import { userOutcome } from "./roster-order.ts";

/** A recent match that can be imported. */
export interface ImportableMatch extends RecentMatch {
  demoUrl: string;
  providerMatchUrl: string;
}

/**
 * The history provider's matches of a player that have a demo and that they have not imported, the newest first.
 * A provider that cannot be asked gives none, and a sentence.
 */
export async function recentMatches(
  services: Services,
  user: User,
): Promise<{ matches: ImportableMatch[]; provider: MatchList["provider"] }> {
  const provider = providerFor(services.config);
  if (!provider) return { matches: [], provider: null };
  const { name, url } = provider;
  try {
    const matches = await importable(services, user, provider);
    return { matches, provider: { name, url, problem: null } };
  } catch (error) {
    if (!(error instanceof HistoryProviderError)) throw error;
    return { matches: [], provider: { name, url, problem: error.message } };
  }
}

async function importable(services: Services, user: User, provider: HistoryProvider): Promise<ImportableMatch[]> {
  const listed = (await provider.recentMatches(user.steam_id)).flatMap((match) =>
    // In its normal form, in which marks nobody sees are written out, and in which an import stores it.
    match.demoUrl && URL.canParse(match.demoUrl)
      ? { ...match, demoUrl: new URL(match.demoUrl).href, providerMatchUrl: provider.matchUrl(match.id) }
      : [],
  );
  if (listed.length === 0) return [];
  const imported = await services.database
    .selectFrom("matches")
    .select(["recent_match_id", "demo_url"])
    .where("user_id", "=", user.id)
    .where((match) =>
      match.or([
        match(
          "recent_match_id",
          "in",
          listed.map(({ id }) => id),
        ),
        match(
          "demo_url",
          "in",
          listed.map(({ demoUrl }) => demoUrl),
        ),
      ]),
    )
    .execute();
  return listed.filter(
    ({ id, demoUrl }) => !imported.some((row) => row.recent_match_id === id || row.demo_url === demoUrl),
  );
}

/** A recent match as an entry of the list. */
export function presentRecentMatch(match: ImportableMatch): Match {
  const id = recentEntryId(match.id, match.map);
  const processing = notImported(id);
  const playedAt = match.playedAt?.toISOString() ?? null;
  return {
    id,
    match_id: id,
    match_type: "recent",
    map_name: match.map,
    map_display_name: mapDisplayName(match.map),
    map_icon_url: mapIconUrl(match.map),
    game_mode: match.gameMode,
    match_date: playedAt,
    score_team1: match.ownScore,
    score_team2: match.opponentScore,
    created_at: playedAt ?? new Date(0).toISOString(),
    user_outcome: userOutcome(match.ownScore, match.opponentScore, true),
    highlights_count: 0,
    highlights: [],
    clips_count: 0,
    clips: [],
    processing_status: processing.processing_status,
    processing,
    demo_url: match.demoUrl,
    recent_match_id: match.id,
    leetify_match_id: match.id,
    provider_match_url: match.providerMatchUrl,
  };
}

/**
 * What is stored of a recent match before its demo is read: what the provider says when it still lists the match, else what
 * the page sent back, within bounds.
 * @throws Refusal for an id that no provider gives
 */
export async function recentMatchFacts(
  services: Services,
  user: User,
  body: z.output<typeof importRecentMatchSchema>,
): Promise<RecentMatchFacts> {
  const id = body.recent_match_id;
  if (!/^[\w.:-]{1,100}$/.test(id)) throw Refusal.ofField("recent_match_id", "This is not the id of a recent match.");
  const provider = providerFor(services.config);
  const listed = await provider?.recentMatches(user.steam_id).catch(() => []);
  const match = listed?.find((candidate) => candidate.id === id);
  const known = {
    recentMatchId: id,
    leetifyMatchId: id,
    providerMatchUrl: provider?.matchUrl(id) ?? null,
  };
  if (match) {
    const { map, gameMode, ownScore, opponentScore, playedAt } = match;
    return {
      ...known,
      map: map || null,
      gameMode,
      score1: plausibleScore(ownScore),
      score2: plausibleScore(opponentScore),
      playedAt,
    };
  }
  return {
    ...known,
    map: boundedLine(body.map_name ?? "", textLimits.mapName) || null,
    gameMode: boundedLine(body.game_mode ?? "", textLimits.gameMode) || null,
    score1: plausibleScore(body.score_team1),
    score2: plausibleScore(body.score_team2),
    playedAt: plausiblePlayedAt(new Date(body.match_date ?? Number.NaN), services.now()),
  };
}

export function plausibleScore(score: number | null | undefined): number | null {
  return typeof score === "number" && score >= 0 && score < 1000 ? score : null;
}
