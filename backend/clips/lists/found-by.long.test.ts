import { CompiledQuery, type KyselyPlugin, type RootOperationNode, sql } from "kysely";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { highlightTypes } from "../../../contract/highlight-types.ts";
import type { ClipFilter, TopHighlights } from "../../../contract/schemas/clip-lists.ts";
import { topListNames } from "../../../contract/schemas/clip-lists.ts";
import type { Services } from "../../services.ts";
import { freshServices } from "../../storage/testing/fresh-services.ts";
import { ownClips, publicClips } from "./clip-lists.ts";
import { writeFoundBy } from "./found-by.ts";
import { topListsJson } from "./top-lists.ts";

vi.setConfig({ testTimeout: 900_000, hookTimeout: 900_000 });

/** Enough that reading all of them costs more than an index does. */
const clips = 20_000;
const highlights = 2 * clips;
const maps = ["de_mirage", "de_inferno", "de_nuke", "de_dust2", "de_ancient"];
const rare = "de_mills";

let services: Services;
let remove: () => Promise<void>;

beforeAll(async () => {
  const fresh = await freshServices("embedded");
  ({ services, remove } = fresh);
  const { database } = services;
  const demos = 100;
  await sql`
    INSERT INTO users (steam_id, steam_name)
    SELECT '7656119800' || lpad(n::text, 7, '0'), 'player ' || n FROM generate_series(1, 1000) AS n;
    INSERT INTO demos (sha256, map, game_mode, server_name, players, teams, timing, detector_version)
    SELECT lpad(n::text, 64, '0'),
      CASE WHEN n = ${sql.lit(demos)} THEN ${sql.lit(rare)} ELSE (${sql.lit(`{${maps.join(",")}}`)}::text[])[1 + n % 5] END, 'Premier', 's',
      (SELECT jsonb_agg(jsonb_build_object('name', 'Player ' || (n * 10 + p),
        'steam_id', '7656119800' || lpad((n * 10 + p)::text, 7, '0'), 'team', p % 2))
        FROM generate_series(0, 9) AS p), '[]', '{"tickRate": 64, "rounds": []}', 1
    FROM generate_series(1, ${sql.lit(demos)}) AS n;
    INSERT INTO matches (id, user_id, demo_sha256, source, status)
    SELECT 'm' || n, n, lpad((1 + n % ${sql.lit(demos)})::text, 64, '0'), 'upload', 'completed' FROM generate_series(1, 1000) AS n;
    INSERT INTO highlights (demo_sha256, type, round, player, kills_count, score, reason, start_tick, end_tick, moments)
    SELECT lpad((1 + n % ${sql.lit(demos)})::text, 64, '0'),
      (${sql.lit(`{${highlightTypes.join(",")}}`)}::text[])[1 + ((n * 7919) % ${sql.lit(highlightTypes.length)})::int],
      1, ((n / 100) % 10)::int, 1, (n * 7907) % 10007, 'r', 1, 2, '[]'
    FROM generate_series(1::bigint, ${sql.lit(highlights)}) AS n;
  `.execute(database);
  await sql`
    INSERT INTO clips (user_id, match_id, demo_sha256, name, spec, settings, status, video_key, poster_key, thumbnail_key,
      likes_count, views_count, created_at)
    SELECT 1 + n % 1000, 'm' || (1 + n % 1000), h.demo_sha256, 'clip ' || n,
      '{"width": 1280, "height": 720}', '{}', 'completed', 'v' || n, 'p' || n, 't' || n,
      (n * 7901) % 500, (n * 7907) % 9000, now() - n * interval '1 second'
    FROM generate_series(1::bigint, ${sql.lit(clips)}) AS n
    JOIN highlights h ON h.id = 1 + (n * 13) % ${sql.lit(highlights)} ORDER BY n;
    INSERT INTO clip_highlights (clip_id, highlight_id, position)
    SELECT n, 1 + (n * 13) % ${sql.lit(highlights)}, 0 FROM generate_series(1::bigint, ${sql.lit(clips)}) AS n;
    UPDATE clips SET found_by = ARRAY['map:' || demos.map, 'type:' || h.type,
      'player:' || (demos.players -> h.player ->> 'steam_id'), 'name:' || lower(demos.players -> h.player ->> 'name')]
    FROM clip_highlights ch JOIN highlights h ON h.id = ch.highlight_id JOIN demos ON demos.sha256 = h.demo_sha256
    WHERE ch.clip_id = clips.id;
  `.execute(database);
  for (const table of ["clips", "highlights", "clip_highlights", "matches", "demos", "users"]) {
    await sql`VACUUM (ANALYZE) ${sql.table(table)}`.execute(database);
  }
});
afterAll(() => remove());

interface Plan {
  text: string;
  /** In the planner's unit: 1 is a page read in order. */
  cost: number;
}

/** Runs something and returns the plans of all its queries. */
async function plansOf(run: (services: Services) => Promise<unknown>): Promise<Plan[]> {
  const nodes: RootOperationNode[] = [];
  const watching: KyselyPlugin = {
    transformQuery({ node }) {
      // What asks for a plan reads nothing.
      if (!(node.kind === "SelectQueryNode" && node.explain)) nodes.push(node);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  await run({ ...services, database: services.database.withPlugin(watching) });
  const plans: Plan[] = [];
  for (const node of nodes) {
    const { sql: text, parameters } = services.database.getExecutor().compileQuery(node, { queryId: "plan" });
    plans.push(await planOf(CompiledQuery.raw(`EXPLAIN ${text}`, [...parameters])));
  }
  return plans;
}

async function planOf(query: CompiledQuery): Promise<Plan> {
  const { rows } = await services.database.executeQuery<{ "QUERY PLAN": string }>(query);
  const text = [query.sql, ...rows.map((row) => row["QUERY PLAN"])].join("\n");
  return { text, cost: Number(/cost=[\d.]+\.\.([\d.]+)/.exec(text)?.[1]) };
}

/** What it costs to read every clip, highlight and what links them, which grows with all of them. */
async function costOfAll(): Promise<number> {
  const tables = ["clips", "highlights", "clip_highlights"];
  const plans = await Promise.all(tables.map((table) => planOf(CompiledQuery.raw(`EXPLAIN SELECT * FROM ${table}`))));
  return plans.reduce((sum, { cost }) => sum + cost, 0);
}

/** A table that is read from one end is no fault where a few rows of it are enough. */
const readsAll = ({ text, cost }: Plan, all: number) =>
  /Seq Scan on (clips|highlights|clip_highlights)/.test(text) && cost > all / 2;

const filters: Record<string, ClipFilter> = {
  none: {},
  "a common map": { map: "de_mirage" },
  "a rare map": { map: rare },
  "a type": { type: "ace" },
  "a player": { player: "76561198000000505" },
  "a name": { player: "PLAYER 505" },
  "a map and a type": { map: "de_nuke", type: "ninja_defuse" },
  "all three": { map: "de_dust2", type: "ace", player: "76561198000000040" },
  nobody: { player: "nobody of this name" },
};

for (const [name, filter] of Object.entries(filters)) {
  test(`the lists of Home, filtered by ${name}, are read from indexes`, async () => {
    // Lists are kept by database: for one that is watched they are worked out anew.
    const plans = await plansOf((watched) => topListsJson(watched, null, filter));
    expect(plans.length).toBeGreaterThan(1);
    const all = await costOfAll();
    for (const plan of plans) expect(readsAll(plan, all), plan.text).toBe(false);
  });
}

test("lists of what many clips have are walked in their indexes alone", async () => {
  const plans = await plansOf((watched) => topListsJson(watched, null, { map: "de_mirage" }));
  const text =
    plans.map((plan) => plan.text).find((one) => one.includes("found_signature &") && one.includes("ARRAY")) ?? "";
  const scans = text.match(/(Seq|Index|Index Only|Bitmap Heap) Scan.*? (?:using|on) \w+/g) ?? [];
  const walks = scans.filter((scan) => scan.startsWith("Index Only Scan using clips_listed_"));
  expect(new Set(walks).size).toBe(topListNames.length);
  expect(scans.filter((scan) => !walks.includes(scan) && scan !== "Index Scan using clips_pkey")).toEqual([]);
});

test("a player's own and public lists are read from that player's clips alone, whatever they are filtered by", async () => {
  for (const filter of Object.values(filters)) {
    const page = { limit: 5, offset: 0, path: "/", ...filter };
    const plans = await plansOf(async (watched) => {
      await ownClips(watched, 7, page);
      await publicClips(watched, "76561198000000007", null, page);
    });
    const all = await costOfAll();
    for (const plan of plans) expect(readsAll(plan, all), plan.text).toBe(false);
  }
});

test("every filter finds what fits and nothing else, and a name whatever its case", async () => {
  const listsOf = async (filter: ClipFilter) => JSON.parse(await topListsJson(services, null, filter)) as TopHighlights;
  for (const filter of Object.values(filters)) {
    const lists = await listsOf(filter);
    for (const list of topListNames) {
      for (const clip of lists[list]) {
        if (filter.map) expect(clip.map_name).toBe(filter.map);
        if (filter.type) expect(clip.highlights.map((one) => one.highlight_type)).toContain(filter.type);
        if (filter.player?.startsWith("765"))
          expect(clip.highlights.map((one) => one.player_steam_id)).toContain(filter.player);
      }
    }
  }
  const byId = await listsOf({ player: "76561198000000505" });
  const byName = await listsOf({ player: " pLaYeR 505 " });
  expect(byId.newest.length).toBeGreaterThan(0);
  expect(byName).toEqual(byId);
  expect((await listsOf(filters["a rare map"] ?? {})).newest).toHaveLength(10);
  expect(Object.values(await listsOf(filters.nobody ?? {})).flat()).toEqual([]);
  const [first, second] = (await listsOf({})).best_clutches;
  expect(first?.highlights[0]?.score).toBeGreaterThanOrEqual(second?.highlights[0]?.score ?? 0);
});

test("a clip is found by the map, the types and the players of its highlights, the same as the migration writes of older ones", async () => {
  const { database } = services;
  const before = await database.selectFrom("clips").select(["id", "found_by"]).where("id", "in", [1, 2, 3]).execute();
  for (const { id, found_by } of before) {
    await database.updateTable("clips").set({ found_by: [] }).where("id", "=", id).execute();
    await database.transaction().execute((transaction) => writeFoundBy(transaction, id));
    const after = await database.selectFrom("clips").select("found_by").where("id", "=", id).executeTakeFirstOrThrow();
    expect([...after.found_by].sort()).toEqual([...found_by].sort());
  }
});
