import type { HighlightType } from "../../contract/highlight-types.ts";
import type { MatchRecord, PlayerIndex, RecordedRound, TeamIndex } from "../../replay/match-record.ts";
import { isLive, type RoundLives, roundLives } from "../../replay/round-lives.ts";
import { type CountedKill, countedKills, killMoment, killsByPlayer, teamOnSide } from "./counted-kills.ts";
import type { FoundHighlight, HighlightMoment } from "./highlight.ts";

/** The live part of a round, as input of detectors. */
export interface LiveRound {
  record: MatchRecord;
  round: RecordedRound;
  /** Counted kills in tick order. */
  kills: CountedKill[];
  killsByPlayer: [PlayerIndex, CountedKill[]][];
  lives: RoundLives;
}

/** A detector: finds every highlight of its type in one round. */
export type Detector = (live: LiveRound) => FoundHighlight[];

export function liveRound(record: MatchRecord, round: RecordedRound): LiveRound {
  const kills = countedKills(record, round);
  return { record, round, kills, killsByPlayer: killsByPlayer(kills), lives: roundLives(record, round) };
}

/** The roster for which a kill was made. */
export function teamOfKill(live: LiveRound, kill: CountedKill): TeamIndex {
  return teamOnSide(live.round, kill.attackerSide!);
}

/** Defuses in the live part of the round, in tick order, without repetitions in a broken recording. */
export function defusesOf({ record, round }: LiveRound): { tick: number; player: PlayerIndex }[] {
  const ofRound = record.bomb.flatMap(({ kind, tick, player }) =>
    kind === "defused" && player !== null && isLive(round, tick) ? [{ tick, player }] : [],
  );
  return ofRound.filter(
    (defuse, place) =>
      ofRound.findIndex(({ tick, player }) => tick === defuse.tick && player === defuse.player) === place,
  );
}

/** A defuse as listed in highlights. */
export function defuseMoment(tick: number): HighlightMoment {
  return { tick, kind: "defuse", weapon: "c4", flags: [], victim: null };
}

/**
 * A highlight that consists of kills.
 * @param kills of one player, at least one, in tick order
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
