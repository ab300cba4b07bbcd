import type { HighlightType } from "../../contract/highlight-types.ts";
import type { PlayerIndex } from "../../replay/match-record.ts";

/** The highlight that a clip is made of. */
export interface JudgedHighlight {
  type: HighlightType;
  round: number;
  player: PlayerIndex;
  /** Why it is one, as the clip may say it. */
  reason: string;
  /** Its kills and defuse, in tick order. */
  momentTicks: readonly number[];
}
