import type { FoundHighlight } from "./highlight.ts";
import type { LiveRound } from "./live-round.ts";
import { findSpecialKills } from "./special-kills.ts";

/** Grenades that kill by exploding (HE) or by hitting somebody directly (all others; their fire is `inferno`). */
const grenades: readonly string[] = ["hegrenade", "flashbang", "smokegrenade", "decoy", "molotov", "incgrenade"];

/** A kill by a grenade itself. */
export function findNadeKills(live: LiveRound): FoundHighlight[] {
  return findSpecialKills("nade_kill", live, (kill) => grenades.includes(kill.weapon));
}
