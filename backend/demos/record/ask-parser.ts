import { DemoImportError } from "../demo-import-error.ts";

/** Rows of one player from `parseTicks`: every column has one entry per tick. */
export type PlayerColumns = { tick: number[] } & Record<string, unknown[]>;

/** The answer of `parseTicks` in columns, grouped by SteamID. */
export type ColumnsBySteamId = Record<string, PlayerColumns>;

/**
 * Runs one query of the native parser and turns whatever it throws into an error with a sentence for the player.
 * @throws DemoImportError `parser_failed`
 */
export function askParser<T>(query: () => T): T {
  try {
    return query();
  } catch (error) {
    throw new DemoImportError("parser_failed", {}, error);
  }
}
