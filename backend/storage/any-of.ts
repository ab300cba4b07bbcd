import { sql } from "kysely";

/**
 * What a column of numbers equals when it is any of these: one parameter, however many they are. A single one stands for itself, so that a kept
 * plan is made for one row.
 */
export function anyOf(ids: readonly number[]) {
  return ids.length === 1 ? sql<number>`${ids[0]}` : sql<number>`ANY(${[...ids]}::bigint[])`;
}
