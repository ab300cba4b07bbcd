import { createHash, randomBytes } from "node:crypto";
import { isbot } from "isbot";
import { sql } from "kysely";
import type { Services } from "../services.ts";
import { isDiskFull } from "../storage/disk-full.ts";
import { isVisibleTo } from "./lists/visible-clips.ts";

/** Who plays a clip. Signed-in players are known by their account, others by network and browser. */
export interface Viewer {
  userId: number | null;
  /** Theirs, as `networkOf` has it. */
  network: string;
  userAgent: string;
}

/** A viewer's next view of a clip counts after this time; what is stored of the one before is of no use any more. */
export const viewAgainAfterMs = 6 * 3_600_000;

/** Views of a clip that one network adds in that time without anybody signed in: a browser's name is quickly invented. */
const maxViewsOfNetwork = 5;

/**
 * Counts the first play of a clip: once a viewer and clip in six hours, few of one network, and never a bot's; on a full
 * disk nobody's.
 * @returns the count afterwards, null when the viewer finds no such clip
 */
export async function countView(services: Services, clipId: number, viewer: Viewer): Promise<number | null> {
  const unchanged = () => viewsCount(services, clipId, viewer.userId);
  if (!viewer.userAgent || isbot(viewer.userAgent) || services.diskSpace.isFull()) return unchanged();
  try {
    return await addView(services, clipId, viewer);
  } catch (error) {
    if (isDiskFull(error)) return unchanged();
    throw error;
  }
}

async function addView(services: Services, clipId: number, viewer: Viewer): Promise<number | null> {
  const now = services.now();
  const { today, yesterday } = await dailySalts(services, now);
  // The salt changes at midnight, so a viewer of shortly before is looked up by yesterday's.
  const [hash, hashBefore] = [today, yesterday].map((salt) => viewerHash(viewer, salt)) as [string, string];
  const networks = viewer.userId === null ? [today, yesterday].map((salt) => networkHash(viewer, salt)) : [];
  const earliest = new Date(now.getTime() - viewAgainAfterMs);
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
    if (networks.length > 0) {
      const ofNetwork = await transaction
        .selectFrom("views")
        .select("viewed_at")
        .where("clip_id", "=", clipId)
        .where("network_hash", "in", networks)
        .where("viewed_at", ">", earliest)
        .limit(maxViewsOfNetwork)
        .execute();
      if (ofNetwork.length === maxViewsOfNetwork) return clip.views_count;
    }
    await transaction
      .insertInto("views")
      .values({ clip_id: clipId, viewer_hash: hash, network_hash: networks[0] ?? null, viewed_at: now })
      .execute();
    const { views_count } = await transaction
      .updateTable("clips")
      .set({ views_count: sql`views_count + 1` })
      .where("id", "=", clipId)
      .returning("views_count")
      .executeTakeFirstOrThrow();
    return views_count;
  });
}

/** @returns null when there is no such clip, or it is not finished and the visitor is not its owner */
export async function viewsCount(services: Services, clipId: number, visitorId: number | null): Promise<number | null> {
  const clip = await services.database
    .selectFrom("clips")
    .select("views_count")
    .where("id", "=", clipId)
    .where(isVisibleTo(visitorId))
    .executeTakeFirst();
  return clip?.views_count ?? null;
}

function viewerHash(viewer: Viewer, salt: string): string {
  const who = viewer.userId === null ? `${viewer.network}\n${viewer.userAgent}` : `user ${viewer.userId}`;
  return createHash("sha256").update(`${salt}\n${who}`).digest("hex");
}

function networkHash(viewer: Viewer, salt: string): string {
  return createHash("sha256").update(`${salt}\nnetwork ${viewer.network}`).digest("hex");
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
      .where("key", "like", `${viewSaltKey}%`)
      .where("key", "not in", [todayKey, yesterdayKey])
      .execute();
    salts = await read();
  }
  return { today: salts.get(todayKey) ?? "", yesterday: salts.get(yesterdayKey) ?? "" };
}

/** How keys of the salts begin; the rest is the day. */
export const viewSaltKey = "view_salt:";

function saltKey(day: Date): string {
  return `${viewSaltKey}${day.toISOString().slice(0, 10)}`;
}
