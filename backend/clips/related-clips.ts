import type { RelatedClips } from "../../contract/api.ts";
import { limits } from "../../contract/limits.ts";
import type { Services } from "../services.ts";
import { matches } from "./found-by.ts";
import { presentListedClips } from "./present-clip.ts";
import { finishedAndListed } from "./visible-clips.ts";

/**
 * What to watch after a clip: finished clips of the same maker, going back in time from it and then from the newest, and the most
 * viewed of others on the same map. A compilation has no map.
 * @returns null when there is no such finished clip
 */
export async function relatedClips(
  services: Services,
  clipId: number,
  viewerId: number | null,
): Promise<RelatedClips | null> {
  const { database } = services;
  const clip = await database
    .selectFrom("clips")
    .leftJoin("demos", "demos.sha256", "clips.demo_sha256")
    .select(["clips.user_id", "demos.map"])
    .where("clips.id", "=", clipId)
    .where("clips.status", "=", "completed")
    .executeTakeFirst();
  if (!clip) return null;
  const ofMaker = database
    .selectFrom("clips")
    .select("id")
    .where("user_id", "=", clip.user_id)
    .where(finishedAndListed)
    .orderBy("id", "desc")
    .limit(limits.relatedClips);
  const older = await ofMaker.where("id", "<", clipId).execute();
  const newest = older.length < limits.relatedClips ? await ofMaker.where("id", "<>", clipId).execute() : [];
  const makers = [...new Set([...older, ...newest].map(({ id }) => id))].slice(0, limits.relatedClips);
  const onMap = clip.map === null ? [] : await mostViewedOn(clip.map, clip.user_id, services);
  const shown = await presentListedClips(services, [...makers, ...onMap.map(({ id }) => id)], viewerId);
  const isMakers = new Set(makers);
  return {
    of_maker: shown.filter(({ id }) => isMakers.has(id)),
    of_map: shown.filter(({ id }) => !isMakers.has(id)),
  };
}

/** By the index of what clips are found by: on a map that few play those in the order of views lie far apart. */
function mostViewedOn(map: string, exceptOf: number, { database }: Services): Promise<{ id: number }[]> {
  return (
    database
      .selectFrom("clips")
      .select("id")
      .where(matches({ map }))
      .where(finishedAndListed)
      // A compilation has no map of its own.
      .where("demo_sha256", "is not", null)
      .where("user_id", "<>", exceptOf)
      .orderBy("views_count", "desc")
      .orderBy("id", "desc")
      .limit(limits.relatedClips)
      .execute()
  );
}
