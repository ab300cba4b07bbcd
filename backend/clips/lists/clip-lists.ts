import { type ExpressionBuilder, sql } from "kysely";
import { cleanPlayerName } from "../../../contract/clean-text.ts";
import { mapIconUrl } from "../../../contract/maps.ts";
import type { ClipFilter, ClipGroup, ClipsOverview, UserClips } from "../../../contract/schemas/clip-lists.ts";
import type { Clip } from "../../../contract/schemas/clips.ts";
import { diskUse } from "../../accounts/disk-quota.ts";
import type { Services } from "../../services.ts";
import { userTotals } from "../../storage/counts.ts";
import type { Database } from "../../storage/schema.ts";
import { presentListedClips, presentPublicClips } from "../present-clip.ts";
import { type ListedClips, listed, newestGroups } from "./newest-groups.ts";

/** Clips listed of one group, newest first: all compilations of a player are in one group. */
const mostOfGroup = 300;

/** The clips of one match, newest first. The caller has checked whose match it is. */
export async function clipsOfMatch(services: Services, matchId: string, viewerId: number): Promise<Clip[]> {
  const rows = await services.database
    .selectFrom("clips")
    .select("id")
    .where("match_id", "=", matchId)
    .where("user_id", "=", viewerId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(mostOfGroup)
    .execute();
  return presentListedClips(
    services,
    rows.map((row) => row.id),
    viewerId,
  );
}

export interface OverviewPage {
  limit: number;
  offset: number;
  /** Path of this list, for the link to its next page. */
  path: string;
}

type FilteredPage = OverviewPage & ClipFilter;

/**
 * A player's own clips in every state, grouped by match, the match with the newest clip first. Pages count groups.
 */
export async function ownClips(services: Services, userId: number, page: FilteredPage): Promise<ClipsOverview> {
  const list = await overview(services, userId, userId, page, { completedOnly: false });
  const use = await diskUse(services, userId);
  return use ? { ...list, storage: { used_bytes: use.usedBytes, quota_bytes: use.quotaBytes } } : list;
}

/**
 * A player's finished clips, as the public sees them. Every Steam ID has such a list: that of a player who never signed in is empty, under the
 * name that Steam or a demo gave.
 * @returns null when it is no Steam ID
 */
export async function publicClips(
  services: Services,
  steamId: string,
  viewerId: number | null,
  page: FilteredPage,
): Promise<UserClips | null> {
  if (!/^\d{17}$/.test(steamId)) return null;
  const { database } = services;
  const user = await database
    .selectFrom("users")
    .select(["id", "steam_name as name", "avatar_url"])
    .where("steam_id", "=", steamId)
    .executeTakeFirst();
  const known =
    user ??
    (await database
      .selectFrom("profiles")
      .select(["name", "avatar_url"])
      .where("steam_id", "=", steamId)
      .executeTakeFirst());
  const list: ClipsOverview = user
    ? await overview(services, user.id, viewerId, page, { completedOnly: true })
    : {
        results: [],
        user_stats: { total_clips: 0, total_views: 0, total_likes: 0 },
        limit: page.limit,
        next: null,
      };
  return {
    ...list,
    user_info: {
      steam_id: steamId,
      // A name may be unknown, or have no visible characters: then the page says "This user" (specification).
      username: cleanPlayerName(known?.name ?? ""),
      avatar_url: known?.avatar_url ?? null,
    },
  };
}

async function overview(
  services: Services,
  ownerId: number,
  viewerId: number | null,
  { limit, offset, path, map, type, player }: FilteredPage,
  { completedOnly }: { completedOnly: boolean },
): Promise<ClipsOverview> {
  const filter = { map, type, player };
  // Counts all clips: a filter changes what is listed, not what a player has.
  const totals = await userTotals(services.database, ownerId);
  const asked = { ownerId, completedOnly, filter, offset, count: limit + 1 };
  const groups = await newestGroups(services, totals, asked);
  const shown = groups.slice(0, limit);
  const rows =
    shown.length === 0 ? [] : await clipsOfGroups(services, { ownerId, completedOnly, filter, groups: shown });
  const present = completedOnly ? presentPublicClips : presentListedClips;
  const clips = await present(
    services,
    rows.map((row) => row.id),
    viewerId,
  );
  return {
    results: shown.flatMap((matchId) => group(clips.filter((clip) => clip.match_id === matchId))),
    user_stats: {
      total_clips: completedOnly ? totals.finishedClips : totals.clips,
      total_views: totals.views,
      total_likes: totals.likes,
    },
    limit,
    next: groups.length > limit ? `${path}?${nextPage(filter, limit, offset + limit)}` : null,
  };
}

function clipsOfGroups(services: Services, { groups, ...list }: ListedClips & { groups: readonly (string | null)[] }) {
  const ranked = listed(services, list)
    .select(["id", "created_at"])
    .select(sql<number>`row_number() OVER (PARTITION BY match_id ORDER BY created_at DESC, id DESC)`.as("place"))
    .where((row) => inGroups(row, groups));
  return services.database
    .selectFrom(ranked.as("ranked"))
    .select("id")
    .where("place", "<=", mostOfGroup)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();
}

function nextPage(filter: ClipFilter, limit: number, offset: number): URLSearchParams {
  const given = Object.entries(filter).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return new URLSearchParams([["limit", String(limit)], ["offset", String(offset)], ...given]);
}

/** Compilations belong to no match and are a group of their own. */
function inGroups(row: ExpressionBuilder<Database, "clips">, matchIds: readonly (string | null)[]) {
  const known = matchIds.filter((id) => id !== null);
  return row.or([
    ...(known.length > 0 ? [row("match_id", "in", known)] : []),
    ...(known.length < matchIds.length ? [row("match_id", "is", null)] : []),
  ]);
}

const compilations = {
  match_id: null,
  map_name: "",
  map_display_name: "Compilations",
  map_icon_url: mapIconUrl(""),
  game_mode: "",
  match_date: null,
  imported_at: null,
  score_team1: null,
  score_team2: null,
};

function group(clips: Clip[]): ClipGroup[] {
  const [first] = clips;
  if (!first) return [];
  if (first.match_id === null) return [{ ...compilations, clips }];
  const {
    match_id,
    map_name,
    map_display_name,
    map_icon_url,
    game_mode,
    match_date,
    imported_at,
    score_team1,
    score_team2,
  } = first;
  return [
    {
      match_id,
      map_name,
      map_display_name,
      map_icon_url,
      game_mode,
      match_date,
      imported_at,
      score_team1,
      score_team2,
      clips,
    },
  ];
}
