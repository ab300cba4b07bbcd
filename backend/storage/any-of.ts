import { sql } from "kysely";

/**
 * Matches a column of numbers against a list, with one parameter for any length. A single id is passed by itself, so that a kept plan is
 * made for one row.
 */
export function anyOf(ids: readonly number[]) {
  return ids.length === 1 ? sql<number>`${ids[0]}` : sql<number>`ANY(${[...ids]}::bigint[])`;
}
