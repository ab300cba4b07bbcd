import { sql } from "kysely";
import { LRUCache } from "lru-cache";
import { type ClipFilter, type TopHighlights, type TopListName, topListNames } from "../../contract/api.ts";
import type { HighlightType } from "../../contract/highlight-types.ts";
import { limits } from "../../contract/limits.ts";
import type { Services } from "../services.ts";
import type { ClipRow } from "../storage/schema.ts";
import { isFiltering, matches } from "./found-by.ts";
import { loadClips } from "./load-clips.ts";
import { clipsForViewer, listForm } from "./present-clip.ts";
import type { PublicClip } from "./read-clips.ts";

/** The types a "best" list ranks; a clip counts by its best highlight among them. */
const rankedTypes = {
  best_clutches: ["clutch_1v2", "clutch_1v3", "clutch_1v4", "clutch_1v5"],
  best_multikills: ["ace", "quad_kill", "triple_kill"],
  best_zeus_knife: ["taser_kill", "knife_kill"],
  best_noscopes: ["no_scope", "wallbang", "through_smoke", "midair_kill", "nade_kill", "molly_kill"],
  best_one_taps: ["one_tap"],
  best_ninja_defuses: ["ninja_defuse"],
} as const satisfies Partial<Record<TopListName, readonly HighlightType[]>>;

interface SharedLists {
  lists: Record<TopListName, PublicClip[]>;
  /** The answer for signed-out visitors, as JSON. */
  json: string;
}

/** Home is the page most asked for: what all its visitors share is worked out, and written as JSON, once in this time. */
const freshMs = 3000;
/** Of what visitors narrow the lists down to, as many as are asked for within moments. */
const maxKept = 100;
type Kept = LRUCache<string, SharedLists, { services: Services; filter: ClipFilter }>;
const cache = new WeakMap<Services["database"], Kept>();

/** The nine lists of the home page, at most ten finished clips each, as JSON of `TopHighlights`. */
export async function topListsJson(
  services: Services,
  viewerId: number | null,
  filter: ClipFilter = {},
): Promise<string> {
  const { lists, json } = await sharedLists(services, filter);
  if (viewerId === null) return json;
  const distinct = new Map(topListNames.flatMap((name) => lists[name].map((shared) => [shared.clip.id, shared])));
  const seen = await clipsForViewer(services, [...distinct.values()], viewerId);
  const byId = new Map(seen.map((clip) => [clip.id, clip]));
  const seenBy = (name: TopListName) => lists[name].flatMap(({ clip }) => byId.get(clip.id) ?? []);
  return JSON.stringify(Object.fromEntries(topListNames.map((name) => [name, seenBy(name)])) as TopHighlights);
}

/** Called when a clip appears, disappears or is liked, so that this process shows it at once. */
export function forgetTopLists(services: Services): void {
  cache.get(services.database)?.clear();
}

/** Whoever asks while they are worked out waits for the same ones. */
function sharedLists(services: Services, { map = "", type, player = "" }: ClipFilter): Promise<SharedLists> {
  const kept = cache.get(services.database) ?? newCache();
  cache.set(services.database, kept);
  const filter = { map, type, player: player.trim() };
  return kept.forceFetch(JSON.stringify([map, type, filter.player]), { context: { services, filter } });
}

function newCache(): Kept {
  return new LRUCache({
    max: maxKept,
    ttl: freshMs,
    ttlResolution: 0,
    // Lists that are forgotten while they are worked out still go to those who wait for them, and are not kept.
    ignoreFetchAbort: true,
    fetchMethod: (_key, _stale, { context }) => loadTopLists(context.services, context.filter),
  });
}

async function loadTopLists(services: Services, filter: ClipFilter): Promise<SharedLists> {
  const few = isFiltering(filter) ? await fewThatMatch(services, filter) : null;
  const ids = few ? await rankFew(services, few) : await rankAll(services, filter);
  const distinct = [...new Set(topListNames.flatMap((name) => ids[name].map((row) => row.id)))];
  const clips = new Map((await loadClips(services, distinct)).map((shared) => [shared.clip.id, listForm(shared)]));
  const lists = Object.fromEntries(
    topListNames.map((name) => [name, ids[name].flatMap((row) => clips.get(row.id) ?? [])]),
  ) as SharedLists["lists"];
  const json = JSON.stringify(
    Object.fromEntries(topListNames.map((name) => [name, lists[name].map(({ clip }) => clip)])) as TopHighlights,
  );
  return { lists, json };
}

type RankedIds = Record<TopListName, { id: number }[]>;

/** Every list from its own index on, until there are enough clips that match. */
async function rankAll(services: Services, filter: ClipFilter): Promise<RankedIds> {
  const completed = services.database
    .selectFrom("clips")
    .select("id")
    .where("status", "=", "completed")
    .$if(isFiltering(filter), (query) => query.where(matches(filter)));
  const newestFirst = completed.orderBy("created_at", "desc").orderBy("id", "desc").limit(limits.topListLength);
  return {
    newest: await newestFirst.execute(),
    most_viewed: await newestFirst
      .clearOrderBy()
      .orderBy("views_count", "desc")
      .orderBy("created_at", "desc")
      .orderBy("id", "desc")
      .execute(),
    most_liked: await newestFirst
      .clearOrderBy()
      .orderBy("likes_count", "desc")
      .orderBy("created_at", "desc")
      .orderBy("id", "desc")
      .execute(),
    best_clutches: await bestOf(services, rankedTypes.best_clutches, filter),
    best_multikills: await bestOf(services, rankedTypes.best_multikills, filter),
    best_zeus_knife: await bestOf(services, rankedTypes.best_zeus_knife, filter),
    best_noscopes: await bestOf(services, rankedTypes.best_noscopes, filter),
    best_one_taps: await bestOf(services, rankedTypes.best_one_taps, filter),
    best_ninja_defuses: await bestOf(services, rankedTypes.best_ninja_defuses, filter),
  };
}

type FoundClip = Pick<ClipRow, "id" | "likes_count" | "views_count" | "created_at">;

/** So many clips are ranked here; of more, each list's own index meets ten soon. */
const mostRanked = 1000;

/** All clips that match, or null when there are more than a few: few lie far apart in the indexes of the lists. */
async function fewThatMatch({ database }: Services, filter: ClipFilter): Promise<FoundClip[] | null> {
  const found = await database
    .selectFrom("clips")
    .select(["id", "likes_count", "views_count", "created_at"])
    .where("status", "=", "completed")
    .where(matches(filter))
    .limit(mostRanked + 1)
    .execute();
  return found.length > mostRanked ? null : found;
}

async function rankFew({ database }: Services, clips: readonly FoundClip[]): Promise<RankedIds> {
  const ids = clips.map(({ id }) => id);
  const shown = await database
    .selectFrom("clip_highlights")
    .innerJoin("clips", "clips.id", "clip_highlights.clip_id")
    .innerJoin("highlights", "highlights.id", "clip_highlights.highlight_id")
    .select(["clips.id", "clips.likes_count", "highlights.type", "highlights.score"])
    .where("clip_highlights.clip_id", "=", sql<number>`ANY(${ids}::bigint[])`)
    .where("clips.match_id", "is not", null)
    .execute();
  const newest = (a: FoundClip, b: FoundClip) => b.created_at.getTime() - a.created_at.getTime() || b.id - a.id;
  const top = (order: (a: FoundClip, b: FoundClip) => number) => [...clips].sort(order).slice(0, limits.topListLength);
  const best = (types: readonly HighlightType[]) =>
    bestOfEach(shown.filter(({ type }) => type !== "custom" && types.includes(type)));
  return {
    newest: top(newest),
    most_viewed: top((a, b) => b.views_count - a.views_count || newest(a, b)),
    most_liked: top((a, b) => b.likes_count - a.likes_count || newest(a, b)),
    best_clutches: best(rankedTypes.best_clutches),
    best_multikills: best(rankedTypes.best_multikills),
    best_zeus_knife: best(rankedTypes.best_zeus_knife),
    best_noscopes: best(rankedTypes.best_noscopes),
    best_one_taps: best(rankedTypes.best_one_taps),
    best_ninja_defuses: best(rankedTypes.best_ninja_defuses),
  };
}

interface ScoredClip {
  id: number;
  likes_count: number;
  score: number;
}

/** Each clip by its best highlight, ten at most. */
function bestOfEach<Row extends ScoredClip>(rows: readonly Row[]): Row[] {
  const best = new Map<number, Row>();
  for (const row of rows) if (row.score > (best.get(row.id)?.score ?? Number.NEGATIVE_INFINITY)) best.set(row.id, row);
  return [...best.values()]
    .sort((a, b) => b.score - a.score || b.likes_count - a.likes_count || b.id - a.id)
    .slice(0, limits.topListLength);
}

/** A clip shows five highlights at most, so this many rows of a type are of ten clips at least. */
const rowsOfType = limits.topListLength * limits.highlightsPerClip;

/**
 * The clips with the best highlights of some types. Each type is read from its best one on (index `highlights_best`) until there
 * are enough: joined and sorted as a whole, all clips would be looked at.
 */
async function bestOf(
  services: Services,
  types: readonly HighlightType[],
  filter: ClipFilter,
): Promise<{ id: number }[]> {
  const ofType = (type: HighlightType) =>
    services.database
      .selectFrom("highlights")
      .innerJoin("clip_highlights", "clip_highlights.highlight_id", "highlights.id")
      .innerJoin("clips", "clips.id", "clip_highlights.clip_id")
      .select(["clips.id", "clips.likes_count", "highlights.score"])
      .where("highlights.type", "=", type)
      .where("clips.status", "=", "completed")
      // A compilation would stand there beside the clips it is made of.
      .where("clips.match_id", "is not", null)
      // With the type itself, which the index of the filter knows: of aces that are clutches as well there are few.
      .$if(isFiltering(filter), (query) => query.where(matches(filter, type)))
      .orderBy("highlights.score", "desc")
      .orderBy("clips.likes_count", "desc")
      .orderBy("clips.id", "desc")
      .limit(rowsOfType);
  const rows = (await Promise.all(types.map((type) => ofType(type).execute()))).flat();
  return bestOfEach(rows);
}
