import { sql } from "kysely";
import { LRUCache } from "lru-cache";
import type { FoundHighlight, FoundHighlights, HighlightFilter } from "../../contract/schemas/found-highlights.ts";
import { picturesUrl } from "../clips/match-replay/pictures-url.ts";
import { matchInfo } from "../matches/match-info.ts";
import { profilesOfPlayers } from "../matches/player-profiles.ts";
import { listedHighlight, presentHighlight } from "../matches/present-highlight.ts";
import type { Services } from "../services.ts";
import type { HighlightRow, User } from "../storage/schema.ts";
import { dayBounds } from "./day-bounds.ts";

export interface HighlightsPage extends HighlightFilter {
  /** IANA name of the zone in which days are meant; UTC without one. */
  time_zone?: string | undefined;
  limit: number;
  offset: number;
  /** Path of this list, for the link to its next page. */
  path: string;
}

/** A player's matches that are asked about. */
type OwnMatches = Pick<HighlightFilter, "map" | "from" | "until"> & Pick<HighlightsPage, "time_zone"> & { user: User };

/**
 * The highlights that were found in all of a player's matches, the best first. Without a player named, those of the player's own, if the
 * player plays in any of these matches, else everybody's.
 */
export async function ownHighlights(services: Services, user: User, page: HighlightsPage): Promise<FoundHighlights> {
  const { limit, offset, path, ...filter } = page;
  const own = { ...filter, user };
  const hasOwn = await isPlayerOf(services, own);
  const player = filter.player === undefined ? (hasOwn ? user.steam_id : "all") : filter.player.trim() || "all";
  const found = await bestOf(services, own, player, filter, limit + 1, offset);
  const shown = found.slice(0, limit);
  const matches = await matchesOf(services, [...new Set(shown.map(({ match_id }) => match_id))], user);
  const profiles = await profilesOfPlayers(
    services,
    [...matches.values()].map(({ demo }) => demo.players),
  );
  const results = shown.flatMap(({ match_id, ...row }): FoundHighlight[] => {
    const match = matches.get(match_id);
    if (!match) return [];
    const highlight = listedHighlight(presentHighlight(row, match.demo.players, profiles));
    return [
      {
        ...highlight,
        ...match.info,
        match_id,
        can_create_clips: match.demo.track_key !== null,
        pictures_url: picturesUrl(match_id, match.demo),
      },
    ];
  });
  const given = Object.entries(filter).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const query = new URLSearchParams([["limit", String(limit)], ["offset", String(offset + limit)], ...given]);
  return {
    results,
    player,
    has_own: hasOwn,
    maps: await mapsOf(services, user),
    next: found.length > limit ? `${path}?${query}` : null,
  };
}

/** The player's imported matches on a map, of a time, with their demos. Matches without a date count by when they were imported. */
function ownMatches({ database }: Services, { user, map, from, until, time_zone: zone = "UTC" }: OwnMatches) {
  const playedAt = sql<Date>`coalesce(matches.provider_played_at, demos.played_at, matches.created_at)`;
  return database
    .selectFrom("matches")
    .innerJoin("demos", "demos.sha256", "matches.demo_sha256")
    .where("matches.user_id", "=", user.id)
    .where("matches.status", "=", "completed")
    .$if(Boolean(map), (query) => query.where("demos.map", "=", map ?? ""))
    .$if(Boolean(from), (query) => query.where(playedAt, ">=", dayBounds(from ?? "", zone).begin))
    .$if(Boolean(until), (query) => query.where(playedAt, "<", dayBounds(until ?? "", zone).end));
}

/** Whether the player whose matches they are plays in one of them: the first one that is looked at, of most players. */
async function isPlayerOf(services: Services, own: OwnMatches): Promise<boolean> {
  const played = await ownMatches(services, own)
    .select("matches.id")
    .where(sql<boolean>`demos.players @> ${JSON.stringify([{ steam_id: own.user.steam_id }])}::jsonb`)
    .limit(1)
    .executeTakeFirst();
  return played !== undefined;
}

const steamIdForm = /^\d{17}$/;

/**
 * The player's own matches meet highlights along the index of the wanted player, or of all: the best are read first, and no more than are
 * shown, however many matches there are.
 * @param player "all", a Steam ID, or a player's whole name in a demo, whatever its case
 */
async function bestOf(
  services: Services,
  own: OwnMatches,
  player: string,
  { type, weapon }: HighlightFilter,
  limit: number,
  offset: number,
): Promise<(HighlightRow & { match_id: string })[]> {
  const named = player === "all" || steamIdForm.test(player) ? null : await placesOfName(services, own, player);
  if (named?.length === 0) return [];
  return (
    ownMatches(services, { ...own, map: undefined })
      .innerJoin("highlights", "highlights.demo_sha256", "demos.sha256")
      .selectAll("highlights")
      .select("matches.id as match_id")
      .where("highlights.is_listed", "=", true)
      .where("highlights.type", "<>", "custom")
      .$if(steamIdForm.test(player), (query) => query.where("highlights.steam_id", "=", player))
      // Said by the join already. Of everybody's highlights most are not of one's own matches, which an index alone tells this way.
      .$if(player === "all", (query) =>
        query.where(
          sql<boolean>`(SELECT own.demo_sha256 FROM matches AS own
          WHERE own.user_id = ${own.user.id} AND own.demo_sha256 = highlights.demo_sha256) IS NOT NULL`,
        ),
      )
      .$if(named !== null, (query) =>
        query.where(
          sql<boolean>`(highlights.demo_sha256, highlights.player) IN (
          SELECT * FROM unnest(${named?.map(({ sha256 }) => sha256)}::text[], ${named?.map(({ place }) => place)}::int[]))`,
        ),
      )
      .$if(Boolean(own.map), (query) =>
        query
          .where("highlights.map", "=", own.map ?? "")
          // Of demos as well, so that those of other maps are passed by; as a condition of which the planner has no figure: it would
          // count the same share twice, and take walking along the highlights for ten times as long as it is.
          .where(sql<boolean>`CASE WHEN demos.map = ${own.map ?? ""} THEN true ELSE false END`),
      )
      .$if(Boolean(type), (query) => query.where("highlights.type", "=", type ?? "ace"))
      .$if(Boolean(weapon), (query) =>
        query.where(sql<boolean>`highlights.moments @> ${JSON.stringify([{ weapon }])}::jsonb`),
      )
      .orderBy("highlights.score", "desc")
      .orderBy("highlights.id")
      .limit(limit)
      .offset(offset)
      .execute()
  );
}

/** Where a name stands in the lists of players. Compared here: PGlite's small letters are those of ASCII alone. */
async function placesOfName(services: Services, own: OwnMatches, name: string) {
  const demos = await ownMatches(services, own).select(["demos.sha256", "demos.players"]).execute();
  const small = name.toLowerCase();
  return demos.flatMap(({ sha256, players }) =>
    players.flatMap((one, place) => (one.name.toLowerCase() === small ? [{ sha256, place }] : [])),
  );
}

/** Of so many matches the maps are kept for a while: of fewer they are looked up in less time than the rest of the list. */
const manyMatches = 500;
const mapsKept = { max: 1000, ttl: 60_000 };
const keptMaps = new WeakMap<Services["database"], LRUCache<number, string[]>>();

/** Of all matches, whatever is asked for: a filter offers what there is to choose from. */
async function mapsOf({ database }: Services, user: User): Promise<string[]> {
  const kept = keptMaps.get(database) ?? new LRUCache<number, string[]>(mapsKept);
  keptMaps.set(database, kept);
  const known = kept.get(user.id);
  if (known) return known;
  const rows = await database
    .selectFrom("matches")
    .innerJoin("demos", "demos.sha256", "matches.demo_sha256")
    .select((row) => ["demos.map", row.fn.countAll<number>().as("matches")])
    .where("matches.user_id", "=", user.id)
    .groupBy("demos.map")
    .orderBy("demos.map")
    .execute();
  const maps = rows.map(({ map }) => map);
  if (rows.reduce((sum, { matches }) => sum + Number(matches), 0) >= manyMatches) kept.set(user.id, maps);
  return maps;
}

async function matchesOf({ database }: Services, ids: readonly string[], user: User) {
  if (ids.length === 0) return new Map<string, never>();
  const rows = await database
    .selectFrom("matches")
    .innerJoin("demos", "demos.sha256", "matches.demo_sha256")
    .select([
      "matches.id",
      "matches.provider_map",
      "matches.provider_game_mode",
      "matches.provider_score1",
      "matches.provider_score2",
      "matches.provider_played_at",
      "matches.created_at as imported_at",
      "demos.map",
      "demos.game_mode",
      "demos.played_at",
      "demos.players",
      "demos.teams",
      "demos.track_key",
      "demos.pictures_key",
    ])
    .where("matches.id", "in", ids)
    .execute();
  return new Map(rows.map((row) => [row.id, { demo: row, info: matchInfo(row, row, user.steam_id, row.imported_at) }]));
}
