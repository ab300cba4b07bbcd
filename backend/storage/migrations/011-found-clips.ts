import { type Kysely, sql } from "kysely";

/**
 * The keys by which a clip is found (map, types of its highlights, their players) in one column, with one index for every combination, and
 * an index that ranks highlights of a type. Decision 151. Also the name of an uploaded file, which a match shows until its map is known.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE clips ADD COLUMN found_by text[] NOT NULL DEFAULT '{}'
      CONSTRAINT clips_found_by_bounded CHECK (octet_length(array_to_string(found_by, ',')) <= 16384);
  `.execute(database);
  await writeKeysOfOldClips(database);
  await sql`
    CREATE INDEX clips_found_by ON clips USING gin (found_by) WHERE status = 'completed';
    ALTER TABLE matches ADD COLUMN file_name text CONSTRAINT matches_file_name_bounded CHECK (char_length(file_name) <= 200);
    CREATE INDEX highlights_best ON highlights (type, score DESC, id DESC);
  `.execute(database);
}

const batchSize = 1000;

interface Shown {
  clip_id: number;
  map: string;
  type: string;
  steam_id: string | null;
  name: string | null;
}

/** Lower-cased by JavaScript: PGlite's own `lower` handles only ASCII. */
async function writeKeysOfOldClips(database: Kysely<unknown>): Promise<void> {
  for (let after = 0; ; ) {
    const { rows: ids } = await sql<{ id: number }>`
      SELECT id FROM clips WHERE id > ${after} ORDER BY id LIMIT ${sql.lit(batchSize)}
    `.execute(database);
    const last = ids.at(-1)?.id;
    if (last === undefined) return;
    const { rows } = await sql<Shown>`
      SELECT clip_id, demos.map, highlights.type,
        demos.players -> highlights.player ->> 'steam_id' AS steam_id, demos.players -> highlights.player ->> 'name' AS name
      FROM clip_highlights
      JOIN highlights ON highlights.id = clip_highlights.highlight_id
      JOIN demos ON demos.sha256 = highlights.demo_sha256
      WHERE clip_id > ${after} AND clip_id <= ${last}
    `.execute(database);
    const keys = new Map<number, Set<string>>();
    for (const { clip_id, map, type, steam_id, name } of rows) {
      const own = keys.get(Number(clip_id)) ?? new Set<string>();
      keys.set(Number(clip_id), own);
      own.add(`map:${map}`).add(`type:${type}`);
      if (steam_id) own.add(`player:${steam_id}`);
      if (name) own.add(`name:${name.toLowerCase()}`);
    }
    const written = JSON.stringify([...keys].map(([id, own]) => ({ id, keys: [...own] })));
    await sql`
      UPDATE clips SET found_by = ARRAY(SELECT jsonb_array_elements_text(given.keys))
      FROM jsonb_to_recordset(${written}::jsonb) AS given (id bigint, keys jsonb)
      WHERE clips.id = given.id
    `.execute(database);
    after = Number(last);
  }
}
