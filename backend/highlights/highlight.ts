import type { HighlightType, StoredHighlightType } from "../../contract/highlight-types.ts";
import type { KillFlag } from "../../contract/kill-flags.ts";
import type { PlayerIndex } from "../../replay/match-record.ts";

export interface HighlightMoment {
  tick: number;
  kind: "kill" | "defuse";
  /** As in kill events, without `weapon_`; `c4` for a defuse. */
  weapon: string;
  flags: KillFlag[];
  /** null for a defuse. */
  victim: PlayerIndex | null;
}

export interface Highlight {
  type: HighlightType;
  round: number;
  player: PlayerIndex;
  /** Kills and defuse in tick order; empty when a clutch was won without either. */
  moments: HighlightMoment[];
  /** First kill, defuse, or the moment the clutch began; where a custom one was marked to begin. */
  startTick: number;
  /** Last kill or defuse; the end of the round for a clutch won without either; where a custom one was marked to end. */
  endTick: number;
  /** Ranks the highlights of a match, higher is better; see docs/highlights.md. */
  score: number;
  /** Why it is a highlight, one plain sentence without a full stop. */
  reason: string;
  /** Victims of the kills, in order. */
  victims: PlayerIndex[];
}

/** What a detector finds; score and reason are added when the whole match is known. */
export type FoundHighlight = Omit<Highlight, "score" | "reason">;

/** What clips are made of: a highlight that was found, or a moment that a player marked by hand. */
export type StoredHighlight = Omit<Highlight, "type"> & {
  type: StoredHighlightType;
  /** What a custom one is called; null of all others. */
  name?: string | null;
};
