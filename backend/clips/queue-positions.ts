import type { Services } from "../services.ts";

/** Places in the render queue by clip id, 1 for the next. Clips of all players wait in one line, oldest first. */
export async function queuePositions(services: Services): Promise<ReadonlyMap<number, number>> {
  const waiting = await services.database
    .selectFrom("clips")
    .select("id")
    .where("status", "in", ["pending", "queued"])
    .orderBy("id")
    .execute();
  return new Map(waiting.map((clip, index) => [clip.id, index + 1]));
}
