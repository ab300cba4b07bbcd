import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { highlightTypes } from "../../../contract/highlight-types.ts";
import { type ClipFilter, type TopListName, topListNames } from "../../../contract/schemas/clip-lists.ts";
import type { Services } from "../../services.ts";
import { freshServices } from "../../storage/testing/fresh-services.ts";
import { rankedClips } from "./ranked-clips.ts";

const clips = 400;

let services: Services;
let remove: () => Promise<void>;

beforeAll(async () => {
  ({ services, remove } = await freshServices("embedded"));
  await sql`
    INSERT INTO users (steam_id, steam_name) VALUES ('76561198000000001', 'maker');
    INSERT INTO demos (sha256, map, game_mode, server_name, players, teams, timing, detector_version)
    SELECT lpad(n::text, 64, '0'), (ARRAY['de_mirage', 'de_nuke', 'de_cache'])[1 + n % 3], 'Premier', 's',
      '[{"name": "Nova", "steam_id": "76561198000000001", "team": 0}]', '[]', '{"tickRate": 64, "rounds": []}', 1
    FROM generate_series(1, 30) AS n;
    INSERT INTO matches (id, user_id, demo_sha256, source, status)
    SELECT 'm' || n, 1, lpad(n::text, 64, '0'), 'upload', 'completed' FROM generate_series(1, 30) AS n;
    INSERT INTO highlights (demo_sha256, type, round, player, kills_count, score, reason, start_tick, end_tick, moments)
    SELECT lpad((1 + n % 30)::text, 64, '0'), (${sql.lit(`{${highlightTypes.join(",")}}`)}::text[])[1 + (n * 7) % ${sql.lit(highlightTypes.length)}],
      1, 0, 1, (n * 7907) % 41, 'r', 1, 2, '[]'
    FROM generate_series(1, 900) AS n;
    INSERT INTO clips (user_id, match_id, demo_sha256, name, spec, settings, status, video_key, poster_key, thumbnail_key, likes_count,
      views_count, link_key, created_at)
    SELECT 1, 'm' || (1 + n % 30), lpad((1 + n % 30)::text, 64, '0'), 'clip ' || n, '{}', '{}',
      CASE WHEN n % 11 = 0 THEN 'failed' ELSE 'completed' END, 'v' || n, 'p' || n, 't' || n, (n * 7901) % 5, (n * 7907) % 9,
      CASE WHEN n % 13 = 0 THEN lpad(n::text, 22, 'k') END, now() - (n % 50) * interval '1 minute'
    FROM generate_series(1, ${sql.lit(clips)}) AS n;
    INSERT INTO clip_highlights (clip_id, highlight_id, position)
    SELECT n, h.id, row_number() OVER (PARTITION BY n)
    FROM generate_series(1, ${sql.lit(clips)}) AS n
    CROSS JOIN LATERAL (
      SELECT id FROM highlights WHERE demo_sha256 = lpad((1 + n % 30)::text, 64, '0') ORDER BY (id * n) % 101, id LIMIT 2
    ) AS h;
    UPDATE clips SET found_by = (
      SELECT array_agg(DISTINCT key) FROM clip_highlights JOIN highlights ON highlights.id = highlight_id
      JOIN demos ON demos.sha256 = highlights.demo_sha256, unnest(ARRAY['map:' || demos.map, 'type:' || type, 'name:nova']) AS key
      WHERE clip_id = clips.id
    );
    ANALYZE;
  `.execute(services.database);
});
afterAll(() => remove());

const scored: Partial<Record<TopListName, string>> = {
  best_clutches: "best_clutch",
  best_multikills: "best_multikill",
  best_zeus_knife: "best_zeus_knife",
  best_noscopes: "best_noscope",
  best_one_taps: "best_one_tap",
  best_ninja_defuses: "best_ninja_defuse",
};

/** By looking at all clips. */
async function expected(keys: string[]): Promise<Record<string, number[]>> {
  const lists: Record<string, number[]> = {};
  for (const name of topListNames) {
    const score = scored[name];
    const order = score
      ? `${score} DESC, likes_count DESC, id DESC`
      : { newest: "", most_viewed: "views_count DESC,", most_liked: "likes_count DESC," }[name as "newest"] +
        " created_at DESC, id DESC";
    const { rows } = await sql<{ id: number }>`
      SELECT id FROM clips WHERE status = 'completed' AND link_key IS NULL AND found_by @> ${keys}::text[]
        AND ${sql.raw(score ? `${score} IS NOT NULL` : "true")} ORDER BY ${sql.raw(order)} LIMIT 10`.execute(
      services.database,
    );
    lists[name] = rows.map(({ id }) => id);
  }
  return lists;
}

const filters: [string, ClipFilter, string[]][] = [
  ["nothing", {}, []],
  ["a map", { map: "de_nuke" }, ["map:de_nuke"]],
  ["a type", { type: "ace" }, ["type:ace"]],
  ["a map and a type", { map: "de_mirage", type: "one_tap" }, ["map:de_mirage", "type:one_tap"]],
  ["a name", { player: "NOVA" }, ["name:nova"]],
  ["what nobody has", { player: "nobody" }, ["name:nobody"]],
];

test.each(filters)(
  "ranked or walked or searched for, the lists of %s are the best ten of all",
  async (_, filter, keys) => {
    const wanted = await expected(keys);
    if (keys[0] !== "name:nobody") expect(wanted.newest).toHaveLength(10);
    const ways = [
      { mostRanked: 5000, longestWalk: 2000 },
      { mostRanked: -1, longestWalk: 2000 },
      // Too short for a type: the rest is searched for.
      { mostRanked: -1, longestWalk: 15 },
      // More match than was thought.
      { mostRanked: 2, longestWalk: 2000 },
    ];
    for (const way of ways) expect(await rankedClips(services, filter, way), JSON.stringify(way)).toEqual(wanted);
  },
);
