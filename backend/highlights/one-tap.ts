import { weaponByEventName } from "../../contract/weapons.ts";
import type { MatchRecord } from "../../replay/match-record.ts";
import { type CountedKill, firesBullets } from "./counted-kills.ts";
import type { FoundHighlight } from "./highlight.ts";
import type { LiveRound } from "./live-round.ts";
import { findSpecialKills } from "./special-kills.ts";

const weaponCategories: readonly string[] = ["rifle", "pistol", "smg", "machine_gun"];
const silenceSeconds = 1;
/** The shot is a separate event, on the tick of the kill or just before it. */
const maxShotToKillTicks = 2;

/**
 * A headshot by rifle, pistol, SMG or machine gun on a victim at full health, by the attacker's first bullet for at least a second. A kill
 * without a shot or damage in the demo does not count, since it cannot be proved.
 */
export function findOneTaps(live: LiveRound): FoundHighlight[] {
  return findSpecialKills("one_tap", live, (kill) => {
    const category = weaponByEventName(kill.weapon)?.category;
    if (!kill.headshot || !category || !weaponCategories.includes(category)) return false;
    return wasAtFullHealth(live, kill) && wasFirstBullet(live.record, kill);
  });
}

/** Nothing but the killing hit has hurt the victim in this round, or since coming to life again in it. */
function wasAtFullHealth(live: LiveRound, kill: CountedKill): boolean {
  const falls = live.record.deaths.filter(({ tick, player }) => player === kill.victim && tick < kill.tick);
  const fell = Math.max(...falls.map(({ tick }) => tick), Number.NEGATIVE_INFINITY);
  const damages = live.record.damages.filter(
    ({ tick, victim, health }) =>
      victim === kill.victim && health > 0 && tick >= live.round.startTick && tick > fell && tick <= kill.tick,
  );
  const [hit] = damages;
  return damages.length === 1 && hit?.tick === kill.tick && hit.attacker === kill.attacker;
}

function wasFirstBullet(record: MatchRecord, kill: CountedKill): boolean {
  const bullets = record.shots
    .filter(({ tick, player, weapon }) => player === kill.attacker && tick <= kill.tick && firesBullets(weapon))
    .map(({ tick }) => tick);
  const fired = bullets.reduce((latest, tick) => Math.max(latest, tick), Number.NEGATIVE_INFINITY);
  if (fired < kill.tick - maxShotToKillTicks) return false;
  return !bullets.some((tick) => tick < fired && fired - tick < silenceSeconds * record.tickRate);
}
