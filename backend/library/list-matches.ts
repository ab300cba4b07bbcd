import type { Match, MatchList } from "../../contract/schemas/matches.ts";
import { presentListedClips } from "../clips/present-clip.ts";
import { groupBy } from "../group-by.ts";
import { bestHighlights, highlightCounts } from "../matches/demo-highlights.ts";
import { importPositions } from "../matches/import-positions.ts";
import { profilesOfPlayers } from "../matches/player-profiles.ts";
import { listedHighlight, presentHighlight } from "../matches/present-highlight.ts";
import { presentMatch } from "../matches/present-match.ts";
import { presentRecentMatch, recentMatches } from "../matches/recent-matches.ts";
import { sampleMatchPath } from "../matches/sample-match.ts";
import type { Services } from "../services.ts";
import { userTotals } from "../storage/counts.ts";
import type { DemoRow, HighlightRow, MatchRow, User } from "../storage/schema.ts";

/** Highlights and clips that a list entry carries; the detail has all of them. */
const shownOfEach = 3;

/**
 * A page of a player's matches: what they imported, the newest first, then the recent matches of the history provider that
 * they have not imported. A provider that does not answer leaves the imported ones usable.
 */
export async function listMatches(
  services: Services,
  user: User,
  { limit, offset }: { limit: number; offset: number },
): Promise<MatchList> {
  const { matches: imported } = await userTotals(services.database, user.id);
  const rows = offset < imported ? await importedMatches(services, user, { limit, offset }) : [];
  const recent = await recentMatches(services, user);
  const room = limit - rows.length;
  const recentOffset = Math.max(0, offset - imported);
  const count = imported + recent.matches.length;
  return {
    results: [
      ...(await presentMatches(services, rows, user)),
      ...recent.matches.slice(recentOffset, recentOffset + room).map(presentRecentMatch),
    ],
    count,
    next: offset + limit < count ? `/api/matches/?limit=${limit}&offset=${offset + limit}` : null,
    provider: recent.provider,
    sample_available: imported === 0 && sampleMatchPath !== null,
  };
}

/** Which they are is read from the index `matches_user_listed` alone, so that those before the page cost little. */
async function importedMatches(
  { database }: Services,
  user: User,
  { limit, offset }: { limit: number; offset: number },
): Promise<MatchRow[]> {
  return database
    .selectFrom("matches")
    .selectAll()
    .where(
      "id",
      "in",
      database
        .selectFrom("matches")
        .select("id")
        .where("user_id", "=", user.id)
        .where("alias_of", "is", null)
        .orderBy("created_at", "desc")
        .orderBy("id", "desc")
        .limit(limit)
        .offset(offset),
    )
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();
}

/** Imported matches in list form, with a fixed number of queries however many there are. */
async function presentMatches(services: Services, rows: readonly MatchRow[], user: User): Promise<Match[]> {
  if (rows.length === 0) return [];
  const demoIds = [...new Set(rows.flatMap((row) => row.demo_sha256 ?? []))];
  const demoRows: DemoRow[] =
    demoIds.length === 0
      ? []
      : await services.database.selectFrom("demos").selectAll().where("sha256", "in", demoIds).execute();
  const demos = new Map(demoRows.map((demo) => [demo.sha256, demo]));
  const counts = await highlightCounts(services, demoIds);
  const best = groupBy(await bestHighlights(services, demoIds, shownOfEach), (row) => row.demo_sha256);
  const profiles = await profilesOfPlayers(
    services,
    demoRows.map((demo) => demo.players),
  );
  const clips = await clipsOfMatches(services, rows, user.id);
  const positions = await importPositions(services, rows);
  return rows.map((row) => {
    const demo = (row.demo_sha256 && demos.get(row.demo_sha256)) || null;
    const highlights: HighlightRow[] = (row.demo_sha256 && best.get(row.demo_sha256)) || [];
    const own = clips.get(row.id);
    return presentMatch(row, user.steam_id, {
      demo,
      queuePosition: positions.get(row.id) ?? null,
      highlightsCount: counts.get(row.demo_sha256 ?? "") ?? 0,
      highlights: highlights.map((highlight) =>
        listedHighlight(presentHighlight(highlight, demo?.players ?? [], profiles)),
      ),
      clipsCount: own?.count ?? 0,
      clips: own?.newest ?? [],
    });
  });
}

async function clipsOfMatches(services: Services, rows: readonly MatchRow[], userId: number) {
  const clips = await services.database
    .selectFrom("clips")
    .select(["id", "match_id"])
    .where(
      "match_id",
      "in",
      rows.map((row) => row.id),
    )
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();
  const byMatch = groupBy(clips, (clip) => clip.match_id);
  const shown = [...byMatch.values()].flatMap((own) => own.slice(0, shownOfEach).map((clip) => clip.id));
  const presented = groupBy(await presentListedClips(services, shown, userId), (clip) => clip.match_id);
  return new Map(
    [...byMatch].map(([matchId, own]) => [matchId, { count: own.length, newest: presented.get(matchId) ?? [] }]),
  );
}
