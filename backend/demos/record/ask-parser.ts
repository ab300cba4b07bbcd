import { DemoImportError } from "../demo-import-error.ts";

/** Rows of one player from `parseTicks`, one entry a tick in every column. */
export type PlayerColumns = { tick: number[] } & Record<string, unknown[]>;

/** `parseTicks` in columns, ordered by SteamID. */
export type ColumnsBySteamId = Record<string, PlayerColumns>;

/**
 * Runs one query of the native parser; whatever it throws becomes the sentence a player understands.
 * @throws DemoImportError `parser_failed`
 */
export function askParser<T>(query: () => T): T {
  try {
    return query();
  } catch (error) {
    throw new DemoImportError("parser_failed", {}, error);
  }
}
