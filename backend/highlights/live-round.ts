import type { HighlightType } from "../../contract/highlight-types.ts";
import type { MatchRecord, PlayerIndex, RecordedRound, TeamIndex } from "../../replay/match-record.ts";
import { isLive, type RoundLives, roundLives } from "../../replay/round-lives.ts";
import { type CountedKill, countedKills, killMoment, killsByPlayer, teamOnSide } from "./counted-kills.ts";
import type { FoundHighlight, HighlightMoment } from "./highlight.ts";

/** The live part of one round, as detectors look at it. */
export interface LiveRound {
  record: MatchRecord;
  round: RecordedRound;
  /** Counted kills in tick order. */
  kills: CountedKill[];
  killsByPlayer: [PlayerIndex, CountedKill[]][];
  lives: RoundLives;
}

/** A detector: every highlight of its type in one round. */
export type Detector = (live: LiveRound) => FoundHighlight[];

export function liveRound(record: MatchRecord, round: RecordedRound): LiveRound {
  const kills = countedKills(record, round);
  return { record, round, kills, killsByPlayer: killsByPlayer(kills), lives: roundLives(record, round) };
}

/** The roster a kill was made for. */
export function teamOfKill(live: LiveRound, kill: CountedKill): TeamIndex {
  return teamOnSide(live.round, kill.attackerSide!);
}

/** Defuses in the live part of the round, in tick order; what a broken recording says again is left out. */
export function defusesOf({ record, round }: LiveRound): { tick: number; player: PlayerIndex }[] {
  const ofRound = record.bomb.flatMap(({ kind, tick, player }) =>
    kind === "defused" && player !== null && isLive(round, tick) ? [{ tick, player }] : [],
  );
  return ofRound.filter(
    (defuse, place) =>
      ofRound.findIndex(({ tick, player }) => tick === defuse.tick && player === defuse.player) === place,
  );
}

/** A defuse as highlights list it. */
export function defuseMoment(tick: number): HighlightMoment {
  return { tick, kind: "defuse", weapon: "c4", flags: [], victim: null };
}

/**
 * A highlight made of kills.
 * @param kills one player's, at least one, in tick order
 */
export function killHighlight(type: HighlightType, live: LiveRound, kills: readonly CountedKill[]): FoundHighlight {
  const [first] = kills;
  const last = kills.at(-1);
  if (!first || !last) throw new Error("A highlight of kills needs a kill.");
  return {
    type,
    round: live.round.number,
    player: first.attacker,
    moments: kills.map((kill) => killMoment(kill, live.kills)),
    startTick: first.tick,
    endTick: last.tick,
    victims: kills.map((kill) => kill.victim),
  };
}
