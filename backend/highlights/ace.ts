import type { CountedKill } from "./counted-kills.ts";
import type { FoundHighlight } from "./highlight.ts";
import { killHighlight, type LiveRound, teamOfKill } from "./live-round.ts";

/** One player kills every opponent who was alive at freeze end, at least five, and nobody comes to life again. */
export function findAces(live: LiveRound): FoundHighlight[] {
  if (live.round.respawns) return [];
  return live.killsByPlayer
    .filter(([, kills]) => killedWholeTeam(live, kills))
    .map(([, kills]) => killHighlight("ace", live, kills));
}

function killedWholeTeam(live: LiveRound, kills: readonly CountedKill[]): boolean {
  const [first] = kills;
  if (!first) return false;
  const opponents = live.round.aliveAtFreezeEnd[teamOfKill(live, first) === 0 ? 1 : 0];
  const killed = new Set(kills.map((kill) => bodyOf(live, kill)));
  return killed.size >= 5 && opponents.length > 0 && opponents.every((body) => killed.has(body));
}

/** A person who has taken over a bot dies in the bot's body. */
function bodyOf(live: LiveRound, kill: CountedKill) {
  return live.lives.losses.find((loss) => loss.player === kill.victim && loss.tick === kill.tick)?.body ?? kill.victim;
}
