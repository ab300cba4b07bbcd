/** Runs statements, several at once if there are no values; without a deadline. */
export type RunSql = (text: string) => Promise<{ rows: unknown[] }>;

export interface Filled {
  clips: number;
  users: number;
  matches: number;
  /** The user with the most: about one in forty of a million clips. */
  heaviestUser: number;
}

/** Highlights of each match. */
const perDemo = 12;
/** Matches on the rare map, the same number in every filling, so that its lists are equally large among a million clips or a thousand. */
const onRareMap = 25;
/** Rows per statement, so that none takes a database's memory. */
const batch = 50_000;
/** As long as the queue keeps its jobs; rows without it are kept for a week. */
export const keptJobSeconds = 30 * 86_400;

/**
 * Fills an empty, migrated database with rows as after years of use: few users with very many clips and many with few, scores by the rules
 * (many alike), likes and views on few, a rare map, finished jobs of a month. The rows are the same each time.
 * @param run a superuser's session: foreign keys and triggers are disabled, and the stored counts are counted at the end
 * @param isFilled whether it already has these rows: then only their numbers are returned
 */
export async function fillDatabase(
  run: RunSql,
  clips: number,
  { isFilled, say }: { isFilled: boolean; say: (text: string) => void },
): Promise<Filled> {
  const users = Math.max(20, Math.round(clips / 20));
  const matches = Math.max(10, Math.round(clips / 5));
  const filled = { clips, users, matches, heaviestUser: 1 };
  if (isFilled) return filled;
  const players = users * 4;
  const steamId = (number: string) => `(76561190000000000 + ${number})::text`;
  await run("SET session_replication_role = replica; SET synchronous_commit = off");
  // Triggers that count row by row stay disabled, but not the one that fills in a column of the row itself.
  await run("ALTER TABLE clips ENABLE ALWAYS TRIGGER clips_signed");
  await run("SELECT setseed(0.42)");
  const inBatches = async (table: string, count: number, statement: (first: number, last: number) => string) => {
    for (let first = 1; first <= count; first += batch) await run(statement(first, Math.min(count, first + batch - 1)));
    say(`${count} of ${table}`);
  };

  await inBatches(
    "users",
    users,
    (first, last) => `
    INSERT INTO users (id, steam_id, steam_name, avatar_url, created_at) OVERRIDING SYSTEM VALUE
    SELECT n, ${steamId("n")}, 'Player ' || n, 'https://avatars.example/' || n || '.jpg', now() - interval '800 days'
    FROM generate_series(${first}, ${last}) n`,
  );
  await inBatches(
    "profiles",
    players,
    (first, last) => `
    INSERT INTO profiles (steam_id, name, avatar_url, refreshed_at)
    SELECT ${steamId("n")}, 'Player ' || n, 'https://avatars.example/' || n || '.jpg', now() - n % 700 * interval '1 day'
    FROM generate_series(${first}, ${last}) n`,
  );

  // The user's share falls with the cube: the first has most.
  await run(`
    CREATE TEMP TABLE filled_matches AS
    SELECT n, 1 + floor(${users} * power(random(), 3))::int AS user_id, md5(n::text) || md5((n * 7)::text) AS sha256,
      now() - (${matches} - n)::float8 / ${matches} * interval '690 days' - interval '1 hour' AS at,
      CASE WHEN n % ${Math.ceil(matches / onRareMap)} = 3 THEN 'de_cache' ELSE (ARRAY['de_mirage', 'de_inferno', 'de_dust2', 'de_nuke', 'de_ancient',
        'de_anubis', 'de_train', 'de_overpass', 'de_vertigo'])[1 + floor(9 * power(random(), 1.6))::int] END AS map
    FROM generate_series(1, ${matches}) n;
    CREATE UNIQUE INDEX ON filled_matches (n);
    CREATE INDEX ON filled_matches (user_id)`);
  await inBatches(
    "demos",
    matches,
    (first, last) => `
    INSERT INTO demos (sha256, map, game_mode, server_name, played_at, players, teams, timing, track_key, detector_version,
      detection_tried, created_at)
    SELECT sha256, map, 'Matchmaking', 'Valve', at - interval '2 hours', (
        SELECT jsonb_agg(jsonb_build_object('name', 'Player ' || id, 'steam_id', ${steamId("id")}, 'team', seat / 5) ORDER BY seat)
        FROM (
          SELECT seat, CASE WHEN seat = 0 THEN user_id ELSE 1 + (n * 31 + seat * 7919) % ${players} END AS id
          FROM generate_series(0, 9) seat
        ) AS seated
      ), '[{"name": "", "score": 13}, {"name": "", "score": 9}]', '{"tickRate": 64, "rounds": []}',
      'demos/' || sha256 || '/track.bin', 1000000, 1000000, at
    FROM filled_matches WHERE n BETWEEN ${first} AND ${last}`,
  );
  await inBatches(
    "matches",
    matches,
    (first, last) => `
    INSERT INTO matches (id, user_id, demo_sha256, demo_url, source, status, progress, created_at, completed_at)
    SELECT 'm' || n, user_id, sha256, 'https://demos.example/' || n || '.dem.bz2', 'url', 'completed', 1, at, at
    FROM filled_matches WHERE n BETWEEN ${first} AND ${last}`,
  );
  // Points and the factor of a round have few values, so many scores are alike.
  await inBatches(
    "matches with highlights",
    matches,
    (first, last) => `
    INSERT INTO highlights (id, demo_sha256, type, round, player, steam_id, map, kills_count, score, reason, start_tick, end_tick, moments)
      OVERRIDING SYSTEM VALUE
    SELECT (n - 1) * ${perDemo} + k, sha256, kinds[kind], k + 1, seat,
      (SELECT players -> seat ->> 'steam_id' FROM demos WHERE demos.sha256 = drawn.sha256),
      (SELECT map FROM demos WHERE demos.sha256 = drawn.sha256), kills[kind],
      round(((points[kind] + 2 * floor(4 * random())) * (ARRAY[1, 1, 1, 1.15, 1.3, 0.8])[1 + floor(6 * random())::int])::numeric, 1),
      'Bench', k * 1000, k * 1000 + 400, '[{"tick": 1000, "weapon": "ak47"}]'
    FROM (
      SELECT n, sha256, k, CASE WHEN k % 3 = 0 THEN 0 ELSE (n + k) % 10 END AS seat, 1 + floor(20 * power(random(), 1.3))::int AS kind
      FROM filled_matches, generate_series(1, ${perDemo}) k WHERE n BETWEEN ${first} AND ${last}
    ) AS drawn, (SELECT
      ARRAY['one_tap', 'one_tap', 'wallbang', 'through_smoke', 'triple_kill', 'multi_kill', 'headshot_streak', 'clutch_1v2', 'no_scope',
        'quad_kill', 'molly_kill', 'nade_kill', 'taser_kill', 'knife_kill', 'midair_kill', 'clutch_1v3', 'ninja_defuse', 'ace',
        'clutch_1v4', 'clutch_1v5'] AS kinds,
      ARRAY[10, 10, 14, 13, 30, 12, 26, 45, 24, 60, 8, 12, 20, 32, 22, 70, 50, 100, 100, 140] AS points,
      ARRAY[1, 1, 1, 1, 3, 2, 3, 2, 1, 4, 1, 1, 1, 1, 1, 3, 0, 5, 4, 5] AS kills
    ) AS known`,
  );

  await run(`
    INSERT INTO likes (user_id, clip_id, created_at)
    SELECT DISTINCT 1 + floor(${users} * random())::int, 1 + floor(${clips} * power(random(), 2))::int, now()
    FROM generate_series(1, ${clips * 2});
    CREATE TEMP TABLE filled_likes AS SELECT clip_id, count(*)::int AS likes FROM likes GROUP BY clip_id;
    CREATE UNIQUE INDEX ON filled_likes (clip_id);
    ANALYZE filled_likes; ANALYZE filled_matches; ANALYZE demos; ANALYZE highlights`);
  say("likes");
  // The newest clips, so that waiting ones are new.
  const waiting = Math.min(40, Math.round(clips / 100));
  await inBatches(
    "clips",
    clips,
    (first, last) => `
    INSERT INTO clips (id, user_id, match_id, demo_sha256, name, spec, settings, status, progress, error, queue_slot, video_key,
      poster_key, thumbnail_key, wide_poster_key, share_key, loop_key, video_bytes, duration_seconds, likes_count, views_count,
      found_by, created_at, completed_at) OVERRIDING SYSTEM VALUE
    SELECT c, user_id, 'm' || n, sha256, 'Player ' || user_id || ' - Clip ' || c, jsonb_build_object('version', 1, 'width', 1280,
        'height', 720, 'framesPerSecond', 60, 'title', 'Clip ' || c, 'segments', jsonb_build_array(jsonb_build_object('round', 3,
        'startTick', c, 'endTick', c + 400, 'player', 0, 'captions', '[]'::jsonb))), '{}', state,
      CASE WHEN state = 'queued' THEN 0 ELSE 1 END, CASE WHEN state = 'failed' THEN 'The video could not be rendered.' END,
      CASE WHEN state = 'queued' THEN 1 END, file || 'video-a.mp4', file || 'poster-a.jpg', file || 'thumbnail-a.jpg',
      file || 'poster-a.jpg', file || 'video-a.mp4', file || 'loop-a.mp4', 9000000, 12, coalesce(likes, 0),
      floor(2000 * power(random(), 8))::int + coalesce(likes, 0) * 5, (
        SELECT array_agg(DISTINCT key) FROM highlights h JOIN demos ON demos.sha256 = h.demo_sha256, unnest(ARRAY['map:' || demos.map,
          'type:' || h.type, 'player:' || (demos.players -> h.player ->> 'steam_id'), 'name:' || lower(demos.players -> h.player ->> 'name')]) key
        WHERE h.id IN ((n - 1) * ${perDemo} + 1 + c % ${perDemo}, (n - 1) * ${perDemo} + 1 + c / 3 % ${perDemo})
      ), at, CASE WHEN state = 'completed' THEN at END
    FROM (
      SELECT m.*, CASE WHEN c > ${clips} - ${waiting} AND turn = 1 THEN 'queued' WHEN c % 97 = 5 THEN 'failed' ELSE 'completed' END AS state
      FROM (
        SELECT c, matched.*, 'clips/' || c || '/' AS file, row_number() OVER (PARTITION BY user_id ORDER BY c DESC) AS turn
        FROM generate_series(${first}, ${last}) c JOIN filled_matches AS matched ON matched.n = 1 + (c - 1) * ${matches}::bigint / ${clips}
      ) AS m
    ) AS made LEFT JOIN filled_likes ON filled_likes.clip_id = c`,
  );
  await run(
    "UPDATE clips SET video_key = NULL, poster_key = NULL, thumbnail_key = NULL, wide_poster_key = NULL, share_key = NULL, loop_key = NULL, video_bytes = NULL, duration_seconds = NULL, likes_count = 0, views_count = 0 WHERE status <> 'completed'",
  );
  await inBatches(
    "clips with highlights",
    clips,
    (first, last) => `
    INSERT INTO clip_highlights (clip_id, highlight_id, position)
    SELECT id, (n - 1) * ${perDemo} + 1 + k, row_number() OVER (PARTITION BY id) - 1 FROM (
      SELECT DISTINCT id, substr(match_id, 2)::bigint AS n, k FROM clips, unnest(ARRAY[id % ${perDemo}, id / 3 % ${perDemo}]) k
      WHERE id BETWEEN ${first} AND ${last}
    ) AS shown;
    SELECT rank_clips(ARRAY(SELECT id FROM clips WHERE id BETWEEN ${first} AND ${last}))`,
  );
  await run(`
    INSERT INTO views (clip_id, viewer_hash, network_hash, viewed_at)
    SELECT 1 + floor(${clips} * power(random(), 2))::int, md5(n::text), md5((n / 2)::text), now() - n % 48 * interval '50 minutes'
    FROM generate_series(1, ${Math.round(clips / 4)}) n;
    INSERT INTO pgboss.job (name, data, state, group_id, created_on, started_on, completed_on, keep_until, deletion_seconds)
    SELECT (ARRAY['render', 'loop', 'share', 'import'])[1 + n % 4],
      CASE WHEN n % 4 = 3 THEN jsonb_build_object('matchId', 'm' || n) ELSE jsonb_build_object('clipId', n) END,
      (CASE WHEN n % 200 = 7 THEN 'failed' ELSE 'completed' END)::pgboss.job_state, (1 + n % ${users})::text, at, at, at,
      now() + interval '14 days', ${keptJobSeconds}
    FROM (SELECT n, now() - n % 30 * interval '1 day' AS at FROM generate_series(1, ${Math.min(300_000, Math.round(clips / 3))}) n) AS done;
    INSERT INTO pgboss.job (name, data, state, group_id, start_after, keep_until)
    SELECT 'render', jsonb_build_object('clipId', id), 'created', user_id::text, now() + interval '1 day', now() + interval '14 days'
    FROM clips WHERE status = 'queued'`);
  await run(`
    SELECT setval(pg_get_serial_sequence('clips', 'id'), ${clips});
    SELECT setval(pg_get_serial_sequence('users', 'id'), ${users});
    SELECT setval(pg_get_serial_sequence('highlights', 'id'), ${matches * perDemo})`);
  // As the triggers would have.
  await run(`
    INSERT INTO user_totals (user_id, clips, finished_clips, views, likes, matches)
    SELECT id, coalesce(clips, 0), coalesce(finished, 0), coalesce(views, 0), coalesce(likes, 0), coalesce(matches, 0)
    FROM users LEFT JOIN (
      SELECT user_id, count(*) AS clips, count(*) FILTER (WHERE status = 'completed') AS finished, sum(views_count) AS views,
        sum(likes_count) AS likes FROM clips GROUP BY user_id
    ) AS c ON c.user_id = id LEFT JOIN (SELECT user_id, count(*) AS matches FROM matches GROUP BY user_id) AS m ON m.user_id = id;
    INSERT INTO status_counts SELECT 'clips', status, count(*) FROM clips GROUP BY status;
    INSERT INTO status_counts SELECT 'matches', status, count(*) FROM matches GROUP BY status`);
  await run("ALTER TABLE clips ENABLE TRIGGER clips_signed");
  await run("DROP TABLE filled_matches; DROP TABLE filled_likes; SET session_replication_role = DEFAULT");
  return filled;
}
