import { sql } from "kysely";
import { cleanPlayerName } from "../../contract/clean-text.ts";
import { deleteClip } from "../clips/delete-clip.ts";
import { takeMomentsAway } from "../clips/match-replay/custom-highlights.ts";
import type { JobPayloads } from "../jobs/job-queue.ts";
import { endUpload } from "../matches/uploads-in-parts.ts";
import type { Services } from "../services.ts";
import type { User } from "../storage/schema.ts";
import { deleteMatch } from "./delete-match.ts";

/** What an account has, and what is deleted with it. */
export interface AccountSummary {
  userId: number;
  steamId: string;
  name: string;
  matches: number;
  clips: number;
  likes: number;
}

/** @returns null when nobody with this SteamID64 ever signed in */
export async function summarizeAccount({ database }: Services, steamId: string): Promise<AccountSummary | null> {
  const user = await database
    .selectFrom("users")
    .select((user) => [
      "id",
      "steam_name",
      user
        .selectFrom("matches")
        .whereRef("matches.user_id", "=", "users.id")
        .select((match) => match.fn.countAll<number>().as("count"))
        .as("matches"),
      user
        .selectFrom("clips")
        .whereRef("clips.user_id", "=", "users.id")
        .select((clip) => clip.fn.countAll<number>().as("count"))
        .as("clips"),
      user
        .selectFrom("likes")
        .whereRef("likes.user_id", "=", "users.id")
        .select((like) => like.fn.countAll<number>().as("count"))
        .as("likes"),
    ])
    .where("steam_id", "=", steamId)
    .executeTakeFirst();
  if (!user) return null;
  return {
    userId: user.id,
    steamId,
    name: cleanPlayerName(user.steam_name),
    matches: user.matches ?? 0,
    clips: user.clips ?? 0,
    likes: user.likes ?? 0,
  };
}

/**
 * Deletes an account with everything it made: sessions, tokens, matches, uploads, clips, files, likes, moments marked by hand. Demos that other
 * players imported too stay, and with them the names of who played in them; and what counts towards the day's limits stays until the day is
 * over, by a keyed hash (`dayCounter`). Breaking off is harmless: the next call deletes the rest.
 */
export async function deleteUser(services: Services, account: AccountSummary): Promise<void> {
  const { database } = services;
  const { userId } = account;
  // First, so that nothing new is created meanwhile.
  await database.deleteFrom("sessions").where("user_id", "=", userId).execute();
  await database.deleteFrom("access_tokens").where("user_id", "=", userId).execute();
  await database.deleteFrom("automation").where("user_id", "=", userId).execute();
  await database.deleteFrom("webhooks").where("user_id", "=", userId).execute();
  let stills: string[] | null = null;
  while (!stills) {
    const matches = await database.selectFrom("matches").select("id").where("user_id", "=", userId).execute();
    for (const { id } of matches) await deleteMatch(services, userId, id);
    const clips = await database.selectFrom("clips").select("id").where("user_id", "=", userId).execute();
    for (const { id } of clips) await deleteClip(services, userId, id);
    const uploads = await database.selectFrom("uploads").select("id").where("user_id", "=", userId).execute();
    for (const { id } of uploads) await endUpload(services, id);
    stills = await deleteEmptyAccount(services, account);
  }
  for (const key of stills) await services.blobs.delete(key);
}

/**
 * Deletes an account without matches, clips and unfinished uploads in one transaction.
 * @returns the blobs that nothing names any more; null when something has come meanwhile, an upload that ended for one, whose file would
 *   stay behind if its row went with the account
 */
async function deleteEmptyAccount(
  { database }: Services,
  { userId, steamId }: AccountSummary,
): Promise<string[] | null> {
  return database.transaction().execute(async (transaction) => {
    // Clips first, by id: liking and deleting lock a clip before its likes, too.
    const liked = await transaction
      .selectFrom("clips")
      .select("id")
      .where("id", "in", (likes) => likes.selectFrom("likes").select("clip_id").where("user_id", "=", userId))
      .orderBy("id")
      .forNoKeyUpdate()
      .execute();
    // Waits for transactions that add a row referring to the account, and keeps others from adding one.
    await transaction.selectFrom("users").select("id").where("id", "=", userId).forUpdate().execute();
    const left = await transaction
      .selectFrom("matches")
      .select("id")
      .where("user_id", "=", userId)
      .unionAll(transaction.selectFrom("clips").select(sql<string>`id::text`.as("id")).where("user_id", "=", userId))
      .unionAll(transaction.selectFrom("uploads").select("id").where("user_id", "=", userId))
      .limit(1)
      .execute();
    if (left.length > 0) return null;
    // One array parameter: a statement can have only 65,535 parameters.
    const clipIds = sql<number>`ANY(${liked.map(({ id }) => id)}::bigint[])`;
    const takenBack = await transaction
      .deleteFrom("likes")
      .where("user_id", "=", userId)
      .where("clip_id", "=", clipIds)
      .returning("clip_id")
      .execute();
    await transaction
      .updateTable("clips")
      .set({ likes_count: sql<number>`greatest(likes_count - 1, 0)` })
      .where("id", "=", sql<number>`ANY(${takenBack.map(({ clip_id }) => clip_id)}::bigint[])`)
      .execute();
    const hidden = await takeMomentsAway(transaction, userId);
    await transaction.deleteFrom("users").where("id", "=", userId).execute();
    await transaction.deleteFrom("profiles").where("steam_id", "=", steamId).execute();
    await transaction
      .deleteFrom("rate_counters")
      .where((row) => row.or([row("key", "=", `webhook-presses:${userId}`), row("key", "like", `uploads:${userId}:%`)]))
      .execute();
    return hidden;
  });
}

/**
 * Deletes an account at its owner's request. All sessions end at once, and nothing automatic is made or sent any more. A job deletes the rest, even
 * if this process ends. Signing in meanwhile changes nothing: whatever is made then is deleted as well.
 */
export async function askForDeletion(services: Services, user: Pick<User, "id">): Promise<void> {
  await services.database.transaction().execute(async (transaction) => {
    await transaction.deleteFrom("sessions").where("user_id", "=", user.id).execute();
    await transaction.deleteFrom("access_tokens").where("user_id", "=", user.id).execute();
    await transaction.deleteFrom("automation").where("user_id", "=", user.id).execute();
    await transaction.deleteFrom("webhooks").where("user_id", "=", user.id).execute();
    // Sent as the server's own job: it must not wait behind the player's jobs that it deletes.
    await services.jobs.send("forget", { userId: user.id }, { ownerId: null, transaction });
  });
}

/** The job of `askForDeletion`. Does nothing when the account is gone. */
export async function runForgetJob(services: Services, { userId }: JobPayloads["forget"]): Promise<void> {
  const user = await services.database
    .selectFrom("users")
    .select("steam_id")
    .where("id", "=", userId)
    .executeTakeFirst();
  const account = user && (await summarizeAccount(services, user.steam_id));
  if (!account) return;
  await deleteUser(services, account);
  services.log.info({ user: userId }, "account deleted by its owner");
}
