import { type Kysely, sql } from "kysely";

/**
 * Automatic clips have their own places in the queue, 4 and 5, and take none of their player's other three. Those that wait are moved
 * there. Decision 163.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE clips
      DROP CONSTRAINT clips_queue_slot_check,
      ADD CONSTRAINT clips_queue_slot_check CHECK (queue_slot BETWEEN 1 AND 5);
    UPDATE clips SET queue_slot = 3 + waiting.place
    FROM (
      SELECT id, row_number() OVER (PARTITION BY user_id ORDER BY queue_slot) AS place
      FROM clips WHERE queue_slot IS NOT NULL AND made_for_you
    ) AS waiting
    WHERE clips.id = waiting.id AND waiting.place <= 2;
  `.execute(database);
}
