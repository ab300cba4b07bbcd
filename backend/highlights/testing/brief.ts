import type { MatchRecord } from "../../../replay/match-record.ts";
import { detectHighlights, type Highlight } from "../index.ts";

/** A highlight in short, for comparing: "ace a1 r1". */
function brief(record: MatchRecord, { type, player, round }: Highlight): string {
  return `${type} ${record.players[player]?.name} r${round}`;
}

/** All highlights of a record in short, sorted; only those of the given types, if any. */
export function found(record: MatchRecord, ...types: string[]): string[] {
  return detectHighlights(record)
    .filter(({ type }) => types.length === 0 || types.includes(type))
    .map((highlight) => brief(record, highlight))
    .sort();
}
