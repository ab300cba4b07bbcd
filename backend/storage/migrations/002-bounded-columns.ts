import { type Kysely, sql } from "kysely";

/**
 * Bounds the length of every text and JSON document. Stored values are shortened first: a demo could name its map in twelve megabytes,
 * which every public list showed. No match or clip is deleted.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await createCuttingFunctions(database);
  await cutWhatIsStored(database);
  await sql`DROP FUNCTION cut_texts; DROP FUNCTION cut_text`.execute(database);
  for (const [table, columns] of Object.entries(bounds)) {
    const constraints = Object.entries(columns).map(([column, bound]) => {
      const name = sql.raw(`${table}_${column}_bounded`);
      return sql`ADD CONSTRAINT ${name} CHECK (${lengthOf(column, bound)} <= ${sql.lit(bound.max)})`;
    });
    await sql`ALTER TABLE ${sql.table(table)} ${sql.join(constraints)}`.execute(database);
  }
}

interface Bound {
  kind: "text" | "json" | "list";
  /** Characters of a text, bytes of a JSON document or of a list. */
  max: number;
}

const characters = (max: number): Bound => ({ kind: "text", max });
const jsonBytes = (max: number): Bound => ({ kind: "json", max });

/** Columns that have another bounding check (a pattern, a list of values) are left out. */
const bounds: Record<string, Record<string, Bound>> = {
  users: { steam_name: characters(64), avatar_url: characters(2048) },
  sessions: { id_hash: characters(64) },
  openid_nonces: { nonce: characters(300) },
  demos: {
    map: characters(64),
    game_mode: characters(64),
    server_name: characters(128),
    players: jsonBytes(128 * 1024),
    teams: jsonBytes(4096),
    timing: jsonBytes(512 * 1024),
    track_key: characters(200),
    file_key: characters(200),
  },
  matches: {
    id: characters(64),
    demo_url: characters(2048),
    upload_key: characters(200),
    recent_match_id: characters(200),
    leetify_match_id: characters(200),
    provider_match_url: characters(2048),
    provider_map: characters(64),
    provider_game_mode: characters(64),
    operation: characters(64),
    error_code: characters(64),
    error: characters(500),
    alias_of: characters(64),
  },
  highlights: {
    demo_sha256: characters(64),
    type: characters(32),
    reason: characters(200),
    moments: jsonBytes(16 * 1024),
  },
  clips: {
    match_id: characters(64),
    demo_sha256: characters(64),
    name: characters(200),
    spec: jsonBytes(512 * 1024),
    settings: jsonBytes(4096),
    error: characters(500),
    video_key: characters(200),
    poster_key: characters(200),
    thumbnail_key: characters(200),
    highlight_types: { kind: "list", max: 1024 },
  },
  views: { viewer_hash: characters(128) },
  rate_counters: { key: characters(200) },
  profiles: { steam_id: characters(20), name: characters(64), avatar_url: characters(2048) },
  settings: { key: characters(64), value: characters(1024) },
};

function lengthOf(column: string, { kind }: Bound) {
  const value = sql.ref(column);
  if (kind === "text") return sql`char_length(${value})`;
  return kind === "json" ? sql`octet_length(${value}::text)` : sql`octet_length(array_to_string(${value}, ','))`;
}

const maxPlayers = 256;
const maxRounds = 200;
const maxMoments = 32;

/** Control characters except whitespace, and characters that change the direction of the text around them. */
const hidden = [
  ...range(0x01, 0x08),
  ...range(0x0e, 0x1f),
  ...range(0x7f, 0x9f),
  0x061c,
  0x200e,
  0x200f,
  ...range(0x202a, 0x202e),
  ...range(0x2066, 0x2069),
  0xfeff,
];

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

async function createCuttingFunctions(database: Kysely<unknown>): Promise<void> {
  const betweenWords = "\t\n\v\f\r\u2028\u2029";
  const from = sql.lit(betweenWords + String.fromCodePoint(...hidden));
  const to = sql.lit(" ".repeat(betweenWords.length));
  await sql`
    CREATE FUNCTION cut_text(given text, most integer) RETURNS text LANGUAGE sql IMMUTABLE AS $$
      SELECT btrim(left(btrim(translate(left(given, most * 8), ${from}, ${to})), most))
    $$;

    CREATE FUNCTION cut_texts(document jsonb, most integer) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
    BEGIN
      CASE jsonb_typeof(document)
        WHEN 'string' THEN
          RETURN to_jsonb(cut_text(document #>> '{}', most));
        WHEN 'array' THEN
          RETURN (
            SELECT coalesce(jsonb_agg(cut_texts(entry, most) ORDER BY place), '[]')
            FROM jsonb_array_elements(document) WITH ORDINALITY AS entries (entry, place)
          );
        WHEN 'object' THEN
          RETURN (
            SELECT coalesce(jsonb_object_agg(name, cut_texts(entry, most)), '{}')
            FROM jsonb_each(document) AS entries (name, entry)
          );
        ELSE
          RETURN document;
      END CASE;
    END
    $$;
  `.execute(database);
}

async function cutWhatIsStored(database: Kysely<unknown>): Promise<void> {
  await sql`
    UPDATE users SET
      steam_name = coalesce(nullif(cut_text(steam_name, 64), ''), steam_id),
      avatar_url = CASE WHEN char_length(avatar_url) <= 2048 THEN avatar_url END
    WHERE steam_name <> cut_text(steam_name, 64) OR char_length(avatar_url) > 2048;

    UPDATE profiles SET
      name = coalesce(nullif(cut_text(name, 64), ''), steam_id),
      avatar_url = CASE WHEN char_length(avatar_url) <= 2048 THEN avatar_url END
    WHERE name <> cut_text(name, 64) OR char_length(avatar_url) > 2048;

    UPDATE demos SET
      map = cut_text(map, 64),
      game_mode = cut_text(game_mode, 64),
      server_name = cut_text(server_name, 128),
      players = cut_texts(players, 64),
      teams = cut_texts(teams, 64)
    WHERE map <> cut_text(map, 64) OR game_mode <> cut_text(game_mode, 64) OR server_name <> cut_text(server_name, 128)
      OR players <> cut_texts(players, 64) OR teams <> cut_texts(teams, 64);

    -- Highlights name players by their place in the list, so it is only ever cut at its end.
    UPDATE demos SET players = (
      SELECT jsonb_agg(player ORDER BY place)
      FROM jsonb_array_elements(players) WITH ORDINALITY AS listed (player, place) WHERE place <= ${sql.lit(maxPlayers)}
    ) WHERE jsonb_array_length(players) > ${sql.lit(maxPlayers)};

    UPDATE demos SET timing = jsonb_set(timing, '{rounds}', (
      SELECT jsonb_agg(round ORDER BY place)
      FROM jsonb_array_elements(timing -> 'rounds') WITH ORDINALITY AS listed (round, place)
      WHERE place <= ${sql.lit(maxRounds)}
    )) WHERE jsonb_array_length(timing -> 'rounds') > ${sql.lit(maxRounds)};

    UPDATE demos SET timing = jsonb_set(timing, '{rounds}', '[]') WHERE octet_length(timing::text) > 512 * 1024;

    UPDATE highlights SET reason = cut_text(reason, 200), moments = cut_texts(moments, 64)
    WHERE reason <> cut_text(reason, 200) OR moments <> cut_texts(moments, 64);

    UPDATE highlights SET moments = (
      SELECT jsonb_agg(moment ORDER BY place)
      FROM jsonb_array_elements(moments) WITH ORDINALITY AS listed (moment, place) WHERE place <= ${sql.lit(maxMoments)}
    ) WHERE jsonb_array_length(moments) > ${sql.lit(maxMoments)};

    UPDATE matches SET
      demo_url = left(demo_url, 2048),
      provider_map = cut_text(provider_map, 64),
      provider_game_mode = cut_text(provider_game_mode, 64),
      provider_match_url = left(provider_match_url, 2048),
      error = left(error, 500)
    WHERE char_length(demo_url) > 2048 OR provider_map <> cut_text(provider_map, 64)
      OR provider_game_mode <> cut_text(provider_game_mode, 64) OR char_length(provider_match_url) > 2048
      OR char_length(error) > 500;

    UPDATE clips SET name = cut_text(name, 200), spec = cut_texts(spec, 200), error = left(error, 500)
    WHERE name <> cut_text(name, 200) OR spec <> cut_texts(spec, 200) OR char_length(error) > 500;

    -- Of a demo with thousands of moments in a highlight: its video, if it has one, stays.
    UPDATE clips SET spec = jsonb_set(spec, '{segments}', '[]') WHERE octet_length(spec::text) > 512 * 1024;
  `.execute(database);
}
