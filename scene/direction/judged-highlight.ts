import type { HighlightType } from "../../contract/highlight-types.ts";
import type { PlayerIndex } from "../../replay/match-record.ts";

/** A highlight that was found in a match. */
export interface KnownHighlight {
  type: HighlightType;
  round: number;
  player: PlayerIndex;
}

/** The highlight that a clip is made of. */
export interface JudgedHighlight extends KnownHighlight {
  /** Why it is one, as the clip may say it. */
  reason: string;
  /** Its kills and defuse, in tick order. */
  momentTicks: readonly number[];
}
