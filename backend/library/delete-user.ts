import { sql } from "kysely";
import { cleanPlayerName } from "../../contract/clean-text.ts";
import { deleteClip } from "../clips/delete-clip.ts";
import { takeMomentsAway } from "../clips/match-replay/custom-highlights.ts";
import type { JobPayloads } from "../jobs/job-queue.ts";
import type { Services } from "../services.ts";
import type { User } from "../storage/schema.ts";
import { deleteMatch } from "./delete-match.ts";

/** What an account holds; what deleting it takes away. */
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
 * Deletes an account with everything it made: sessions, tokens, matches, clips, files, likes, moments marked by hand. Demos that other
 * players imported too stay, and with them the names of who played in them; and what counts towards the day's limits stays until the day is
 * over, by a keyed hash (`dayCounter`). Breaking off is harmless: the next call deletes the rest.
 */
export async function deleteUser(services: Services, account: AccountSummary): Promise<void> {
  const { database } = services;
  const { userId } = account;
  // First, so that nothing new is made meanwhile.
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
    stills = await deleteEmptyAccount(services, account);
  }
  for (const key of stills) await services.blobs.delete(key);
}

/**
 * Deletes an account of which no match or clip is left, in one transaction.
 * @returns the blobs that nothing names any more; null when something has come meanwhile, an upload that ended for one, whose file would
 *   stay behind if its row went with the account
 */
async function deleteEmptyAccount(
  { database }: Services,
  { userId, steamId }: AccountSummary,
): Promise<string[] | null> {
  return database.transaction().execute(async (transaction) => {
    // Clips first, by their ids, as whoever likes or deletes one locks it before its likes.
    const liked = await transaction
      .selectFrom("clips")
      .select("id")
      .where("id", "in", (likes) => likes.selectFrom("likes").select("clip_id").where("user_id", "=", userId))
      .orderBy("id")
      .forNoKeyUpdate()
      .execute();
    // Waits for who adds a row that refers to the account, and keeps others from adding one.
    await transaction.selectFrom("users").select("id").where("id", "=", userId).forUpdate().execute();
    const left = await transaction
      .selectFrom("matches")
      .select("id")
      .where("user_id", "=", userId)
      .unionAll(transaction.selectFrom("clips").select(sql<string>`id::text`.as("id")).where("user_id", "=", userId))
      .limit(1)
      .execute();
    if (left.length > 0) return null;
    // One parameter, however many they are: a statement has room for 65,535.
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
 * Deletes an account because its owner asks for it: signed out everywhere at once, and nothing is made or sent by itself any more; the
 * rest goes by a job, which no end of this process breaks off. Signing in before that has ended changes nothing: what is made meanwhile goes as well.
 */
export async function askForDeletion(services: Services, user: Pick<User, "id">): Promise<void> {
  await services.database.transaction().execute(async (transaction) => {
    await transaction.deleteFrom("sessions").where("user_id", "=", user.id).execute();
    await transaction.deleteFrom("access_tokens").where("user_id", "=", user.id).execute();
    await transaction.deleteFrom("automation").where("user_id", "=", user.id).execute();
    await transaction.deleteFrom("webhooks").where("user_id", "=", user.id).execute();
    // The server's own work: it must not wait behind what it takes away.
    await services.jobs.send("forget", { userId: user.id }, { ownerId: null, transaction });
  });
}

/** Carries out what `askForDeletion` asked for; of an account that is gone there is nothing to do. */
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
