import type { MatchRecord } from "../../../replay/match-record.ts";
import { detectHighlights, type Highlight } from "../index.ts";

/** A highlight in a few words, for comparing: "ace a1 r1". */
function brief(record: MatchRecord, { type, player, round }: Highlight): string {
  return `${type} ${record.players[player]?.name} r${round}`;
}

/** Every highlight of a record in a few words, sorted; those of the named types only, when types are named. */
export function found(record: MatchRecord, ...types: string[]): string[] {
  return detectHighlights(record)
    .filter(({ type }) => types.length === 0 || types.includes(type))
    .map((highlight) => brief(record, highlight))
    .sort();
}
