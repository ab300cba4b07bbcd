import type { MatchRecord, RecordedKill } from "../../replay/match-record.ts";
import type { ComparedHighlight } from "./analyzer-highlights.ts";
import type { AnalyzerKill, AnalyzerMatch } from "./analyzer-match.ts";

/** One thing the two sides do not agree on. */
export interface Difference {
  where: string;
  ours: string;
  theirs: string;
  /** Why, when it is a known way in which the two differ; null when nobody knows yet. */
  why: string | null;
}

const inAirWhy =
  "The kill event says `attackerinair`; the analyzer looks at the pawn instead, which in a written demo leaves the ground only in the same packet.";

/** Why one side has a kill the other has not. */
export function explainKill(record: MatchRecord, kill: { ours?: RecordedKill; theirs?: AnalyzerKill }): Difference {
  if (kill.ours) {
    const round = record.rounds.find(({ number }) => number === kill.ours!.round);
    const isAfterEnd = round !== undefined && kill.ours.tick > round.endTick;
    return {
      where: `kill at tick ${kill.ours.tick}`,
      ours: `round ${kill.ours.round}`,
      theirs: "none",
      why: isAfterEnd ? "After `round_end`: recorded for the kill feed, counted for nothing." : null,
    };
  }
  const { tick, round } = kill.theirs!;
  const recorded = record.kills.find((candidate) => candidate.tick === tick);
  return {
    where: `kill at tick ${tick}`,
    ours: recorded?.round === 0 ? "outside every round" : "none",
    theirs: `round ${round}`,
    why: recorded?.round === 0 ? outsideWhy(record, tick) : null,
  };
}

function outsideWhy(record: MatchRecord, tick: number): string | null {
  const first = record.rounds[0];
  if (first && tick < first.startTick) {
    return "Before the first counted round: warm-up or a knife round. The analyzer adds a knife round's kills to round 1.";
  }
  return "In a run of the round that was replaced by a restart or a restored backup.";
}

/** Why the two sides disagree about a kill both have. */
export function explainKillField(
  field: string,
  kill: RecordedKill,
  values: { ours: unknown; theirs: unknown },
): Difference {
  const why: Partial<Record<string, string>> = {
    attackerInAir: kill.attackerInAir ? inAirWhy : undefined,
    attackerBlind:
      "Ours is `attackerblind` of the kill event; the analyzer works it out from when its last flash should have worn off.",
    attacker:
      kill.attacker === null && values.theirs !== "0"
        ? "The world or the bomb killed; the analyzer names the planter."
        : undefined,
  };
  return {
    where: `kill at tick ${kill.tick} (round ${kill.round}), ${field}`,
    ours: String(values.ours),
    theirs: String(values.theirs),
    why: why[field] ?? null,
  };
}

/** Why one side has a highlight the other has not. */
export function explainHighlight(
  record: MatchRecord,
  match: AnalyzerMatch,
  highlight: { ours?: ComparedHighlight; theirs?: ComparedHighlight },
): Difference {
  const { type, round, tick } = (highlight.ours ?? highlight.theirs)!;
  const describe = (found?: ComparedHighlight) => (found ? found.type : "none");
  return {
    where: `${type} in round ${round} at tick ${tick}`,
    ours: describe(highlight.ours),
    theirs: describe(highlight.theirs),
    why: highlight.ours ? whyOursAlone(record, match, highlight.ours) : whyTheirsAlone(record, highlight.theirs!),
  };
}

function whyOursAlone(
  record: MatchRecord,
  match: AnalyzerMatch,
  { type, round: number, tick }: ComparedHighlight,
): string | null {
  const round = record.rounds.find((candidate) => candidate.number === number);
  if (type === "midair_kill") return inAirWhy;
  if (type.startsWith("clutch_") && !match.kills.some((kill) => kill.tick === tick)) {
    return "The clutch began with a death that is no kill event (a disconnect, or the start of the round); the analyzer looks at kill events only.";
  }
  if (round && !round.finished) return "The recording stops in this round; the analyzer keeps decided rounds only.";
  return null;
}

function whyTheirsAlone(record: MatchRecord, { type, round: number, tick }: ComparedHighlight): string | null {
  const kill = record.kills.find((candidate) => candidate.tick === tick);
  if (kill?.round === 0 && number === 1) return outsideWhy(record, tick);
  if (type === "one_tap" && kill && record.players[kill.victim]?.isBot) {
    return "The victim is a bot, and demoparser2 names no bots in damage events: that it was at full health cannot be proved.";
  }
  return null;
}
