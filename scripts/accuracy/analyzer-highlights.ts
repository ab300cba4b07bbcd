import type { HighlightType } from "../../contract/highlight-types.ts";
import type { AnalyzerKill, AnalyzerMatch, AnalyzerRound } from "./analyzer-match.ts";

/** A highlight in the terms both sides share. */
export interface ComparedHighlight {
  type: HighlightType;
  round: number;
  /** SteamID. */
  player: string;
  /** First kill, defuse, or the start of the clutch. */
  tick: number;
}

const tickRate = 64;
const snipersWithScope = ["AWP", "SSG 08", "SCAR-20", "G3SG1"];
const grenades = ["HE Grenade", "Flashbang", "Smoke Grenade", "Decoy Grenade"];
const fires = ["Molotov", "Incendiary Grenade"];
const nothingForOneTap = [
  "Knife",
  "Zeus x27",
  ...snipersWithScope,
  "Nova",
  "XM1014",
  "MAG-7",
  "Sawed-Off",
  "World",
  "C4",
];
const noBullets = ["Knife", "Zeus x27", ...grenades, ...fires, "C4"];

/**
 * The highlights that follow from the analyzer's kills, rounds, clutches, shots and damage by the rules of docs/highlights.md. For
 * comparison they are determined a second time and from other sources than in `backend/highlights`. Aces are derived from the number of
 * kills, so an ace against six is not distinguished; bots (SteamID 0) have none.
 */
export function analyzerHighlights(match: AnalyzerMatch): ComparedHighlight[] {
  return [
    ...match.rounds.flatMap((round) => highlightsOfKills(match, round)),
    ...match.clutches
      .filter(({ won, opponents, player }) => won && opponents >= 2 && opponents <= 5 && player !== "0")
      .map(({ round, tick, player, opponents }) => ({
        type: `clutch_1v${opponents}` as HighlightType,
        round,
        player,
        tick,
      })),
    ...match.defuses
      .filter(({ terroristsAlive, player }) => terroristsAlive > 0 && player !== "0")
      .map(({ round, tick, player }) => ({ type: "ninja_defuse" as const, round, player, tick })),
  ];
}

function highlightsOfKills(match: AnalyzerMatch, round: AnalyzerRound): ComparedHighlight[] {
  const byPlayer = new Map<string, AnalyzerKill[]>();
  for (const kill of match.kills) {
    const isLive = kill.round === round.number && kill.tick >= round.freezeEndTick && kill.tick <= round.endTick;
    if (!isLive || kill.attacker === "0" || kill.attacker === kill.victim || kill.attackerSide === kill.victimSide)
      continue;
    byPlayer.set(kill.attacker, [...(byPlayer.get(kill.attacker) ?? []), kill]);
  }
  return [...byPlayer].flatMap(([player, kills]) => {
    kills.sort((a, b) => a.tick - b.tick);
    const types: [HighlightType, number][] = [
      ...multiKill(kills),
      ...headshotStreak(kills),
      ...(Object.entries(specialKills(match)) as [HighlightType, (kill: AnalyzerKill) => boolean][]).flatMap(
        ([type, isSpecial]) => bullets(kills.filter(isSpecial)).map((tick): [HighlightType, number] => [type, tick]),
      ),
    ];
    return types.map(([type, tick]) => ({ type, round: round.number, player, tick }));
  });
}

function multiKill(kills: readonly AnalyzerKill[]): [HighlightType, number][] {
  const first = kills[0]!.tick;
  if (kills.length >= 5) return [["ace", first]];
  if (kills.length === 4) return [["quad_kill", first]];
  if (kills.length === 3) return [["triple_kill", first]];
  if (kills.length === 2 && kills[1]!.tick - first <= 2 * tickRate) return [["multi_kill", first]];
  return [];
}

function headshotStreak(kills: readonly AnalyzerKill[]): [HighlightType, number][] {
  const found: [HighlightType, number][] = [];
  let row: AnalyzerKill[] = [];
  for (const kill of kills) {
    row = kill.headshot ? [...row, kill] : [];
    if (row.length === 3) found.push(["headshot_streak", row[0]!.tick]);
  }
  return found;
}

/** Ticks of the kills; those of one bullet or explosion count once. */
function bullets(kills: readonly AnalyzerKill[]): number[] {
  return kills
    .filter(
      (kill, index) => !kills.slice(0, index).some(({ tick, weapon }) => tick === kill.tick && weapon === kill.weapon),
    )
    .map(({ tick }) => tick);
}

function specialKills(match: AnalyzerMatch): Partial<Record<HighlightType, (kill: AnalyzerKill) => boolean>> {
  return {
    knife_kill: ({ weapon }) => /knife|bayonet/i.test(weapon),
    taser_kill: ({ weapon }) => weapon === "Zeus x27",
    wallbang: ({ penetrated }) => penetrated > 0,
    no_scope: ({ noScope, weapon }) => noScope && snipersWithScope.includes(weapon),
    through_smoke: ({ throughSmoke }) => throughSmoke,
    midair_kill: ({ attackerInAir }) => attackerInAir,
    nade_kill: ({ weapon }) => grenades.includes(weapon),
    molly_kill: ({ weapon }) => fires.includes(weapon),
    one_tap: (kill) => isOneTap(match, kill),
  };
}

/** From the analyzer's records of the victim's health before the hit, and of the attacker's shots. */
function isOneTap({ shots, damages }: AnalyzerMatch, kill: AnalyzerKill): boolean {
  if (!shots || !damages || !kill.headshot || nothingForOneTap.includes(kill.weapon)) return false;
  const hits = damages.filter(({ tick, victim }) => tick === kill.tick && victim === kill.victim);
  if (hits.length !== 1 || hits[0]!.attacker !== kill.attacker || hits[0]!.healthBefore < 100) return false;
  const own = shots.filter(({ player, weapon }) => player === kill.attacker && !noBullets.includes(weapon));
  const last = Math.max(...own.filter(({ tick }) => tick <= kill.tick).map(({ tick }) => tick));
  return kill.tick - last <= 2 && !own.some(({ tick }) => tick < last && tick > last - tickRate);
}
