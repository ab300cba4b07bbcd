import { sql } from "kysely";
import type { FoundHighlight, FoundHighlights, HighlightFilter } from "../../contract/api.ts";
import { matchInfo } from "../matches/match-info.ts";
import { profilesOfPlayers } from "../matches/player-profiles.ts";
import { listedHighlight, presentHighlight } from "../matches/present-highlight.ts";
import type { Services } from "../services.ts";
import type { DemoRow, HighlightRow, User } from "../storage/schema.ts";
import { dayBounds } from "./day-bounds.ts";

export interface HighlightsPage extends HighlightFilter {
  /** IANA name of the zone in which days are meant; UTC without one. */
  time_zone?: string | undefined;
  limit: number;
  offset: number;
  /** Path of this list, for the link to its next page. */
  path: string;
}

/** A demo of the player's, and those of its players that are asked for; null for all. */
interface OwnDemo {
  sha256: string;
  match_id: string;
  wanted: readonly number[] | null;
}

/**
 * The highlights that were found in all of a player's matches, the best first. Without a player named, those of the player's own, if there are any in
 * these matches, else everybody's.
 */
export async function ownHighlights(services: Services, user: User, page: HighlightsPage): Promise<FoundHighlights> {
  const { database } = services;
  const { limit, offset, path, ...filter } = page;
  const demos = await ownDemos(services, user, filter);
  const isOwnAsked = filter.player === undefined;
  const ofUser = demos.map((demo) => ({ ...demo, wanted: placesOf(demo.players, user.steam_id) }));
  const hasOwn = isOwnAsked && ofUser.some(({ wanted }) => wanted.length > 0);
  const player = filter.player === undefined ? (hasOwn ? user.steam_id : "all") : filter.player.trim() || "all";
  const asked: OwnDemo[] = demos
    .map(({ sha256, match_id, players }) => ({
      ...{ sha256, match_id },
      wanted: player === "all" ? null : placesOf(players, player),
    }))
    .filter(({ wanted }) => wanted === null || wanted.length > 0);
  const found = asked.length === 0 ? [] : await bestOf(services, asked, filter, limit + 1, offset);
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
    return [{ ...highlight, ...match.info, match_id, can_create_clips: match.demo.track_key !== null }];
  });
  const maps = await database
    .selectFrom("matches")
    .innerJoin("demos", "demos.sha256", "matches.demo_sha256")
    .select("demos.map")
    .distinct()
    .where("matches.user_id", "=", user.id)
    .orderBy("demos.map")
    .execute();
  const given = Object.entries(filter).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const query = new URLSearchParams([["limit", String(limit)], ["offset", String(offset + limit)], ...given]);
  return {
    results,
    player,
    has_own: ofUser.some(({ wanted }) => wanted.length > 0),
    maps: maps.map(({ map }) => map),
    next: found.length > limit ? `${path}?${query}` : null,
  };
}

/** A player by Steam ID, or by the whole name in that demo, whatever its case. @returns places in the demo's list */
function placesOf(players: DemoRow["players"], player: string): number[] {
  const small = player.toLowerCase();
  const isMeant = /^\d{17}$/.test(player)
    ? (one: DemoRow["players"][number]) => one.steam_id === player
    : (one: DemoRow["players"][number]) => one.name.toLowerCase() === small;
  return players.flatMap((one, place) => (isMeant(one) ? [place] : []));
}

/** The player's imported matches on a map, of a time. Matches without a date count by when they were imported. */
function ownDemos(
  { database }: Services,
  user: User,
  { map, from, until, time_zone: zone = "UTC" }: Pick<HighlightsPage, "map" | "from" | "until" | "time_zone">,
) {
  const playedAt = sql<Date>`coalesce(matches.provider_played_at, demos.played_at, matches.created_at)`;
  return database
    .selectFrom("matches")
    .innerJoin("demos", "demos.sha256", "matches.demo_sha256")
    .select(["demos.sha256", "matches.id as match_id", "demos.players"])
    .where("matches.user_id", "=", user.id)
    .where("matches.status", "=", "completed")
    .$if(Boolean(map), (query) => query.where("demos.map", "=", map ?? ""))
    .$if(Boolean(from), (query) => query.where(playedAt, ">=", dayBounds(from ?? "", zone).begin))
    .$if(Boolean(until), (query) => query.where(playedAt, "<", dayBounds(until ?? "", zone).end))
    .execute();
}

/** Read by the index on the demo: as many as these demos have, whatever else is stored. */
function bestOf(
  { database }: Services,
  demos: readonly OwnDemo[],
  { type, weapon }: HighlightFilter,
  limit: number,
  offset: number,
): Promise<(HighlightRow & { match_id: string })[]> {
  const rows = demos.flatMap(({ sha256, match_id, wanted }) =>
    (wanted ?? [null]).map((player) => ({ sha256, match_id, player })),
  );
  const asked = sql<{ sha256: string; match_id: string; player: number | null }>`(
    SELECT * FROM unnest(
      ${rows.map((row) => row.sha256)}::text[], ${rows.map((row) => row.match_id)}::text[], ${rows.map((row) => row.player)}::int[]
    ) AS given (sha256, match_id, player)
  )`.as("asked");
  return database
    .selectFrom(asked)
    .innerJoin("highlights", "highlights.demo_sha256", "asked.sha256")
    .selectAll("highlights")
    .select("asked.match_id")
    .where("highlights.is_listed", "=", true)
    .where("highlights.type", "<>", "custom")
    .where((row) => row.or([row("asked.player", "is", null), row("highlights.player", "=", row.ref("asked.player"))]))
    .$if(Boolean(type), (query) => query.where("highlights.type", "=", type ?? "ace"))
    .$if(Boolean(weapon), (query) =>
      query.where(sql<boolean>`highlights.moments @> ${JSON.stringify([{ weapon }])}::jsonb`),
    )
    .orderBy("highlights.score", "desc")
    .orderBy("highlights.id")
    .limit(limit)
    .offset(offset)
    .execute();
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
    ])
    .where("matches.id", "in", ids)
    .execute();
  return new Map(rows.map((row) => [row.id, { demo: row, info: matchInfo(row, row, user.steam_id, row.imported_at) }]));
}
