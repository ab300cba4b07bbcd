import { weaponByEventName } from "../../contract/weapons.ts";
import type { FoundHighlight } from "./highlight.ts";
import type { LiveRound } from "./live-round.ts";
import { findSpecialKills } from "./special-kills.ts";

/** A kill with a scoped sniper rifle without using the scope. */
export function findNoScopes(live: LiveRound): FoundHighlight[] {
  return findSpecialKills("no_scope", live, (kill) => kill.noScope && weaponByEventName(kill.weapon)?.noScope === true);
}
