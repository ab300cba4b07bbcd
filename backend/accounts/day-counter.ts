import { createHmac, randomBytes } from "node:crypto";
import type { Kysely } from "kysely";
import type { Database, User } from "../storage/schema.ts";

/** Actions that are limited per player and day. */
export type DayLimit = "imports" | "data";

/** Where the key of the hashes is stored. Like the counters, it is not in backups. */
export const counterSecretKey = "counter_secret";

/**
 * Name of a player's counter for a daily limit. It is made from a keyed hash of the Steam ID instead of the account: a player who deletes
 * their account and signs in again keeps their count, and the name does not reveal who they are.
 */
export async function dayCounter(
  database: Kysely<Database>,
  limit: DayLimit,
  { steam_id: steamId }: Pick<User, "steam_id">,
): Promise<string> {
  const secret = await counterSecret(database);
  // The hash includes the limit, so that a player's two counters cannot be linked.
  return `${limit}:${createHmac("sha256", secret).update(`${limit}\n${steamId}`).digest("hex")}`;
}

/** Shared by all processes; the first that needs it creates it. */
async function counterSecret(database: Kysely<Database>): Promise<string> {
  const stored = database.selectFrom("settings").select("value").where("key", "=", counterSecretKey);
  const known = await stored.executeTakeFirst();
  if (known) return known.value;
  await database
    .insertInto("settings")
    .values({ key: counterSecretKey, value: randomBytes(32).toString("hex") })
    .onConflict((conflict) => conflict.column("key").doNothing())
    .execute();
  return (await stored.executeTakeFirstOrThrow()).value;
}
