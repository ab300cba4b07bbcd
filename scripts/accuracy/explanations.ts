import { detectHighlights } from "../../backend/highlights/index.ts";
import { unknownWeapon, weaponByEventName } from "../../contract/weapons.ts";
import type {
  MatchRecord,
  PlayerIndex,
  RecordedBlind,
  RecordedKill,
  RecordedRound,
} from "../../replay/match-record.ts";
import type { ComparedHighlight } from "./analyzer-highlights.ts";
import type { AnalyzerKill, AnalyzerMatch, AnalyzerRound } from "./analyzer-match.ts";

/** One difference between the two sides. */
export interface Difference {
  where: string;
  ours: string;
  theirs: string;
  /** The reason, if it is a known difference between the two; null if it is not explained yet. */
  why: string | null;
}

const inAirWhy =
  "The kill event says `attackerinair`. The analyzer reads the pawn's state instead, and in a scripted demo the pawn only leaves the ground in that same packet.";

const replacedWhy =
  "From a run of the round that a restart or a restored backup replaced. The analyzer keeps that run as a separate round.";
const stopsWhy = "The recording stops in this round. The analyzer keeps only decided rounds.";
const unknownWeaponWhy =
  "The kill event names no weapon that exists. We show it as unknown; the analyzer looks at what the player holds.";
const numberingWhy = "The analyzer does not reset its round numbers after a restart or a restored backup.";

const withoutKillWhy =
  "The clutch began without a kill event in the analyzer's data (a disconnect, a player killed by their own grenade, the start of the round). The analyzer only considers kill events.";

/** Why only one side has a round. */
export function explainRound(record: MatchRecord, round: { ours?: RecordedRound; theirs?: AnalyzerRound }): Difference {
  const number = (round.ours ?? round.theirs)!.number;
  return {
    where: `round ${number}`,
    ours: round.ours ? "a round" : "none",
    theirs: round.theirs ? "a round" : "none",
    why: round.ours ? (round.ours.finished ? null : stopsWhy) : whyRoundIsTheirs(record, round.theirs!),
  };
}

function whyRoundIsTheirs(record: MatchRecord, round: AnalyzerRound): string | null {
  if (round.endTick <= round.freezeEndTick || round.freezeEndTick <= round.startTick) {
    return "A team surrendered in freeze time: nothing was played. The analyzer counts this as a round.";
  }
  return isReplaced(record, round) ? replacedWhy : null;
}

/** Whether the match continued after it with a round of the same or a lower number. */
function isReplaced(record: MatchRecord, { number, freezeEndTick }: AnalyzerRound): boolean {
  return record.rounds.some((round) => round.freezeEndTick > freezeEndTick && round.number <= number);
}

/** Why the two sides disagree about a round that both have. */
export function explainRoundField(
  field: string,
  round: RecordedRound,
  values: { ours: unknown; theirs: unknown },
): Difference {
  return {
    where: `round ${round.number}, ${field}`,
    ours: String(values.ours),
    theirs: String(values.theirs),
    why: field === "number" && Number(values.theirs) > Number(values.ours) ? numberingWhy : null,
  };
}

/** Why only one side has a kill. */
export function explainKill(record: MatchRecord, kill: { ours?: RecordedKill; theirs?: AnalyzerKill }): Difference {
  if (kill.ours) {
    const { tick, round, weapon } = kill.ours;
    return {
      where: `kill at tick ${tick}`,
      ours: `round ${round}, ${weapon}`,
      theirs: "none",
      why: whyKillIsOurs(record, kill.ours),
    };
  }
  const { tick, round } = kill.theirs!;
  const recorded = record.kills.find((candidate) => candidate.tick === tick);
  return {
    where: `kill at tick ${tick}`,
    ours: recorded?.round === 0 ? "outside every round" : "none",
    theirs: `round ${Math.abs(round)}`,
    why: recorded?.round === 0 ? outsideWhy(record, tick) : null,
  };
}

function whyKillIsOurs(record: MatchRecord, kill: RecordedKill): string | null {
  const round = record.rounds.find(({ number }) => number === kill.round);
  if (round && !round.finished) return stopsWhy;
  if (round && kill.tick > round.endTick) return "After `round_end`: recorded for the kill feed, but not counted.";
  const category = weaponByEventName(kill.weapon)?.category;
  if (category === "grenade" || category === "fire") {
    return "The analyzer drops kills for which it finds no weapon entity (“kill event without weapon”): grenades in scripted demos.";
  }
  return null;
}

function outsideWhy(record: MatchRecord, tick: number): string | null {
  const first = record.rounds[0];
  if (first && tick < first.startTick) {
    return "Before the first counted round: warm-up, a knife round, or a match that was restarted. The analyzer counts these kills.";
  }
  return replacedWhy;
}

/** Why the two sides disagree about a kill that both have. */
export function explainKillField(
  record: MatchRecord,
  field: string,
  kill: RecordedKill,
  values: { ours: unknown; theirs: unknown },
): Difference {
  const why: Partial<Record<string, string>> = {
    attackerInAir: kill.attackerInAir ? inAirWhy : undefined,
    attackerBlind: isInsideFlash(record, kill)
      ? "The kill event and `player_blind` both say that the attacker was blind. The analyzer reads the pawn's state, which in a scripted demo is cleared when the first of several flashes ends."
      : undefined,
    weapon: kill.weapon === unknownWeapon ? unknownWeaponWhy : undefined,
    attacker:
      kill.attacker === null && values.theirs !== "0"
        ? "Killed by the world or the bomb. The analyzer names the planter."
        : undefined,
  };
  return {
    where: `kill at tick ${kill.tick} (round ${kill.round}), ${field}`,
    ours: String(values.ours),
    theirs: String(values.theirs),
    why: why[field] ?? null,
  };
}

function isInsideFlash(record: MatchRecord, { attacker, tick, attackerBlind }: RecordedKill): boolean {
  const lasts = (blind: RecordedBlind) => blind.tick < tick && tick < blind.tick + blind.seconds * record.tickRate;
  return attackerBlind && record.blinds.some((blind) => blind.victim === attacker && lasts(blind));
}

/** Why only one side has a highlight. */
export function explainHighlight(
  record: MatchRecord,
  match: AnalyzerMatch,
  highlight: { ours?: ComparedHighlight; theirs?: ComparedHighlight },
): Difference {
  const { type, round, tick } = (highlight.ours ?? highlight.theirs)!;
  const describe = (found?: ComparedHighlight) => (found ? found.type : "none");
  return {
    where: `${type} in round ${Math.abs(round)} at tick ${tick}`,
    ours: describe(highlight.ours),
    theirs: describe(highlight.theirs),
    why: highlight.ours ? whyOursAlone(record, match, highlight.ours) : whyTheirsAlone(record, highlight.theirs!),
  };
}

function whyOursAlone(record: MatchRecord, match: AnalyzerMatch, found: ComparedHighlight): string | null {
  const { type, round: number, tick } = found;
  const round = record.rounds.find((candidate) => candidate.number === number);
  if (type === "midair_kill") return inAirWhy;
  if (round && !round.finished) return stopsWhy;
  const isMissingThere = record.kills.some(
    (kill) =>
      kill.round === number &&
      !match.kills.some(({ tick, victim }) => tick === kill.tick && victim === steamIdOf(record, kill.victim)),
  );
  if (type.startsWith("clutch_")) {
    if (!match.kills.some((kill) => kill.tick === tick)) return withoutKillWhy;
    if (record.kills.some((kill) => kill.round === number && kill.attackerControlsBot)) {
      return "The player had taken over a bot, which the analyzer still counts as alive, so it finds nobody to be the last one.";
    }
  }
  return isMissingThere ? "Based on a kill that the analyzer dropped, see above." : null;
}

function whyTheirsAlone(record: MatchRecord, { type, round, player, tick }: ComparedHighlight): string | null {
  const kill = record.kills.find((candidate) => candidate.tick === tick);
  if (kill?.round === 0) return outsideWhy(record, tick);
  if (kill && kill.weapon === unknownWeapon) return unknownWeaponWhy;
  if (type === "ace" && record.rounds.some(({ number, respawns }) => number === round && respawns)) {
    return "Players respawned in this round, so five kills do not mean that a whole team was killed.";
  }
  if (type.startsWith("clutch_") && clutchBefore(record, { round, player, tick })) return withoutKillWhy;
  if (type === "one_tap" && kill && record.players[kill.victim]?.isBot) {
    return "The victim is a bot, and demoparser2 does not name bots in damage events, so full health cannot be proved.";
  }
  return null;
}

/** Whether the player's clutch had begun before that tick. */
function clutchBefore(record: MatchRecord, { round, player, tick }: Omit<ComparedHighlight, "type">): boolean {
  return detectHighlights(record).some(
    (found) =>
      found.type.startsWith("clutch_") &&
      found.round === round &&
      found.startTick < tick &&
      steamIdOf(record, found.player) === player,
  );
}

/** SteamID in the analyzer's form: "0" for bots, the world and nobody. */
export function steamIdOf(record: MatchRecord, player: PlayerIndex | null): string {
  return (player === null ? null : record.players[player]?.steamId) ?? "0";
}
