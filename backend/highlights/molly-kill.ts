import type { FoundHighlight } from "./highlight.ts";
import type { LiveRound } from "./live-round.ts";
import { findSpecialKills } from "./special-kills.ts";

/** A kill by fire. */
export function findMollyKills(live: LiveRound): FoundHighlight[] {
  return findSpecialKills("molly_kill", live, (kill) => kill.weapon === "inferno");
}
