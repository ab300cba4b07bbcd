import type { Kysely, Transaction } from "kysely";
import type { Database } from "../storage/schema.ts";

/**
 * Locks a player until the transaction ends. Other transactions that take a place, storage or a webhook of theirs wait, and then see what
 * this one has added.
 */
export async function lockPlayer(transaction: Transaction<Database> | Kysely<Database>, userId: number): Promise<void> {
  // Not FOR UPDATE: that would also block rows that refer to the player, such as likes.
  await transaction.selectFrom("users").select("id").where("id", "=", userId).forNoKeyUpdate().execute();
}
