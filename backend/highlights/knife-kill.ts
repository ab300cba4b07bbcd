import type { FoundHighlight } from "./highlight.ts";
import type { LiveRound } from "./live-round.ts";
import { findSpecialKills } from "./special-kills.ts";

/** A kill with any knife. */
export function findKnifeKills(live: LiveRound): FoundHighlight[] {
  return findSpecialKills("knife_kill", live, (kill) => /knife|bayonet/.test(kill.weapon));
}
