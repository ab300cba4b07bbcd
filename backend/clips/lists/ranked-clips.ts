import { sql } from "kysely";
import { LRUCache } from "lru-cache";
import { limits } from "../../../contract/limits.ts";
import { type ClipFilter, type TopListName, topListNames } from "../../../contract/schemas/clip-lists.ts";
import type { Services } from "../../services.ts";
import { keptPlan } from "../../storage/kept-plan.ts";
import type { ClipRow } from "../../storage/schema.ts";
import { isFiltering, matches, matchesBySignature } from "./found-by.ts";
import { finishedAndListed } from "./visible-clips.ts";

/** What a list ranks clips by, in the order of its index, all from the largest on; a clip without the first is not in the list. */
const rankedBy = {
  newest: ["created_at", "id"],
  most_viewed: ["views_count", "created_at", "id"],
  most_liked: ["likes_count", "created_at", "id"],
  // The score of its best highlight of certain types, see migration 029.
  best_clutches: ["best_clutch", "likes_count", "id"],
  best_multikills: ["best_multikill", "likes_count", "id"],
  best_zeus_knife: ["best_zeus_knife", "likes_count", "id"],
  best_noscopes: ["best_noscope", "likes_count", "id"],
  best_one_taps: ["best_one_tap", "likes_count", "id"],
  best_ninja_defuses: ["best_ninja_defuse", "likes_count", "id"],
} as const satisfies Record<TopListName, readonly (keyof ClipRow)[]>;

export type RankedIds = Record<TopListName, number[]>;

/** Written into statements whose plans are kept: of an unknown number the planner expects a tenth of the table. */
const topListLength = sql.lit(limits.topListLength);

const rankColumns = [...new Set(Object.values(rankedBy).flat())];

const bounds = {
  /** So many that match are found by their own index and ranked: their rows lie anywhere. */
  mostRanked: 2500,
  /** So many clips of a list are passed in its index for ten that match, before the planner chooses. */
  longestWalk: 20_000,
};

/** The ten clips of each list that a filter lets through, the best first, by id. */
export async function rankedClips(
  services: Services,
  filter: ClipFilter,
  { mostRanked, longestWalk } = bounds,
): Promise<RankedIds> {
  if (!isFiltering(filter)) return walkLists(services, filter, longestWalk);
  const isFew = (await expectedMatches(services, filter)) <= mostRanked;
  const ranked = isFew ? await rankMatching(services, filter, 4 * mostRanked) : null;
  if (ranked) return ranked;
  const walked = await walkLists(services, filter, longestWalk);
  for (const name of topListNames) {
    if (walked[name].length < limits.topListLength) walked[name] = await searchList(services, name, filter);
  }
  return walked;
}

/** The planner's guesses, by what matches. One that is no longer true makes a list dearer and no other. */
const guesses = new WeakMap<Services["database"], LRUCache<string, number>>();
const keptGuesses = { max: 1000, ttl: 60 * 60_000 };

/** The planner's guess, from what it knows of the most common keys: what there is of them is counted by no index in a moment. */
async function expectedMatches({ database }: Services, filter: ClipFilter): Promise<number> {
  const known = guesses.get(database) ?? new LRUCache<string, number>(keptGuesses);
  guesses.set(database, known);
  const key = JSON.stringify([filter.map, filter.type, filter.player]);
  const guess = known.get(key);
  if (guess !== undefined) return guess;
  const [plan] = await database
    .selectFrom("clips")
    .select("id")
    .where("status", "=", "completed")
    .where(matches(filter))
    .explain<{ "QUERY PLAN": [{ Plan: { "Plan Rows": number } }] }>("json");
  const expected = plan?.["QUERY PLAN"][0].Plan["Plan Rows"] ?? 0;
  known.set(key, expected);
  return expected;
}

/** All that match, in every list's order. @returns null where they are far more than was expected, `most` or more */
async function rankMatching({ database }: Services, filter: ClipFilter, most: number): Promise<RankedIds | null> {
  const matching = database
    .selectFrom("clips")
    .select(rankColumns)
    .where(finishedAndListed)
    .where(matches(filter))
    .limit(sql.lit(most));
  const tops = topListNames.map((name) => {
    const top = sql`SELECT id FROM matching WHERE ${sql.ref(rankedBy[name][0])} IS NOT NULL
      ORDER BY ${inOrder(name)} LIMIT ${topListLength}`;
    return sql`ARRAY(${top}) AS ${sql.ref(name)}`;
  });
  const columns = sql.join(["count", ...topListNames].map((name) => sql.ref(name)));
  const { rows } = await sql<RankedIds & { count: number }>`select ${keptPlan} ${columns} FROM (
      WITH matching AS MATERIALIZED (${matching})
      SELECT (SELECT count(*) FROM matching) AS count, ${sql.join(tops)}
    ) AS lists`.execute(database);
  return rows[0] && Number(rows[0].count) < most ? withNumbers(rows[0]) : null;
}

/** Each list from its best on, as far as a walk goes: one statement, so that lists that are renewed take one connection. */
async function walkLists({ database }: Services, filter: ClipFilter, longestWalk: number): Promise<RankedIds> {
  const tops = topListNames.map((name) => {
    const top = walkedList(database, name, filter, longestWalk).limit(topListLength);
    return sql`ARRAY${top} AS ${sql.ref(name)}`;
  });
  const { rows } = await sql<RankedIds>`select ${keptPlan} ${sql.join(tops)}`.execute(database);
  return withNumbers(rows[0]);
}

/** Whether so few match, as the planner guesses, that ranking all of them takes less than going along a list. */
export async function areFew(services: Services, filter: ClipFilter): Promise<boolean> {
  return (await expectedMatches(services, filter)) <= bounds.mostRanked;
}

/** The best of one list that a filter lets through, where these are many: at most `most`, the best first, by id. */
export async function walkedBest(
  services: Services,
  name: TopListName,
  filter: ClipFilter,
  most: number,
): Promise<number[]> {
  const walked = await walkedList(services.database, name, filter, bounds.longestWalk).limit(most).execute();
  return walked.length < most ? searchList(services, name, filter, most) : walked.map(({ id }) => id);
}

/** Query of a list's clips that match, as far as a walk goes in its index: rows are looked at where the signature lets them through. */
function walkedList(database: Services["database"], name: TopListName, filter: ClipFilter, longestWalk: number) {
  const list = clipsOfList(database, name).orderBy(inOrder(name));
  if (!isFiltering(filter)) return list.select("id");
  const walked = list.select(["found_signature", ...rankedBy[name]]).limit(sql.lit(longestWalk));
  return database.selectFrom(walked.as("clips")).select("id").where(matchesBySignature(filter)).orderBy(inOrder(name));
}

/** The planner's choice of going along the list, however far, and of ranking all that match. */
async function searchList(
  { database }: Services,
  name: TopListName,
  filter: ClipFilter,
  most: number = limits.topListLength,
): Promise<number[]> {
  const found = await clipsOfList(database, name)
    .select("id")
    .where(matches(filter))
    .orderBy(inOrder(name))
    .limit(most)
    .execute();
  return found.map(({ id }) => id);
}

const clipsOfList = (database: Services["database"], name: TopListName) =>
  database.selectFrom("clips").where(finishedAndListed).where(rankedBy[name][0], "is not", null);

const inOrder = (name: TopListName) => sql`${sql.join(rankedBy[name].map((column) => sql`${sql.ref(column)} DESC`))}`;

/** Ids come as text: they are lists of int8. */
const withNumbers = (ranked: RankedIds | undefined) =>
  Object.fromEntries(topListNames.map((name) => [name, (ranked?.[name] ?? []).map(Number)])) as RankedIds;
