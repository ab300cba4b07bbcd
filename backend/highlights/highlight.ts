import type { HighlightType, StoredHighlightType } from "../../contract/highlight-types.ts";
import type { KillFlag } from "../../contract/kill-flags.ts";
import type { PlayerIndex } from "../../replay/match-record.ts";

export interface HighlightMoment {
  tick: number;
  kind: "kill" | "defuse";
  /** As in kill events, without `weapon_`; `c4` for a defuse. */
  weapon: string;
  flags: KillFlag[];
  /** Null for a defuse. */
  victim: PlayerIndex | null;
}

export interface Highlight {
  type: HighlightType;
  round: number;
  player: PlayerIndex;
  /** Kills and defuse in tick order; empty when a clutch was won without either. */
  moments: HighlightMoment[];
  /** First kill, defuse, or the moment the clutch began; for a custom highlight, its marked beginning. */
  startTick: number;
  /** Last kill or defuse; the end of the round for a clutch won without either; for a custom highlight, its marked end. */
  endTick: number;
  /** Ranks the highlights of a match, higher is better; see docs/highlights.md. */
  score: number;
  /** Why it is a highlight, in one plain sentence without a full stop. */
  reason: string;
  /** Victims of the kills, in order. */
  victims: PlayerIndex[];
}

/** Result of a detector; score and reason are added once the whole match is known. */
export type FoundHighlight = Omit<Highlight, "score" | "reason">;

/** Source of clips: a detected highlight, or a moment that a player marked by hand. */
export type StoredHighlight = Omit<Highlight, "type"> & {
  type: StoredHighlightType;
  /** Name of a custom highlight; null for all others. */
  name?: string | null;
};

/** The best first. */
export function byRank<Ranked extends StoredHighlight>(highlights: readonly Ranked[]): Ranked[] {
  return [...highlights].sort((a, b) => b.score - a.score || a.player - b.player);
}
