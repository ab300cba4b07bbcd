import { LRUCache } from "lru-cache";
import pLimit from "p-limit";
import {
  type ClipFilter,
  type TopHighlights,
  type TopListName,
  topListNames,
} from "../../../contract/schemas/clip-lists.ts";
import type { Clip } from "../../../contract/schemas/clips.ts";
import type { Services } from "../../services.ts";
import { anyOf } from "../../storage/any-of.ts";
import { keptPlan } from "../../storage/kept-plan.ts";
import { loadClips } from "../load-clips.ts";
import { clipForViewer, listForm } from "../present-clip.ts";
import type { PublicClip } from "../read-clips.ts";
import { isFiltering } from "./found-by.ts";
import { rankedClips } from "./ranked-clips.ts";
import { isLikedBy } from "./visible-clips.ts";

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
    .modifyFront(keptPlan)
    .where("link_key", "is", null)
    .where("id", "=", anyOf(ids))
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
  const ids = await rankedClips(services, filter);
  const distinct = [...new Set(topListNames.flatMap((name) => ids[name]))];
  const clips = new Map<number, PublicClip>(
    (await loadClips(services, distinct)).map((shared) => [shared.clip.id, listForm(shared)]),
  );
  return Object.fromEntries(
    topListNames.map((name) => [name, ids[name].flatMap((id) => clips.get(id) ?? [])]),
  ) as SharedLists["lists"];
}

function publicJson(lists: SharedLists["lists"]): string {
  return JSON.stringify(
    Object.fromEntries(topListNames.map((name) => [name, lists[name].map(({ clip }) => clip)])) as TopHighlights,
  );
}
