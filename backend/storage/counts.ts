import { type Kysely, sql } from "kysely";
import type { Database } from "./schema.ts";

/** Totals of a user. Finished clips, views and likes are those of listed clips, since everybody can read them. */
export interface UserTotals {
  clips: number;
  finishedClips: number;
  views: number;
  likes: number;
  matches: number;
  /** Size of their videos, waiting uploads, and the raw file and replay track of each demo of their matches. */
  bytes: number;
  /** How often the list of their clips has changed. */
  listChanges: number;
}

/** The stored counts of a user plus the changes not yet added up: the same result as a full count. */
export async function userTotals(database: Kysely<Database>, userId: number): Promise<UserTotals> {
  const { rows } = await sql<Record<keyof UserTotals, string | number>>`
    SELECT coalesce(sum(clips), 0) AS clips, coalesce(sum(finished_clips), 0) AS "finishedClips", coalesce(sum(views), 0) AS views,
      coalesce(sum(likes), 0) AS likes, coalesce(sum(matches), 0) AS matches, coalesce(sum(bytes), 0) AS bytes,
      coalesce(sum(list_changes), 0) AS "listChanges"
    FROM (
      SELECT clips, finished_clips, views, likes, matches, bytes, list_changes FROM user_totals WHERE user_id = ${userId}
      UNION ALL
      SELECT clips, finished_clips, views, likes, matches, bytes, list_changes FROM user_total_changes WHERE user_id = ${userId}
    ) AS kept
  `.execute(database);
  const [row] = rows;
  return {
    clips: Number(row?.clips),
    finishedClips: Number(row?.finishedClips),
    views: Number(row?.views),
    likes: Number(row?.likes),
    matches: Number(row?.matches),
    bytes: Number(row?.bytes),
    listChanges: Number(row?.listChanges),
  };
}

/** How many clips, or matches, have each status. */
export async function statusCounts(
  database: Kysely<Database>,
  kind: "clips" | "matches",
): Promise<{ status: string; count: number }[]> {
  const { rows } = await sql<{ status: string; count: string | number }>`
    SELECT status, sum(count) AS count FROM (
      SELECT status, count FROM status_counts WHERE kind = ${kind}
      UNION ALL
      SELECT status, count FROM status_count_changes WHERE kind = ${kind}
    ) AS kept GROUP BY status ORDER BY status
  `.execute(database);
  return rows.map(({ status, count }) => ({ status, count: Number(count) }));
}

/** Changes per transaction, few enough that nothing waits for them in the embedded database. */
const addedAtOnce = 5000;
/** "coun" in ASCII: only one process adds up. */
const lock = 0x636f756e;

/**
 * Adds up the changes, so that reading a count costs about one row. Concurrent readers see the state before or after, never part of it.
 * @returns how many were added up
 */
export async function addUpCounts(database: Kysely<Database>): Promise<number> {
  let added = 0;
  for (;;) {
    const some = await database.transaction().execute(async (transaction) => {
      const { rows } = await sql<{ isAlone: boolean }>`
        SELECT pg_try_advisory_xact_lock(${sql.lit(lock)}) AS "isAlone"
      `.execute(transaction);
      if (!rows[0]?.isAlone) return 0;
      const ofUsers = await sql<{ changes: string | number }>`
        WITH gone AS (
          DELETE FROM user_total_changes
          WHERE ctid = ANY (ARRAY(SELECT ctid FROM user_total_changes LIMIT ${sql.lit(addedAtOnce)}))
          RETURNING *
        ), kept AS (
          INSERT INTO user_totals (user_id, clips, finished_clips, views, likes, matches, bytes, list_changes)
          SELECT user_id, sum(clips), sum(finished_clips), sum(views), sum(likes), sum(matches), sum(bytes), sum(list_changes)
          FROM gone WHERE EXISTS (SELECT 1 FROM users WHERE users.id = gone.user_id FOR KEY SHARE)
          GROUP BY user_id
          ON CONFLICT (user_id) DO UPDATE SET
            clips = user_totals.clips + excluded.clips,
            finished_clips = user_totals.finished_clips + excluded.finished_clips,
            views = user_totals.views + excluded.views,
            likes = user_totals.likes + excluded.likes,
            matches = user_totals.matches + excluded.matches,
            bytes = user_totals.bytes + excluded.bytes,
            list_changes = user_totals.list_changes + excluded.list_changes
        )
        SELECT count(*) AS changes FROM gone
      `.execute(transaction);
      const ofStatuses = await sql<{ changes: string | number }>`
        WITH gone AS (
          DELETE FROM status_count_changes
          WHERE ctid = ANY (ARRAY(SELECT ctid FROM status_count_changes LIMIT ${sql.lit(addedAtOnce)}))
          RETURNING *
        ), kept AS (
          INSERT INTO status_counts (kind, status, count)
          SELECT kind, status, sum(count) FROM gone GROUP BY kind, status
          ON CONFLICT (kind, status) DO UPDATE SET count = status_counts.count + excluded.count
        )
        SELECT count(*) AS changes FROM gone
      `.execute(transaction);
      return Math.max(Number(ofUsers.rows[0]?.changes), Number(ofStatuses.rows[0]?.changes));
    });
    added += some;
    if (some < addedAtOnce) return added;
  }
}
