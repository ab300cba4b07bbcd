import { boundedLine } from "../../../contract/clean-text.ts";
import { textLimits } from "../../../contract/text-limits.ts";
import type { PlayerIndex, RecordedDamage, RecordedRound } from "../../../replay/match-record.ts";
import { type DemoEvent, numberOf, textOf, weaponOf } from "./demo-events.ts";
import type { PlayerRegister } from "./player-register.ts";
import { roundAt } from "./record-kills.ts";

/**
 * Who was hurt by whom, in tick order.
 *
 * Bots have no names in events (decision 031). The victim is known if the side opposite the attacker has only one bot. If any other bot was
 * hurt in a round, that round gets no hits on bots at all, so that none seems unhurt by mistake.
 */
export function recordDamages(
  events: readonly DemoEvent[],
  rounds: readonly RecordedRound[],
  register: PlayerRegister,
): RecordedDamage[] {
  const unclear = new Set<RecordedRound | null>();
  const damages = events.flatMap((event): RecordedDamage[] => {
    if (event.event_name !== "player_hurt") return [];
    const attacker = register.personIn(event, "attacker");
    const victim = register.personIn(event, "user") ?? botHurtBy(attacker, event, register);
    if (victim === null) {
      unclear.add(roundAt(rounds, event.tick));
      return [];
    }
    return [
      {
        tick: event.tick,
        attacker,
        victim,
        weapon: weaponOf(event),
        health: numberOf(event, "dmg_health") ?? 0,
        armor: numberOf(event, "dmg_armor") ?? 0,
        healthAfter: numberOf(event, "health") ?? 0,
        hitGroup: boundedLine(textOf(event, "hitgroup"), textLimits.hitGroup),
      },
    ];
  });
  return damages.filter(({ tick, victim }) => !register.players[victim]?.isBot || !unclear.has(roundAt(rounds, tick)));
}

function botHurtBy(attacker: PlayerIndex | null, event: DemoEvent, register: PlayerRegister): PlayerIndex | null {
  if (textOf(event, "user_steamid")) return null;
  const attackerTeam = attacker === null ? null : (register.players[attacker]?.team ?? null);
  const possible =
    attackerTeam === null
      ? [...register.botsOf(0), ...register.botsOf(1)]
      : register.botsOf(attackerTeam === 0 ? 1 : 0);
  return possible.length === 1 ? possible[0]! : null;
}
