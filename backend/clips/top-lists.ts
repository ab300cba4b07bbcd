import { LRUCache } from "lru-cache";
import { type TopHighlights, type TopListName, topListNames } from "../../contract/api.ts";
import type { HighlightType } from "../../contract/highlight-types.ts";
import { limits } from "../../contract/limits.ts";
import type { Services } from "../services.ts";
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
const cache = new WeakMap<Services["database"], LRUCache<"lists", SharedLists, Services>>();

/** The nine lists of the home page, at most ten finished clips each, as JSON of `TopHighlights`. */
export async function topListsJson(services: Services, viewerId: number | null): Promise<string> {
  const { lists, json } = await sharedLists(services);
  if (viewerId === null) return json;
  const distinct = new Map(topListNames.flatMap((name) => lists[name].map((shared) => [shared.clip.id, shared])));
  const seen = await clipsForViewer(services, [...distinct.values()], viewerId);
  const byId = new Map(seen.map((clip) => [clip.id, clip]));
  const seenBy = (name: TopListName) => lists[name].flatMap(({ clip }) => byId.get(clip.id) ?? []);
  return JSON.stringify(Object.fromEntries(topListNames.map((name) => [name, seenBy(name)])) as TopHighlights);
}

/** Called when a clip appears, disappears or is liked, so that this process shows it at once. */
export function forgetTopLists(services: Services): void {
  cache.get(services.database)?.delete("lists");
}

/** Whoever asks while they are worked out waits for the same ones. */
function sharedLists(services: Services): Promise<SharedLists> {
  const kept = cache.get(services.database) ?? newCache();
  cache.set(services.database, kept);
  return kept.forceFetch("lists", { context: services });
}

function newCache(): LRUCache<"lists", SharedLists, Services> {
  return new LRUCache({
    max: 1,
    ttl: freshMs,
    ttlResolution: 0,
    // Lists that are forgotten while they are worked out still go to those who wait for them, and are not kept.
    ignoreFetchAbort: true,
    fetchMethod: (_key, _stale, { context }) => loadTopLists(context),
  });
}

async function loadTopLists(services: Services): Promise<SharedLists> {
  const completed = services.database.selectFrom("clips").select("id").where("status", "=", "completed");
  const newestFirst = completed.orderBy("created_at", "desc").orderBy("id", "desc").limit(limits.topListLength);
  const ids = {
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
    best_clutches: await bestOf(services, rankedTypes.best_clutches),
    best_multikills: await bestOf(services, rankedTypes.best_multikills),
    best_zeus_knife: await bestOf(services, rankedTypes.best_zeus_knife),
    best_noscopes: await bestOf(services, rankedTypes.best_noscopes),
    best_one_taps: await bestOf(services, rankedTypes.best_one_taps),
    best_ninja_defuses: await bestOf(services, rankedTypes.best_ninja_defuses),
  } satisfies Record<TopListName, { id: number }[]>;
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

function bestOf(services: Services, types: readonly HighlightType[]): Promise<{ id: number }[]> {
  return (
    services.database
      .selectFrom("clips")
      .innerJoin("clip_highlights", "clip_highlights.clip_id", "clips.id")
      .innerJoin("highlights", "highlights.id", "clip_highlights.highlight_id")
      .select("clips.id")
      .where("clips.status", "=", "completed")
      // A compilation would stand there beside the clips it is made of.
      .where("clips.match_id", "is not", null)
      .where("highlights.type", "in", types)
      .groupBy("clips.id")
      .orderBy((row) => row.fn.max("highlights.score"), "desc")
      .orderBy("clips.likes_count", "desc")
      .orderBy("clips.id", "desc")
      .limit(limits.topListLength)
      .execute()
  );
}
