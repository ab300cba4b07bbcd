import { sql } from "kysely";
import { LRUCache } from "lru-cache";
import pLimit from "p-limit";
import { type Clip, type ClipFilter, type TopHighlights, type TopListName, topListNames } from "../../contract/api.ts";
import type { HighlightType } from "../../contract/highlight-types.ts";
import { limits } from "../../contract/limits.ts";
import type { Services } from "../services.ts";
import type { ClipRow } from "../storage/schema.ts";
import { isFiltering, matches } from "./found-by.ts";
import { loadClips } from "./load-clips.ts";
import { clipForViewer, listForm } from "./present-clip.ts";
import type { PublicClip } from "./read-clips.ts";
import { finishedAndListed, isLikedBy } from "./visible-clips.ts";

/** The types a "best" list ranks, those with higher scores first; a clip counts by its best highlight among them. */
const rankedTypes = {
  best_clutches: ["clutch_1v5", "clutch_1v4", "clutch_1v3", "clutch_1v2"],
  best_multikills: ["ace", "quad_kill", "triple_kill"],
  best_zeus_knife: ["taser_kill", "knife_kill"],
  best_noscopes: ["no_scope", "wallbang", "through_smoke", "midair_kill", "nade_kill", "molly_kill"],
  best_one_taps: ["one_tap"],
  best_ninja_defuses: ["ninja_defuse"],
} as const satisfies Partial<Record<TopListName, readonly HighlightType[]>>;

interface SharedLists {
  lists: Record<TopListName, PublicClip[]>;
  /** The answer for signed-out visitors, as JSON; written when it is asked for next. */
  json: string | undefined;
}

interface KeptLists extends SharedLists {
  /** By `performance.now`, from the end of their load on: however long that takes, they are kept. */
  loadedAt: number;
  /** Something has changed since they were read. */
  isOutdated: boolean;
}

/** Home is the page most asked for: what all its visitors share is worked out, and written as JSON, once in this time. */
const freshMs = 3000;
/**
 * Lists that nobody asked for in this time are not shown any more: who asks next waits for new ones. Those that are narrowed down take
 * longer to work out.
 */
const oldestMs = { all: 60_000, narrowed: 5 * 60_000 };
/**
 * First loads of narrowed lists at once. A visitor can think of any number of players to ask for: the connections of the pool are not
 * theirs alone.
 */
const firstLoadsAtOnce = 2;
/** Of what visitors narrow the lists down to, as many as are asked for within moments. */
const maxKept = 100;

/**
 * The lists of one process, by what they are narrowed down to. Who asks gets those that are kept; once they are old, new ones are
 * worked out in the background, one list after the other, and nobody waits for that but the first who ever asks, in line where many ask
 * for different ones.
 */
class ListKeeper {
  readonly #services: Services;
  readonly #kept = new LRUCache<string, KeptLists>({ max: maxKept });
  readonly #loading = new Map<string, Promise<KeptLists>>();
  readonly #firstLoads = pLimit(firstLoadsAtOnce);
  /** What is renewed in the background; the rest of it waits. */
  #renewal: Promise<void> = Promise.resolve();

  constructor(services: Services) {
    this.#services = services;
  }

  async get(filter: ClipFilter): Promise<SharedLists> {
    const key = keyOf(filter);
    const kept = this.#kept.get(key);
    const age = kept ? performance.now() - kept.loadedAt : Number.POSITIVE_INFINITY;
    if (!kept || age > (isFiltering(filter) ? oldestMs.narrowed : oldestMs.all)) return this.#load(key, filter);
    if ((age > freshMs || kept.isOutdated) && !this.#loading.has(key)) this.#renew(key, filter);
    return kept;
  }

  /** Whoever asks while they are worked out waits for the same ones. Those of Home stand in no line behind what a stranger asks for. */
  #load(key: string, filter: ClipFilter): Promise<KeptLists> {
    const known = this.#loading.get(key);
    if (known) return known;
    const read = () => this.#read(key, filter);
    const loading = (isFiltering(filter) ? this.#firstLoads(read) : read()).finally(() => {
      if (this.#loading.get(key) === loading) this.#loading.delete(key);
    });
    this.#loading.set(key, loading);
    return loading;
  }

  #renew(key: string, filter: ClipFilter): void {
    const loading = this.#renewal.then(() => this.#read(key, filter));
    this.#loading.set(key, loading);
    this.#renewal = loading
      .then(
        ({ isOutdated }) => {
          if (isOutdated && key === keyOf({})) queueMicrotask(() => this.outdate());
        },
        (error) => {
          // Who asks next learns that there are none: what cannot be read is not shown for ever.
          this.#kept.delete(key);
          this.#services.log.warn({ err: error }, "top lists not renewed");
        },
      )
      .finally(() => {
        if (this.#loading.get(key) === loading) this.#loading.delete(key);
      });
  }

  async #read(key: string, filter: ClipFilter): Promise<KeptLists> {
    const begun = { isOutdated: false, isForgotten: false };
    this.#reading.add(begun);
    try {
      const lists = await loadTopLists(this.#services, filter);
      const kept = { lists, json: undefined, loadedAt: performance.now(), isOutdated: begun.isOutdated };
      if (!begun.isForgotten) this.#kept.set(key, kept);
      return kept;
    } finally {
      this.#reading.delete(begun);
    }
  }

  /** What changes while lists are read may be in them or not. */
  readonly #reading = new Set<{ isOutdated: boolean; isForgotten: boolean }>();

  /** Those of Home, if anybody asks for them, are renewed at once, the others when they are asked for. */
  outdate(): void {
    for (const kept of this.#kept.values()) kept.isOutdated = true;
    for (const begun of this.#reading) begun.isOutdated = true;
    if (this.#kept.has(keyOf({})) && !this.#loading.has(keyOf({}))) this.#renew(keyOf({}), {});
  }

  forget(): void {
    this.#kept.clear();
    this.#loading.clear();
    for (const begun of this.#reading) begun.isForgotten = true;
  }

  /** @param change of a clip that is shown: what is shown of it from now on, null for nothing */
  change(clipId: number, change: (shown: PublicClip) => PublicClip | null): void {
    for (const kept of this.#kept.values()) {
      let isShown = false;
      for (const name of topListNames) {
        if (!kept.lists[name].some(({ clip }) => clip.id === clipId)) continue;
        isShown = true;
        kept.lists[name] = kept.lists[name].flatMap((shown) =>
          shown.clip.id === clipId ? (change(shown) ?? []) : shown,
        );
      }
      if (isShown) kept.json = undefined;
    }
  }
}

const keyOf = ({ map, type, player }: ClipFilter) => JSON.stringify([map || "", type || "", player?.trim() || ""]);

const keepers = new WeakMap<Services["database"], ListKeeper>();

function keeperOf(services: Services): ListKeeper {
  const keeper = keepers.get(services.database) ?? new ListKeeper(services);
  keepers.set(services.database, keeper);
  return keeper;
}

/**
 * The nine lists of the home page, at most ten finished clips each, as JSON of `TopHighlights`. Which clips they are may be some
 * seconds old; what is read of them (the counters, a visitor's own like) is not.
 * @param viewerId null for what everybody sees
 */
export async function topListsJson(
  services: Services,
  viewerId: number | null,
  filter: ClipFilter = {},
): Promise<string> {
  const kept = await keeperOf(services).get({ ...filter, player: filter.player?.trim() });
  const { lists } = kept;
  // Another process may have deleted a clip or taken it out of lists, or this one while they were read.
  const counters = await countersOf(services, lists, viewerId);
  if (viewerId === null) {
    for (const name of topListNames) {
      if (lists[name].every(({ clip }) => hasCounters(clip, counters.get(clip.id)))) continue;
      lists[name] = withCounters(lists[name], counters);
      kept.json = undefined;
    }
    kept.json ??= publicJson(lists);
    return kept.json;
  }
  const distinct = new Map(topListNames.flatMap((name) => lists[name].map((shared) => [shared.clip.id, shared])));
  const byId = new Map(
    withCounters([...distinct.values()], counters).map((shared) => {
      const isLiked = counters.get(shared.clip.id)?.isLiked ?? false;
      return [shared.clip.id, clipForViewer({ ...shared, isLiked }, viewerId)];
    }),
  );
  const seenBy = (name: TopListName) => lists[name].flatMap(({ clip }) => byId.get(clip.id) ?? []);
  return JSON.stringify(Object.fromEntries(topListNames.map((name) => [name, seenBy(name)])) as TopHighlights);
}

interface Counters extends Pick<Clip, "likes_count" | "views_count"> {
  isLiked: boolean;
}

/** Of the clips of lists as they are now, by id; without those that are deleted or not listed any more. */
async function countersOf(
  { database }: Services,
  lists: SharedLists["lists"],
  viewerId: number | null,
): Promise<Map<number, Counters>> {
  const ids = [...new Set(topListNames.flatMap((name) => lists[name].map(({ clip }) => clip.id)))];
  if (ids.length === 0) return new Map();
  const rows = await database
    .selectFrom("clips")
    .select((row) => ["id", "likes_count", "views_count", isLikedBy(viewerId)(row).as("isLiked")])
    .where("link_key", "is", null)
    .where("id", "=", sql<number>`ANY(${ids}::bigint[])`)
    .execute();
  return new Map(rows.map(({ id, isLiked, ...counters }) => [id, { ...counters, isLiked: Boolean(isLiked) }]));
}

function hasCounters(clip: Clip, counters: Counters | undefined): boolean {
  return clip.likes_count === counters?.likes_count && clip.views_count === counters.views_count;
}

/** Without the clips that have none. */
function withCounters(clips: readonly PublicClip[], counters: ReadonlyMap<number, Counters>): PublicClip[] {
  return clips.flatMap((shared) => {
    const current = counters.get(shared.clip.id);
    if (!current) return [];
    const { likes_count, views_count } = current;
    return { ...shared, clip: { ...shared.clip, likes_count, views_count } };
  });
}

/** Called when a clip is finished, or shown otherwise than before. */
export function outdateTopLists(services: Services): void {
  keeperOf(services).outdate();
}

/** Called when a clip is deleted: nobody is shown it any more, and others move up. */
export function dropFromTopLists(services: Services, clipIds: readonly number[]): void {
  for (const clipId of clipIds) keeperOf(services).change(clipId, () => null);
  keeperOf(services).outdate();
}

/** Called when a clip is renamed: it has its new name at once in this process, and no list is read for that. */
export function renameInTopLists(services: Services, clipId: number, name: string): void {
  keeperOf(services).change(clipId, ({ clip, ...about }) => ({
    ...about,
    clip: { ...clip, name, display_name: name },
  }));
}

/** As when the process has just started. */
export function forgetTopLists(services: Services): void {
  keeperOf(services).forget();
}

async function loadTopLists(services: Services, filter: ClipFilter): Promise<SharedLists["lists"]> {
  const few = isFiltering(filter) ? await fewThatMatch(services, filter) : null;
  const ids = few ? await rankFew(services, few) : await rankAll(services, filter);
  const distinct = [...new Set(topListNames.flatMap((name) => ids[name].map((row) => row.id)))];
  const clips = new Map<number, PublicClip>(
    (await loadClips(services, distinct)).map((shared) => [shared.clip.id, listForm(shared)]),
  );
  return Object.fromEntries(
    topListNames.map((name) => [name, ids[name].flatMap((row) => clips.get(row.id) ?? [])]),
  ) as SharedLists["lists"];
}

function publicJson(lists: SharedLists["lists"]): string {
  return JSON.stringify(
    Object.fromEntries(topListNames.map((name) => [name, lists[name].map(({ clip }) => clip)])) as TopHighlights,
  );
}

type RankedIds = Record<TopListName, { id: number }[]>;

/** Every list from its own index on, until there are enough clips that match. */
async function rankAll(services: Services, filter: ClipFilter): Promise<RankedIds> {
  const completed = services.database
    .selectFrom("clips")
    .select("id")
    .where(finishedAndListed)
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
    .where(finishedAndListed)
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

/** Each clip by its best highlight, ten at most; of those with the same score the most liked first. */
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
  const ofType = (type: HighlightType, least: number | undefined) =>
    services.database
      .selectFrom("highlights")
      .innerJoin("clip_highlights", "clip_highlights.highlight_id", "highlights.id")
      .innerJoin("clips", "clips.id", "clip_highlights.clip_id")
      .select(["clips.id", "clips.likes_count", "highlights.score"])
      .where("highlights.type", "=", type)
      .where("clips.status", "=", "completed")
      .where("clips.link_key", "is", null)
      // A compilation would stand there beside the clips it is made of.
      .where("clips.match_id", "is not", null)
      // With the type itself, which the index of the filter knows: of aces that are clutches as well there are few.
      .$if(isFiltering(filter), (query) => query.where(matches(filter, type)))
      .$if(least !== undefined, (query) => query.where("highlights.score", ">=", least ?? 0))
      // Exactly as the index has them: many scores are alike, and to order those by likes all of them would be read.
      .orderBy("highlights.score", "desc")
      .orderBy("highlights.id", "desc")
      .limit(rowsOfType);
  // One after the other: lists that are renewed must not take the connections of those who ask for something.
  let best: ScoredClip[] = [];
  for (const type of types) {
    // What is below the last of ten is not shown: of the next type no row after that one is read.
    const least = best.length < limits.topListLength ? undefined : best.at(-1)?.score;
    best = bestOfEach([...best, ...(await ofType(type, least).execute())]);
  }
  return best;
}
