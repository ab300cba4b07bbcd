import { type Kysely, sql } from "kysely";
import { expect, test } from "vitest";
import { migrate } from "./migrate.ts";
import type { Database } from "./schema.ts";
import { databaseBefore } from "./testing/database-before.ts";

const tables = ["users", "demos", "matches", "highlights", "clips", "clip_highlights", "likes"] as const;

for (const kind of ["embedded", "postgres"] as const) {
  test(`a ${kind} database of the version before loses the columns that nobody read, and no row`, async () => {
    const { database, upgrade, remove } = await databaseBefore(kind, "005-unread-columns");
    try {
      await storeClips(database);
      const before = await storedRows(database);
      expect(Object.values(before).map((rows) => rows.length)).toEqual([1, 1, 1, 1, 2, 2, 1]);
      expect(await indexesOf(database)).toEqual(expect.arrayContaining(["clips_best", "clips_highlight_types"]));

      await upgrade();
      const dropped = ["score", "highlight_types"];
      expect(await storedRows(database)).toMatchObject({
        ...before,
        users: before.users.map((row) => without(row, ["profile_refreshed_at"])),
        demos: before.demos.map((row) => without(row, ["rounds"])),
        clips: before.clips.map((row) => without(row, dropped)),
      });
      const [clip] = (await storedRows(database)).clips;
      for (const column of dropped) expect(clip).not.toHaveProperty(column);
      expect(await indexesOf(database)).not.toContain("clips_best");
      expect(await indexesOf(database)).not.toContain("clips_highlight_types");
      expect(await migrate(database)).toEqual([]);
    } finally {
      await remove();
    }
  });
}

type Row = Record<string, unknown>;

async function storedRows(database: Kysely<Database>): Promise<Record<(typeof tables)[number], Row[]>> {
  const read: [string, Row[]][] = [];
  for (const table of tables) {
    const { rows } = await sql<{ row: Row }>`
      SELECT to_jsonb(stored) AS row FROM ${sql.table(table)} AS stored ORDER BY to_jsonb(stored)::text`.execute(
      database,
    );
    read.push([table, rows.map(({ row }) => row)]);
  }
  return Object.fromEntries(read) as Record<(typeof tables)[number], Row[]>;
}

function without(row: Row, columns: readonly string[]): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !columns.includes(name)));
}

async function indexesOf(database: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{
    name: string;
  }>`SELECT indexname AS name FROM pg_indexes WHERE tablename = 'clips'`.execute(database);
  return rows.map(({ name }) => name);
}

/** A liked, finished clip and one in the queue, as the previous version wrote them. */
async function storeClips(database: Kysely<Database>): Promise<void> {
  await sql`
    INSERT INTO users (steam_id, steam_name, profile_refreshed_at) VALUES ('76561198000000001', 'Nova', now());
    INSERT INTO demos (sha256, map, game_mode, server_name, rounds, players, teams, detector_version, timing)
    VALUES (repeat('a', 64), 'de_mirage', 'Matchmaking', '', 24, '[]', '[]', 1, '{}');
    INSERT INTO matches (id, user_id, demo_sha256, source, status)
    VALUES ('match0000001', 1, repeat('a', 64), 'upload', 'completed');
    INSERT INTO highlights (demo_sha256, type, round, player, kills_count, score, reason, start_tick, end_tick, moments)
    VALUES (repeat('a', 64), 'ace', 3, 0, 5, 80, '5 kills in 6.2 s', 100, 200, '[]');
    INSERT INTO clips (user_id, match_id, demo_sha256, name, spec, settings, status, queue_slot, video_key, poster_key,
      thumbnail_key, likes_count, score, highlight_types)
    VALUES
      (1, 'match0000001', repeat('a', 64), 'Ace', '{}', '{}', 'completed', NULL, 'v', 'p', 't', 1, 80, '{ace}'),
      (1, 'match0000001', repeat('a', 64), 'Ace again', '{}', '{}', 'queued', 1, NULL, NULL, NULL, 0, 80, '{ace}');
    INSERT INTO clip_highlights (clip_id, highlight_id, position) VALUES (1, 1, 0), (2, 1, 0);
    INSERT INTO likes (user_id, clip_id) VALUES (1, 1);
  `.execute(database);
}
