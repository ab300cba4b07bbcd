import type { HighlightType } from "../../contract/highlight-types.ts";
import type { PlayerIndex, TeamIndex } from "../../replay/match-record.ts";
import { hasHighlights, killMoment } from "./counted-kills.ts";
import type { FoundHighlight, HighlightMoment } from "./highlight.ts";
import { defuseMoment, defusesOf, type LiveRound } from "./live-round.ts";
import { livingAfter } from "./lives.ts";

const clutchTypes: Record<number, HighlightType> = {
  2: "clutch_1v2",
  3: "clutch_1v3",
  4: "clutch_1v4",
  5: "clutch_1v5",
};

/**
 * The player is the last living one of the team while at least two opponents live, and the team wins the round.
 * Judged after everything that happened in a tick, on deaths of any cause, so that neither the order of a tick's events
 * nor a missing kill event changes the result.
 */
export function findClutches(live: LiveRound): FoundHighlight[] {
  const { winner, unclearLives } = live.round;
  if (winner === null || unclearLives) return [];
  const began = lastOneStanding(live, winner);
  if (!began) return [];
  const type = clutchTypes[livingAfter(live.lives, winner === 0 ? 1 : 0, began.tick).length];
  const player = type && personIn(live, winner, began.body, began.tick);
  if (!type || player === null || player === undefined) return [];

  const kills = live.kills.filter((kill) => kill.attacker === player && kill.tick > began.tick);
  const moments = [...kills.map((kill) => killMoment(kill, live.kills)), ...defuses(live, player, began.tick)];
  moments.sort((a, b) => a.tick - b.tick);
  return [
    {
      type,
      round: live.round.number,
      player,
      moments,
      startTick: began.tick,
      endTick: moments.at(-1)?.tick ?? live.round.endTick,
      victims: kills.map((kill) => kill.victim),
    },
  ];
}

/** When the team had one body left, and which; null when it never had. */
function lastOneStanding(live: LiveRound, team: TeamIndex): { body: PlayerIndex; tick: number } | null {
  const ticks = [
    live.round.freezeEndTick,
    ...live.lives.losses.filter((loss) => loss.team === team).map((loss) => loss.tick),
  ];
  for (const tick of ticks) {
    const [body, ...others] = livingAfter(live.lives, team, tick);
    if (body !== undefined && others.length === 0) return { body, tick };
  }
  return null;
}

/** Who fights in the body: itself, the person who took the bot over, or nobody we would name (null). */
function personIn(live: LiveRound, team: TeamIndex, body: PlayerIndex, tick: number): PlayerIndex | null {
  if (!live.record.players[body]?.isBot) return body;
  const isTeamMate = (player: PlayerIndex | null): player is PlayerIndex =>
    player !== null && hasHighlights(live.record, player) && live.record.players[player]?.team === team;
  const acts = [
    ...live.lives.losses.filter((loss) => loss.body === body),
    ...live.kills.filter((kill) => kill.attackerControlsBot).map(({ tick, attacker }) => ({ tick, player: attacker })),
    ...defusesOf(live),
  ];
  const ownActs = acts.filter((act) => act.tick > tick && isTeamMate(act.player));
  return ownActs.sort((a, b) => a.tick - b.tick)[0]?.player ?? null;
}

function defuses(live: LiveRound, player: PlayerIndex, afterTick: number): HighlightMoment[] {
  return defusesOf(live)
    .filter((defuse) => defuse.player === player && defuse.tick > afterTick)
    .map(({ tick }) => defuseMoment(tick));
}
