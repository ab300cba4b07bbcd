import type { FoundHighlight } from "./highlight.ts";
import type { LiveRound } from "./live-round.ts";
import { findSpecialKills } from "./special-kills.ts";

/** The attacker was in the air. */
export function findMidairKills(live: LiveRound): FoundHighlight[] {
  return findSpecialKills("midair_kill", live, (kill) => kill.attackerInAir);
}
