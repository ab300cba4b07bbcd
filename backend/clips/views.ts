import { createHash, randomBytes } from "node:crypto";
import { isbot } from "isbot";
import { sql } from "kysely";
import type { Services } from "../services.ts";

/** Who plays a clip. Signed-in players are known by their account, others by address and browser. */
export interface Viewer {
  userId: number | null;
  address: string;
  userAgent: string;
}

const hoursBetweenViews = 6;

/**
 * Counts the first play of a clip: once a viewer and clip in six hours, and never a bot's.
 * @returns the count afterwards, null when there is no such clip
 */
export async function countView(services: Services, clipId: number, viewer: Viewer): Promise<number | null> {
  if (!viewer.userAgent || isbot(viewer.userAgent)) return viewsCount(services, clipId);
  const now = services.now();
  const { today, yesterday } = await dailySalts(services, now);
  const hash = viewerHash(viewer, today);
  // The salt changes at midnight, so a viewer of shortly before is looked up by yesterday's.
  const hashBefore = viewerHash(viewer, yesterday);
  const earliest = new Date(now.getTime() - hoursBetweenViews * 3_600_000);
  return services.database.transaction().execute(async (transaction) => {
    const clip = await transaction
      .selectFrom("clips")
      .select("views_count")
      .where("id", "=", clipId)
      .where("status", "=", "completed")
      .forUpdate()
      .executeTakeFirst();
    if (!clip) return null;
    const recent = await transaction
      .selectFrom("views")
      .select("viewed_at")
      .where("clip_id", "=", clipId)
      .where("viewer_hash", "in", [hash, hashBefore])
      .where("viewed_at", ">", earliest)
      .executeTakeFirst();
    if (recent) return clip.views_count;
    await transaction.insertInto("views").values({ clip_id: clipId, viewer_hash: hash, viewed_at: now }).execute();
    const { views_count } = await transaction
      .updateTable("clips")
      .set({ views_count: sql`views_count + 1` })
      .where("id", "=", clipId)
      .returning("views_count")
      .executeTakeFirstOrThrow();
    return views_count;
  });
}

/** @returns null when there is no such clip */
export async function viewsCount(services: Services, clipId: number): Promise<number | null> {
  const clip = await services.database
    .selectFrom("clips")
    .select("views_count")
    .where("id", "=", clipId)
    .executeTakeFirst();
  return clip?.views_count ?? null;
}

function viewerHash(viewer: Viewer, salt: string): string {
  const who = viewer.userId === null ? `${viewer.address}\n${viewer.userAgent}` : `user ${viewer.userId}`;
  return createHash("sha256").update(`${salt}\n${who}`).digest("hex");
}

/**
 * Salts of today and yesterday (UTC), shared by all web processes. Older ones are forgotten, so that what is stored about
 * viewers cannot be tied to them later.
 */
async function dailySalts(services: Services, now: Date): Promise<{ today: string; yesterday: string }> {
  const { database } = services;
  const todayKey = saltKey(now);
  const yesterdayKey = saltKey(new Date(now.getTime() - 86_400_000));
  const read = async () => {
    const rows = await database
      .selectFrom("settings")
      .selectAll()
      .where("key", "in", [todayKey, yesterdayKey])
      .execute();
    return new Map(rows.map((row) => [row.key, row.value]));
  };
  let salts = await read();
  if (!salts.has(todayKey)) {
    await database
      .insertInto("settings")
      .values({ key: todayKey, value: randomBytes(32).toString("hex") })
      .onConflict((conflict) => conflict.column("key").doNothing())
      .execute();
    await database
      .deleteFrom("settings")
      .where("key", "like", "view_salt:%")
      .where("key", "not in", [todayKey, yesterdayKey])
      .execute();
    salts = await read();
  }
  return { today: salts.get(todayKey) ?? "", yesterday: salts.get(yesterdayKey) ?? "" };
}

function saltKey(day: Date): string {
  return `view_salt:${day.toISOString().slice(0, 10)}`;
}
