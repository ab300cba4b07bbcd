import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { deleteClip } from "../../backend/clips/delete-clip.ts";
import { toggleLike } from "../../backend/clips/likes.ts";
import { newestClips } from "../../backend/clips/lists/clip-feeds.ts";
import { ownClips, publicClips } from "../../backend/clips/lists/clip-lists.ts";
import { relatedClips } from "../../backend/clips/lists/related-clips.ts";
import { topListsJson } from "../../backend/clips/lists/top-lists.ts";
import { queuePositions } from "../../backend/clips/queue-positions.ts";
import { sendMissingFileJobs } from "../../backend/clips/render/missing-files.ts";
import { listMatches } from "../../backend/library/list-matches.ts";
import { matchDetail } from "../../backend/library/match-detail.ts";
import { ownHighlights } from "../../backend/library/own-highlights.ts";
import { runRetention } from "../../backend/retention/run-retention.ts";
import type { Services } from "../../backend/services.ts";
import { settleAbandonedWork } from "../../backend/settle-abandoned-work.ts";
import { addUpCounts, statusCounts, userTotals } from "../../backend/storage/counts.ts";
import { keptPlanName } from "../../backend/storage/kept-plan.ts";
import type { User } from "../../backend/storage/schema.ts";
import { freshServices } from "../../backend/storage/testing/fresh-services.ts";
import type { HighlightFilter } from "../../contract/schemas/found-highlights.ts";
import { fillDatabase, keptJobSeconds } from "./fill.ts";

/** PostgreSQL's plans for every statement of a list, with so many rows that a sequential scan is the most expensive. */

const clips = 30_000;

/** Smaller tables may as well be scanned. */
const fromRows = 10_000;

let services: Services;
let remove: () => Promise<void>;
let session: pg.Client;
let user: User;
let large: Set<string>;

beforeAll(async () => {
  ({ services, remove } = await freshServices("postgres"));
  session = new pg.Client({ connectionString: services.config.DATABASE_URL });
  await session.connect();
  // As in the product's own connections.
  await session.query("SET max_parallel_workers_per_gather = 0; SET random_page_cost = 1.1; SET jit = off");
  const run = async (text: string) => {
    const results = (await session.query(text)) as unknown as pg.QueryResult | pg.QueryResult[];
    return (Array.isArray(results) ? results.at(-1) : results) ?? { rows: [] };
  };
  await fillDatabase(run, clips, { isFilled: false, say: () => {} });
  await run(`
    INSERT INTO sessions (id_hash, user_id, expires_at)
    SELECT md5(n::text) || md5((-n)::text), 1 + n % 50, now() + interval '30 days' FROM generate_series(1, 40000) n;
    INSERT INTO pgboss.job (name, data, state, group_id, completed_on, keep_until, deletion_seconds)
    SELECT 'loop', jsonb_build_object('clipId', n), 'completed', '1', now() - n * interval '1 minute', now() + interval '14 days',
      ${keptJobSeconds}
    FROM generate_series(1, 40000) n`);
  await run("VACUUM ANALYZE");
  const { rows } = await session.query("SELECT relname FROM pg_class WHERE relkind = 'r' AND reltuples >= $1", [
    fromRows,
  ]);
  large = new Set(rows.map(({ relname }) => relname));
  expect([...large]).toEqual(
    expect.arrayContaining(["clips", "clip_highlights", "highlights", "likes", "sessions", "job_common"]),
  );
  user = await services.database.selectFrom("users").selectAll().where("id", "=", 1).executeTakeFirstOrThrow();
});
afterAll(async () => {
  await session.end();
  await remove();
});

interface Plan {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Actual Rows"?: number;
  "Actual Loops"?: number;
  "Rows Removed by Filter"?: number;
  Plans?: Plan[];
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

interface Planned {
  text: string;
  nodes: Plan[];
}

/** Does the work and gets the plan of each of its statements. */
async function plansOf(work: () => Promise<unknown>, { analyze = false } = {}): Promise<Planned[]> {
  const query = pg.Client.prototype.query;
  const said = new Map<string, unknown[]>();
  const heard = vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (
    this: pg.Client,
    ...given: unknown[]
  ) {
    const [asked, listed] = given;
    // A kept plan is passed as an object, with its name.
    const { text, values } =
      typeof asked === "string" ? { text: asked, values: listed } : (asked as { text?: string; values?: unknown });
    if (text) said.set(text, Array.isArray(values) ? values : []);
    return (query as (...given: unknown[]) => never).apply(this, given);
  });
  try {
    await work();
  } finally {
    heard.mockRestore();
  }
  const statements = [...said].filter(([text]) => /^\s*(select|with|update|delete)\b/i.test(text));
  expect(statements.length).toBeGreaterThan(0);
  const planned: Planned[] = [];
  for (const [text, values] of statements) {
    const explain = `EXPLAIN (FORMAT JSON, ANALYZE ${analyze})`;
    const { rows } = keptPlanName(text)
      ? await explainKept(explain, text, values)
      : await session.query(`${explain} ${text}`, values);
    planned.push({ text, nodes: nodesOf(rows[0]["QUERY PLAN"][0].Plan) });
  }
  return planned;
}

/** The plan that a connection eventually keeps, which is made without knowing the values. */
async function explainKept(explain: string, text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
  const literal = (value: unknown) => {
    if (value === null) return "NULL";
    return session.escapeLiteral(Array.isArray(value) ? `{${value.join(",")}}` : String(value));
  };
  const given = values.length > 0 ? `(${values.map(literal).join(", ")})` : "";
  await session.query(`PREPARE kept AS ${text}`);
  await session.query("SET plan_cache_mode = force_generic_plan");
  try {
    return await session.query(`${explain} EXECUTE kept${given}`);
  } finally {
    await session.query("RESET plan_cache_mode; DEALLOCATE kept");
  }
}

/** @returns the tables that the work scans sequentially, with the statements that do so */
async function scannedBy(work: () => Promise<unknown>): Promise<string[]> {
  const planned = await plansOf(work);
  return planned.flatMap(({ text, nodes }) =>
    nodes.flatMap((node) => {
      const table = node["Relation Name"];
      return node["Node Type"] === "Seq Scan" && table && large.has(table) ? [`${table}: ${text.slice(0, 300)}`] : [];
    }),
  );
}

const never = new AbortController().signal;
const page = { limit: 5, offset: 0, path: "/" };
const steamId = "76561190000000001";

test("feeds read their clips along an index in its order, and sort none", async () => {
  for (const userId of [null, 1]) {
    const planned = await plansOf(() => newestClips(services, userId));
    const found = planned.filter(({ text }) => text.includes("edited_at"));
    expect(found).toHaveLength(1);
    expect(found[0]?.nodes.map((node) => node["Node Type"]).filter((type) => type.includes("Sort"))).toEqual([]);
  }
});

/** @returns the plan of everybody's best highlights in a player's matches, and how many highlights it reads */
async function bestOfEverybody(filter: HighlightFilter): Promise<{ nodes: Plan[]; highlightsRead: number }> {
  const planned = await plansOf(
    () => ownHighlights(services, user, { limit: 20, offset: 0, path: "/", player: "all", ...filter }),
    { analyze: true },
  );
  const [best, ...others] = planned.filter(({ text }) => text.includes('order by "highlights"."score"'));
  expect(others).toEqual([]);
  const nodes = best?.nodes ?? [];
  const read = nodes
    .filter((node) => node["Relation Name"] === "highlights")
    .map((node) => (node["Actual Loops"] ?? 0) * ((node["Actual Rows"] ?? 0) + (node["Rows Removed by Filter"] ?? 0)));
  return { nodes, highlightsRead: Math.max(...read) };
}

test("the best highlights of a type, of everybody in one's many matches, pass few of others and of other types", async () => {
  // The lowest scores of all: along the index over all types they come last.
  const { nodes, highlightsRead } = await bestOfEverybody({ type: "one_tap" });
  expect(highlightsRead).toBeGreaterThan(20);
  expect(highlightsRead).toBeLessThan(1000);
  const asked = nodes.find((node) => node["Index Name"] === "matches_user_demo");
  expect(asked?.["Node Type"]).toBe("Index Only Scan");
});

test.each<[string, HighlightFilter]>([
  ["on a map", { map: "de_nuke" }],
  ["of a type on a map", { map: "de_nuke", type: "ninja_defuse" }],
])("the best highlights %s, of everybody in thousands of matches, pass none of other maps", async (_, filter) => {
  await session.query("BEGIN");
  try {
    await session.query("UPDATE matches SET user_id = 1; ANALYZE matches");
    const { highlightsRead } = await bestOfEverybody(filter);
    expect(highlightsRead).toBeGreaterThan(20);
    expect(highlightsRead).toBeLessThan(50);
  } finally {
    await session.query("ROLLBACK");
  }
});

test("a table that is read from end to end is noticed", async () => {
  const found = await scannedBy(() =>
    services.database.selectFrom("clips").select("id").where("name", "=", "nobody's").execute(),
  );
  expect(found).toHaveLength(1);
});

test.each<[string, () => Promise<unknown>]>([
  ["top lists", () => topListsJson(services, 1)],
  ["top lists of a map that few play", () => topListsJson(services, null, { map: "de_cache" })],
  ["top lists of a player", () => topListsJson(services, null, { player: "76561190000000107" })],
  ["the clips of a player with very many", () => publicClips(services, steamId, null, page)],
  [
    "one's own clips, and a late page of them",
    async () => {
      await ownClips(services, 1, page);
      await ownClips(services, 1, { ...page, offset: 60 });
    },
  ],
  [
    "one's highlights, and everybody's in one's matches",
    async () => {
      await ownHighlights(services, user, page);
      await ownHighlights(services, user, { ...page, player: "all" });
      await ownHighlights(services, user, { ...page, player: "all", map: "de_nuke" });
    },
  ],
  ["one's matches", () => listMatches(services, user, { limit: 9, offset: 0 })],
  ["a match", () => matchDetail(services, user, "m1", { includePlayers: true })],
  [
    "feeds",
    async () => {
      await newestClips(services, null);
      await newestClips(services, 1);
    },
  ],
  ["what to watch next", () => relatedClips(services, 1200, null)],
  [
    "the counts of a user and of monitoring",
    async () => {
      await userTotals(services.database, 1);
      await statusCounts(services.database, "clips");
      await statusCounts(services.database, "matches");
      await addUpCounts(services.database);
    },
  ],
  ["a like", () => toggleLike(services, 1, 900)],
  [
    "the queue's depth, places and failures",
    async () => {
      await services.jobs.depth();
      await queuePositions(services);
      await services.jobs.line("import");
      await services.jobs.isOpen("render", { clipId: 77 });
      const [failed] = await services.jobs.failures(20);
      expect(failed).toBeDefined();
      await services.jobs.failure(failed?.id ?? "");
      await services.jobs.failureCauses(20);
    },
  ],
  [
    "deleting a clip",
    async () => {
      const { id, user_id } = await services.database
        .selectFrom("clips")
        .select(["id", "user_id"])
        .where("id", ">", 4000)
        .orderBy("id")
        .executeTakeFirstOrThrow();
      expect(await deleteClip(services, user_id, id)).toBe(true);
    },
  ],
  [
    "looking for abandoned work and missing files",
    async () => {
      await settleAbandonedWork(services);
      await sendMissingFileJobs(services, "share");
      await sendMissingFileJobs(services, "loop");
    },
  ],
  ["retention", () => runRetention(services, never)],
])("%s: no large table is read from end to end", async (_, work) => {
  expect(await scannedBy(work)).toEqual([]);
});
