import { detectHighlights } from "../../backend/highlights/index.ts";
import { highlightTypes } from "../../contract/highlight-types.ts";
import { weaponByEventName, weaponName } from "../../contract/weapons.ts";
import type { MatchRecord, RecordedKill, RecordedRound, RoundEndReason, Side } from "../../replay/match-record.ts";
import { analyzerHighlights, type ComparedHighlight } from "./analyzer-highlights.ts";
import type { AnalyzerKill, AnalyzerMatch, AnalyzerRound } from "./analyzer-match.ts";
import {
  type Difference,
  explainHighlight,
  explainKill,
  explainKillField,
  explainRound,
  explainRoundField,
  steamIdOf,
} from "./explanations.ts";

/** How many items both sides could agree on, and on how many they do. */
export interface Agreement {
  what: string;
  ours: number;
  theirs: number;
  equal: number;
}

export interface Comparison {
  kills: Agreement[];
  rounds: Agreement[];
  clutches: Agreement;
  highlights: Agreement[];
  differences: Difference[];
}

/**
 * Compares a match record and its highlights with the independent analyzer's findings in the same demo. Without the analyzer's shots and
 * damage (a stored summary), one taps are left out.
 */
export function compare(record: MatchRecord, analyzed: AnalyzerMatch): Comparison {
  const theirs = withOurNumbers(record, analyzed);
  const kills = compareKills(record, theirs);
  const rounds = compareRounds(record, analyzed);
  const highlights = compareHighlights(record, theirs);
  return {
    kills: kills.agreements,
    rounds: rounds.agreements,
    clutches: highlights.clutches,
    highlights: highlights.agreements,
    differences: [...kills.differences, ...rounds.differences, ...highlights.differences],
  };
}

type KillField = [
  name: string,
  ours: (record: MatchRecord, kill: RecordedKill) => unknown,
  theirs: (kill: AnalyzerKill) => unknown,
];

const killFields: KillField[] = [
  ["round", (_, kill) => kill.round, (kill) => kill.round],
  ["attacker", (record, kill) => steamIdOf(record, kill.attacker), (kill) => kill.attacker],
  ["weapon", (_, kill) => sharedWeaponName(kill.weapon), (kill) => theirWeaponName(kill.weapon)],
  ["assister", (record, kill) => steamIdOf(record, kill.assister), (kill) => kill.assister],
  ["headshot", (_, kill) => kill.headshot, (kill) => kill.headshot],
  ["penetrated", (_, kill) => kill.penetrated, (kill) => kill.penetrated],
  ["noScope", (_, kill) => kill.noScope, (kill) => kill.noScope],
  ["throughSmoke", (_, kill) => kill.throughSmoke, (kill) => kill.throughSmoke],
  ["attackerInAir", (_, kill) => kill.attackerInAir, (kill) => kill.attackerInAir],
  ["attackerBlind", (_, kill) => kill.attackerBlind, (kill) => kill.attackerBlind],
];

/** The analyzer knows only one knife, and names a fire by its grenade, where the kill event says `inferno`. */
function sharedWeaponName(event: string): string {
  const category = weaponByEventName(event)?.category;
  if (category === "knife") return "Knife";
  if (category === "fire" || /^(molotov|incgrenade)$/.test(event)) return "Fire";
  return weaponName(event);
}

function theirWeaponName(name: string): string {
  const same: Record<string, string> = {
    M4A1: "M4A1-S",
    "CZ75 Auto": "CZ75-Auto",
    Unknown: weaponName("unknown"),
    Molotov: "Fire",
    "Incendiary Grenade": "Fire",
  };
  return same[name] ?? name;
}

function compareKills(record: MatchRecord, theirs: AnalyzerMatch) {
  const ours = record.kills.filter((kill) => kill.round > 0);
  const left = [...theirs.kills];
  const pairs: [RecordedKill, AnalyzerKill][] = [];
  const differences: Difference[] = [];
  for (const kill of ours) {
    const victim = steamIdOf(record, kill.victim);
    const index = left.findIndex((other) => other.tick === kill.tick && other.victim === victim);
    if (index >= 0) pairs.push([kill, left.splice(index, 1)[0]!]);
    else differences.push(explainKill(record, { ours: kill }));
  }
  for (const kill of left) differences.push(explainKill(record, { theirs: kill }));
  const agreements: Agreement[] = [
    { what: "tick and victim", ours: ours.length, theirs: theirs.kills.length, equal: pairs.length },
  ];
  for (const [what, ofOurs, ofTheirs] of killFields) {
    const unequal = pairs.filter(([kill, other]) => ofOurs(record, kill) !== ofTheirs(other));
    agreements.push({ what, ours: pairs.length, theirs: pairs.length, equal: pairs.length - unequal.length });
    for (const [kill, other] of unequal) {
      differences.push(explainKillField(record, what, kill, { ours: ofOurs(record, kill), theirs: ofTheirs(other) }));
    }
  }
  return { agreements, differences };
}

/** RoundEndReason_t of the game, as the analyzer gives it. */
const endReasons: Record<number, RoundEndReason> = {
  1: "target_bombed",
  7: "bomb_defused",
  8: "ct_eliminated_t",
  9: "t_eliminated_ct",
  10: "draw",
  11: "hostages_rescued",
  12: "time_ran_out",
  13: "hostages_not_rescued",
  17: "t_surrendered",
  18: "ct_surrendered",
};

function winnerSide(round: RecordedRound): Side | null {
  return round.winner === null ? null : round.sides[round.winner];
}

/** Pairs rounds that are the same part of the recording, whatever number each side gives them. */
function pairRounds(record: MatchRecord, theirs: AnalyzerMatch): [RecordedRound, AnalyzerRound][] {
  return record.rounds.flatMap((round): [RecordedRound, AnalyzerRound][] => {
    const other = theirs.rounds.find(({ freezeEndTick }) => Math.abs(freezeEndTick - round.freezeEndTick) <= 1);
    return other ? [[round, other]] : [];
  });
}

/**
 * The analyzer's findings under our round numbers, so that one difference in numbering does not become one in everything. Rounds that we do
 * not have get negative numbers.
 */
function withOurNumbers(record: MatchRecord, theirs: AnalyzerMatch): AnalyzerMatch {
  const numbers = new Map(pairRounds(record, theirs).map(([round, other]) => [other.number, round.number]));
  const ours = (number: number) => numbers.get(number) ?? -number;
  return {
    ...theirs,
    rounds: theirs.rounds.map((round) => ({ ...round, number: ours(round.number) })),
    kills: theirs.kills.map((kill) => ({ ...kill, round: ours(kill.round) })),
    clutches: theirs.clutches.map((clutch) => ({ ...clutch, round: ours(clutch.round) })),
    defuses: theirs.defuses.map((defuse) => ({ ...defuse, round: ours(defuse.round) })),
  };
}

function compareRounds(record: MatchRecord, theirs: AnalyzerMatch) {
  const pairs = pairRounds(record, theirs);
  const differences: Difference[] = [];
  const agreements: Agreement[] = [
    { what: "the round itself", ours: record.rounds.length, theirs: theirs.rounds.length, equal: pairs.length },
  ];
  const fields: [string, (round: RecordedRound) => unknown, (round: AnalyzerRound) => unknown][] = [
    ["number", (round) => round.number, (round) => round.number],
    ["freeze end", (round) => round.freezeEndTick, (round) => round.freezeEndTick],
    ["end", (round) => round.endTick, (round) => round.endTick],
    ["winner", winnerSide, (round) => ({ 2: "T", 3: "CT" })[round.winnerSide] ?? null],
    ["reason", (round) => round.reason, (round) => endReasons[round.endReason] ?? "unknown"],
    ["overtime", (round) => round.overtime, (round) => round.overtime],
  ];
  for (const [what, ofOurs, ofTheirs] of fields) {
    const unequal = pairs.filter(([round, other]) => ofOurs(round) !== ofTheirs(other));
    agreements.push({ what, ours: pairs.length, theirs: pairs.length, equal: pairs.length - unequal.length });
    for (const [round, other] of unequal) {
      differences.push(explainRoundField(what, round, { ours: ofOurs(round), theirs: ofTheirs(other) }));
    }
  }
  const alone = record.rounds.filter((round) => !pairs.some(([ours]) => ours === round));
  const theirsAlone = theirs.rounds.filter((round) => !pairs.some(([, other]) => other === round));
  differences.push(...alone.map((ours) => explainRound(record, { ours })));
  differences.push(...theirsAlone.map((round) => explainRound(record, { theirs: round })));
  return { agreements, differences };
}

function compareHighlights(record: MatchRecord, theirs: AnalyzerMatch) {
  const comparable = (type: string) => theirs.shots !== null || type !== "one_tap";
  const ours = detectHighlights(record)
    .filter(({ type }) => comparable(type))
    .map(
      ({ type, round, player, startTick }): ComparedHighlight => ({
        type,
        round,
        player: steamIdOf(record, player),
        tick: startTick,
      }),
    );
  const others = analyzerHighlights(theirs);
  const left = [...others];
  const equal: ComparedHighlight[] = [];
  const differences: Difference[] = [];
  for (const highlight of ours) {
    const index = left.findIndex((other) => key(other) === key(highlight));
    if (index >= 0) equal.push(...left.splice(index, 1));
    else differences.push(explainHighlight(record, theirs, { ours: highlight }));
  }
  for (const highlight of left) differences.push(explainHighlight(record, theirs, { theirs: highlight }));
  const count = (list: readonly ComparedHighlight[], of: (type: string) => boolean) =>
    list.filter(({ type }) => of(type)).length;
  const agreement = (what: string, of: (type: string) => boolean): Agreement => {
    return { what, ours: count(ours, of), theirs: count(others, of), equal: count(equal, of) };
  };
  return {
    agreements: highlightTypes.filter(comparable).map((type) => agreement(type, (other) => other === type)),
    clutches: agreement("won clutches against two or more", (type) => type.startsWith("clutch_")),
    differences,
  };
}

function key({ type, round, player, tick }: ComparedHighlight): string {
  return `${type}/${round}/${player}/${tick}`;
}
