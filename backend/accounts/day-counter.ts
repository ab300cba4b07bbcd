import { createHmac, randomBytes } from "node:crypto";
import type { Kysely } from "kysely";
import type { Database, User } from "../storage/schema.ts";

/** What a player may do so often a day. */
export type DayLimit = "imports" | "data";

/** Where the key of the hashes is kept. In no backup: the counters are not either. */
export const counterSecretKey = "counter_secret";

/**
 * Name of a player's counter of a day's limit. By a keyed hash of the Steam ID and not by the account: who deletes their account and signs
 * in again goes on where they were, and nothing that is kept until the day is over says who that is.
 */
export async function dayCounter(
  database: Kysely<Database>,
  limit: DayLimit,
  { steam_id: steamId }: Pick<User, "steam_id">,
): Promise<string> {
  const secret = await counterSecret(database);
  // With the limit in it, so that two counters are not seen to be the same player's.
  return `${limit}:${createHmac("sha256", secret).update(`${limit}\n${steamId}`).digest("hex")}`;
}

/** One for all processes, made by the first that asks. */
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
