import { sql } from "kysely";
import { writeFoundBy } from "../../backend/clips/lists/found-by.ts";
import type { Services } from "../../backend/services.ts";
import type { ProcessingStatus } from "../../contract/statuses.ts";

type Database = Services["database"];

/** Copies a completed clip; highlights, likes and views differ by a fixed pattern so that every list is full. */
export async function copyClips(database: Database, clipId: number, count: number): Promise<void> {
  await sql`
    INSERT INTO clips (user_id, match_id, demo_sha256, name, spec, settings, status, progress, video_key, poster_key,
      thumbnail_key, wide_poster_key, share_key, loop_key, video_bytes, duration_seconds, likes_count, views_count,
      created_at, completed_at)
    SELECT c.user_id, c.match_id, c.demo_sha256, c.name || ' ' || n, c.spec, c.settings, c.status, 1, c.video_key,
      c.poster_key, c.thumbnail_key, c.wide_poster_key, c.share_key, c.loop_key, c.video_bytes, c.duration_seconds,
      (n * 7) % 90, (n * 13) % 900,
      c.created_at - n * interval '1 minute', c.completed_at
    FROM clips c, generate_series(1, ${count}::int) n WHERE c.id = ${clipId}`.execute(database);
  await sql`
    INSERT INTO clip_highlights (clip_id, highlight_id, position)
    SELECT c.id, h.id, 0
    FROM clips c
    CROSS JOIN LATERAL (
      SELECT id FROM highlights h WHERE h.demo_sha256 = c.demo_sha256
      ORDER BY (h.type = (
        ARRAY['ace', 'clutch_1v3', 'taser_kill', 'no_scope', 'one_tap', 'ninja_defuse', 'quad_kill']
      )[1 + c.id % 7]) DESC, (h.id + c.id) % 97 LIMIT 1
    ) h
    WHERE c.id <> ${clipId}`.execute(database);
  const clips = await database.selectFrom("clips").select("id").execute();
  for (const { id } of clips) await writeFoundBy(database, id);
  await sql`ANALYZE`.execute(database);
}

/** Copies a match with its demo and highlights, each an hour older. @returns the new IDs, the youngest first */
export async function copyMatches(database: Database, matchId: string, count: number): Promise<string[]> {
  const maps = [
    "de_nuke",
    "de_inferno",
    "de_dust2",
    "de_ancient",
    "de_anubis",
    "de_train",
    "de_overpass",
    "de_vertigo",
  ];
  const { rows } = await sql<{ sha256: string }>`
    SELECT demo_sha256 AS sha256 FROM matches WHERE id = ${matchId}`.execute(database);
  const ids: string[] = [];
  for (let n = 1; n <= count; n++) {
    const sha256 = await copyDemo(database, rows[0]!.sha256, maps[n % maps.length]!, `${matchId} ${n}`);
    ids.push(`copy${n}${matchId}`.slice(0, 12));
    await sql`
      INSERT INTO matches (id, user_id, demo_sha256, demo_url, source, status, progress, created_at, completed_at)
      SELECT ${ids.at(-1)}, user_id, ${sha256}, demo_url, source, status, 1, created_at - ${n}::int * interval '1 hour',
        completed_at
      FROM matches WHERE id = ${matchId}`.execute(database);
  }
  return ids;
}

/**
 * Copies a demo under another map's name, with its highlights. Without pictures, since deleting the first of the two would delete them for
 * both.
 * @returns its key
 */
export async function copyDemo(database: Database, from: string, map: string, seed: string): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    SELECT column_name AS name FROM information_schema.columns
    WHERE table_name = 'demos' AND column_name NOT IN ('sha256', 'map', 'pictures_key', 'pictures_tried_at')`.execute(
    database,
  );
  const columns = sql.join(rows.map(({ name }) => sql.ref(name)));
  const { rows: made } = await sql<{ sha256: string }>`
    INSERT INTO demos (sha256, map, pictures_tried_at, ${columns})
    SELECT md5(${seed}::text) || md5(${from}::text), ${map}, now(), ${columns} FROM demos WHERE sha256 = ${from}
    RETURNING sha256`.execute(database);
  const { sha256 } = made[0]!;
  await sql`
    INSERT INTO highlights (demo_sha256, type, round, player, kills_count, score, reason, start_tick, end_tick, moments)
    SELECT ${sha256}, type, round, player, kills_count, score, reason, start_tick, end_tick, moments
    FROM highlights WHERE demo_sha256 = ${from} ORDER BY id`.execute(database);
  return sha256;
}

/** Distributes a player's completed clips among matches in turn. */
export async function spreadClips(database: Database, userId: number, matchIds: readonly string[]): Promise<void> {
  await sql`
    UPDATE clips c SET match_id = m.id, demo_sha256 = m.demo_sha256
    FROM matches m
    WHERE c.user_id = ${userId} AND m.id = (${sql.val([...matchIds])}::text[])[1 + c.id % ${matchIds.length}::int]
  `.execute(database);
}

interface SeededMatch {
  id: string;
  userId: number;
  demoSha256?: string | null;
  status?: ProcessingStatus;
  progress?: number;
  operation?: string;
  error?: string;
  minutesAgo?: number;
}

export async function addMatch(database: Database, match: SeededMatch): Promise<void> {
  const status = match.status ?? "completed";
  const createdAt = new Date(Date.now() - (match.minutesAgo ?? 0) * 60_000);
  await database
    .insertInto("matches")
    .values({
      id: match.id,
      user_id: match.userId,
      demo_sha256: match.demoSha256 ?? null,
      demo_url: `https://demos.example/${match.id}.dem.bz2`,
      source: "url",
      status,
      progress: match.progress ?? 0,
      operation: match.operation ?? "",
      error_code: match.error ? "download_failed" : null,
      error: match.error ?? null,
      created_at: createdAt,
      completed_at: status === "completed" ? createdAt : null,
      upload_key: null,
      recent_match_id: null,
      leetify_match_id: null,
      provider_match_url: null,
      provider_map: match.demoSha256 ? null : "de_inferno",
      provider_game_mode: null,
      provider_score1: null,
      provider_score2: null,
      alias_of: null,
    })
    .execute();
}

interface SeededClip {
  userId: number;
  matchId: string;
  name: string;
  status?: string;
  /** 1 to 3 for an unfinished clip. */
  queueSlot?: number;
  progress?: number;
  error?: string;
  minutesAgo?: number;
}

/** Adds a clip with the video of another one; unfinished and failed clips have none. @returns its ID */
export async function addClip(database: Database, like: number, clip: SeededClip): Promise<number> {
  const status = clip.status ?? "completed";
  const isDone = status === "completed";
  const { rows } = await sql<{ id: number }>`
    INSERT INTO clips (user_id, match_id, demo_sha256, name, spec, settings, status, progress, error, queue_slot, video_key,
      poster_key, thumbnail_key, wide_poster_key, share_key, loop_key, video_bytes, duration_seconds, created_at,
      completed_at)
    SELECT ${clip.userId}, m.id, m.demo_sha256, ${clip.name}, c.spec, c.settings, ${status}::text,
      ${clip.progress ?? (isDone ? 1 : 0)}::float, ${clip.error ?? null}::text, ${clip.queueSlot ?? null}::int,
      CASE WHEN ${isDone} THEN c.video_key END, CASE WHEN ${isDone} THEN c.poster_key END,
      CASE WHEN ${isDone} THEN c.thumbnail_key END, CASE WHEN ${isDone} THEN c.wide_poster_key END,
      CASE WHEN ${isDone} THEN c.share_key END, CASE WHEN ${isDone} THEN c.loop_key END, c.video_bytes,
      c.duration_seconds, now() - ${clip.minutesAgo ?? 0}::int * interval '1 minute',
      CASE WHEN ${isDone} THEN now() END
    FROM clips c, matches m WHERE c.id = ${like} AND m.id = ${clip.matchId}
    RETURNING id`.execute(database);
  const id = Number(rows[0]!.id);
  await sql`
    INSERT INTO clip_highlights (clip_id, highlight_id, position)
    SELECT ${id}::bigint, min(h.id), 0 FROM highlights h JOIN matches m ON m.demo_sha256 = h.demo_sha256
    WHERE m.id = ${clip.matchId}`.execute(database);
  await writeFoundBy(database, id);
  return id;
}

/** Finishes a clip like the renderer, with another clip's video. */
export async function finishClip(database: Database, like: number, clipId: number): Promise<void> {
  await sql`
    UPDATE clips c SET status = 'completed', progress = 1, queue_slot = NULL, video_key = d.video_key,
      poster_key = d.poster_key, thumbnail_key = d.thumbnail_key, wide_poster_key = d.wide_poster_key,
      share_key = d.share_key, loop_key = d.loop_key, completed_at = now()
    FROM clips d WHERE c.id = ${clipId} AND d.id = ${like}`.execute(database);
}

export async function userIdOf(database: Database, steamId: string): Promise<number> {
  const { id } = await database
    .selectFrom("users")
    .select("id")
    .where("steam_id", "=", steamId)
    .executeTakeFirstOrThrow();
  return id;
}
