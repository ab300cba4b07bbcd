import type { PlayerIndex, RecordedKill } from "../../replay/match-record.ts";
import { isLive } from "../../replay/round-lives.ts";
import type { CountedKill } from "./counted-kills.ts";
import type { FoundHighlight } from "./highlight.ts";
import { killHighlight, type LiveRound } from "./live-round.ts";

const minStreak = 3;

/** At least three consecutive counted kills of a player, all of them headshots. */
export function findHeadshotStreaks(live: LiveRound): FoundHighlight[] {
  return live.killsByPlayer.flatMap(([player, kills]) =>
    headshotRuns(kills, breakingTicks(live, player, kills))
      .filter((run) => run.length >= minStreak)
      .map((run) => killHighlight("headshot_streak", live, run)),
  );
}

/** Ticks of the player's kills that interrupt a streak: body kills, and kills that do not count. */
function breakingTicks(live: LiveRound, player: PlayerIndex, kills: readonly CountedKill[]): number[] {
  const isOfPlayer = (kill: RecordedKill) => kill.attacker === player && kill.victim !== player;
  return live.record.kills
    .filter((kill) => isOfPlayer(kill) && isLive(live.round, kill.tick))
    .filter((kill) => !kill.headshot || !kills.some((counted) => isSameDeath(counted, kill)))
    .map((kill) => kill.tick);
}

/** A broken recording may report a death twice, of which only one counts. */
function isSameDeath(a: RecordedKill, b: RecordedKill): boolean {
  return a.tick === b.tick && a.victim === b.victim;
}

/** A bullet that kills one player by the head and another by the body ends the run, whichever event came first. */
function headshotRuns(kills: readonly CountedKill[], breaks: readonly number[]): CountedKill[][] {
  const runs: CountedKill[][] = [];
  for (const kill of kills.filter(({ tick }) => !breaks.includes(tick))) {
    const run = runs.at(-1);
    const previous = run?.at(-1);
    const goesOn = previous && !breaks.some((tick) => tick > previous.tick && tick < kill.tick);
    if (run && goesOn) run.push(kill);
    else runs.push([kill]);
  }
  return runs;
}
