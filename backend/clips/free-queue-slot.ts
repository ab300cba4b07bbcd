import type { Transaction } from "kysely";
import { limits } from "../../contract/limits.ts";
import type { Database } from "../storage/schema.ts";

/**
 * A free one of a player's places in the render queue, theirs to take until the transaction ends: whoever else asks for this
 * player waits until then.
 * @returns 1 to 3, null when none is free
 */
export async function freeQueueSlot(transaction: Transaction<Database>, userId: number): Promise<number | null> {
  // Not FOR UPDATE: that would also hold up rows that refer to the player, their likes.
  await transaction.selectFrom("users").select("id").where("id", "=", userId).forNoKeyUpdate().execute();
  const taken = await transaction
    .selectFrom("clips")
    .select("queue_slot")
    .where("user_id", "=", userId)
    .where("queue_slot", "is not", null)
    .execute();
  for (let slot = 1; slot <= limits.clipsInQueuePerUser; slot++) {
    if (!taken.some(({ queue_slot }) => queue_slot === slot)) return slot;
  }
  return null;
}
