import { sql } from "kysely";
import { LRUCache } from "lru-cache";
import { limits } from "../../../contract/limits.ts";
import type { RelatedClips } from "../../../contract/schemas/clip-lists.ts";
import type { Clip } from "../../../contract/schemas/clips.ts";
import type { Services } from "../../services.ts";
import { keptPlan } from "../../storage/kept-plan.ts";
import type { ClipRow } from "../../storage/schema.ts";
import { presentPublicClips } from "../present-clip.ts";
import { matches } from "./found-by.ts";
import { areFew, walkedBest } from "./ranked-clips.ts";
import { finishedAndListed } from "./visible-clips.ts";

/** What is found for a clip, before it is looked at what of it may still be shown, and to whom. */
interface RelatedIds {
  /** Who made it. */
  ownerId: number;
  map: string | null;
  ofMaker: number[];
  /** More than are shown. */
  ofOthers: number[];
  /** There are more on the map than were looked at. */
  isMapFull: boolean;
}

/** Who opens the same clip within moments is shown the same ones. */
const relatedFreshMs = 1000;
const maxRelatedKept = 1000;

const relatedIds = new WeakMap<Services["database"], LRUCache<number, RelatedIds>>();

/**
 * What to watch after a clip: finished clips of the same maker, going back in time from it and then from the newest, and the most
 * viewed of others on the same map. A compilation has no map. Which they are may be a second old; what is shown of them is not.
 * @returns null when there is no such finished clip
 */
export async function relatedClips(
  services: Services,
  clipId: number,
  viewerId: number | null,
): Promise<RelatedClips | null> {
  const kept =
    relatedIds.get(services.database) ??
    new LRUCache<number, RelatedIds>({
      max: maxRelatedKept,
      ttl: relatedFreshMs,
      ttlResolution: 0,
      fetchMethod: (asked) => findRelated(services, asked),
    });
  relatedIds.set(services.database, kept);
  const found = await kept.fetch(clipId);
  if (!found) return null;
  const shown = await presentPublicClips(services, [...found.ofMaker, ...found.ofOthers], viewerId);
  const listed = shown.filter(({ render_status }) => render_status === "completed");
  const isMakers = new Set(found.ofMaker);
  const ofOthers = listed.filter(({ id }) => !isMakers.has(id)).slice(0, limits.relatedClips);
  // One player's clips fill the list of the map, or many of it are gone.
  const isShort = ofOthers.length < limits.relatedClips && found.isMapFull;
  return {
    of_maker: listed.filter(({ id }) => isMakers.has(id)),
    of_map:
      isShort && found.map !== null ? await viewedByOthers(found.map, found.ownerId, viewerId, services) : ofOthers,
  };
}

async function findRelated(services: Services, clipId: number): Promise<RelatedIds | undefined> {
  const { database } = services;
  const clip = await database
    .selectFrom("clips")
    .leftJoin("demos", "demos.sha256", "clips.demo_sha256")
    .modifyFront(keptPlan)
    .select(["clips.user_id", "demos.map"])
    .where("clips.id", "=", clipId)
    .where("clips.status", "=", "completed")
    .executeTakeFirst();
  if (!clip) return undefined;
  const ofMaker = database
    .selectFrom("clips")
    .select("id")
    .where("user_id", "=", clip.user_id)
    .where(finishedAndListed)
    .where("id", "<>", clipId)
    .orderBy("id", "desc")
    .limit(limits.relatedClips);
  const [ofMakers, onMap] = await Promise.all([
    database
      .selectFrom(ofMaker.where("id", "<", clipId).as("older"))
      .select("id")
      .union(database.selectFrom(ofMaker.as("newest")).select("id"))
      .orderBy("id", "desc")
      .execute(),
    clip.map === null ? [] : mostViewedOf(clip.map, services),
  ]);
  const older = ofMakers.filter(({ id }) => id < clipId);
  const newer = ofMakers.filter(({ id }) => id > clipId);
  return {
    ownerId: clip.user_id,
    map: clip.map,
    ofMaker: [...older, ...newer].slice(0, limits.relatedClips).map(({ id }) => id),
    // What was deleted or unlisted since is left out.
    ofOthers: onMap
      .filter(({ user_id, demo_sha256 }) => user_id !== clip.user_id && demo_sha256 !== null)
      .slice(0, 2 * limits.relatedClips)
      .map(({ id }) => id),
    isMapFull: onMap.length === mostKept,
  };
}

/** A clip of a map's most viewed, which may have been deleted or made unlisted since it was read. A compilation has no demo of its own. */
type ViewedClip = Pick<ClipRow, "id" | "user_id" | "demo_sha256">;

/** So many of a map are kept, for this long: on what is played most there are too many to look at for every visitor. */
const mostKept = 200;
const freshMs = 60_000;

const mostViewed = new WeakMap<Services["database"], LRUCache<string, ViewedClip[]>>();

/**
 * The most viewed clips of a map by whoever made them. A full list is kept for a minute and renewed behind the one that is shown; a
 * shorter one is read each time, which costs little, so that a new clip stands there at once.
 */
async function mostViewedOf(map: string, services: Services): Promise<ViewedClip[]> {
  let kept = mostViewed.get(services.database);
  if (!kept) {
    kept = new LRUCache<string, ViewedClip[]>({
      max: 100,
      ttl: freshMs,
      ttlResolution: 0,
      async fetchMethod(asked, _, { options }) {
        const clips = await viewedOn(asked, services);
        if (clips.length < mostKept) options.ttl = 1;
        return clips;
      },
    });
    mostViewed.set(services.database, kept);
  }
  const shown = kept.peek(map, { allowStale: true });
  return (await kept.fetch(map, { allowStale: shown?.length === mostKept })) ?? [];
}

async function viewedOn(map: string, services: Services): Promise<ViewedClip[]> {
  if (await areFew(services, { map })) return rankedByViews(map, services).limit(mostKept).execute();
  const ids = await walkedBest(services, "most_viewed", { map }, mostKept);
  const clips = await services.database
    .selectFrom("clips")
    .select(["id", "user_id", "demo_sha256"])
    .where("id", "=", sql<number>`ANY(${ids}::bigint[])`)
    .execute();
  const byId = new Map(clips.map((clip) => [clip.id, clip]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

function rankedByViews(map: string, { database }: Services) {
  return database
    .selectFrom("clips")
    .select(["id", "user_id", "demo_sha256"])
    .where(matches({ map }))
    .where(finishedAndListed)
    .orderBy("views_count", "desc")
    .orderBy("created_at", "desc")
    .orderBy("id", "desc");
}

async function viewedByOthers(
  map: string,
  exceptOf: number,
  viewerId: number | null,
  services: Services,
): Promise<Clip[]> {
  const ofOthers = await rankedByViews(map, services)
    .where("demo_sha256", "is not", null)
    .where("user_id", "<>", exceptOf)
    .limit(limits.relatedClips)
    .execute();
  return presentPublicClips(
    services,
    ofOthers.map(({ id }) => id),
    viewerId,
  );
}
