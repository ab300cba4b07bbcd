import { sql, type Transaction } from "kysely";
import type { Database } from "../storage/schema.ts";

/** A match that its player deletes is not made again, however it was imported; nothing is kept of players who never had this on. */
export async function rememberDeleted(transaction: Transaction<Database>, matchId: string, at: Date): Promise<void> {
  await sql`
    INSERT INTO automation_matches (user_id, provider_id, state, found_at, changed_at)
    SELECT matches.user_id, recent_match_id, 'done', ${at}, ${at}
    FROM matches JOIN automation USING (user_id)
    WHERE (matches.id = ${matchId} OR matches.alias_of = ${matchId}) AND recent_match_id IS NOT NULL
    ON CONFLICT (user_id, provider_id) DO UPDATE SET state = 'done', changed_at = excluded.changed_at
  `.execute(transaction);
}
