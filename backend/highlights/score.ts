import type { HighlightType } from "../../contract/highlight-types.ts";
import type { KillFlag } from "../../contract/kill-flags.ts";
import { weaponByEventName } from "../../contract/weapons.ts";
import type { MatchRecord, RecordedRound } from "../../replay/match-record.ts";
import { teamInRound } from "../../replay/round-lives.ts";
import type { FoundHighlight, HighlightMoment } from "./highlight.ts";
import { isLostBy, type RoundImportance, roundImportance } from "./round-importance.ts";

/** Points of a type by itself. docs/highlights.md has them for players: change both. */
const typePoints: Record<HighlightType, number> = {
  ace: 100,
  quad_kill: 60,
  triple_kill: 30,
  multi_kill: 12,
  clutch_1v2: 45,
  clutch_1v3: 70,
  clutch_1v4: 100,
  clutch_1v5: 140,
  headshot_streak: 26,
  knife_kill: 32,
  taser_kill: 20,
  wallbang: 14,
  no_scope: 24,
  through_smoke: 13,
  midair_kill: 22,
  one_tap: 10,
  nade_kill: 12,
  molly_kill: 8,
  ninja_defuse: 50,
};

const flagPoints: Record<KillFlag, number> = {
  headshot: 2,
  wallbang: 4,
  no_scope: 8,
  through_smoke: 5,
  midair: 8,
  blind: 8,
  flash_assist: 0,
  collateral: 6,
};

/** Flags that the points of a type already include. */
const flagOfType: Partial<Record<HighlightType, KillFlag>> = {
  headshot_streak: "headshot",
  one_tap: "headshot",
  wallbang: "wallbang",
  no_scope: "no_scope",
  through_smoke: "through_smoke",
  midair_kill: "midair",
};

const weaponTypes: readonly HighlightType[] = ["knife_kill", "taser_kill", "nade_kill", "molly_kill"];

/** Extra points per kill when the kills of a highlight follow without a pause. */
const speedPointsPerKill = 4;
const slowestPauseSeconds = 5;

/**
 * Ranks a highlight among those of its match: points of its type, of each kill's flags and weapon, and of speed, times the importance of
 * the round. One decimal.
 */
export function highlightScore(record: MatchRecord, round: RecordedRound, highlight: FoundHighlight): number {
  const points =
    typePoints[highlight.type] +
    beyondTheTypePoints(highlight) +
    highlight.moments.reduce((sum, moment) => sum + momentPoints(highlight.type, moment), 0) +
    speedPoints(highlight, record.tickRate);
  return (
    Math.round(
      points * importanceFactor(roundImportance(record, round)) * outcomeFactor(record, round, highlight) * 10,
    ) / 10
  );
}

/**
 * Points for a streak of more than three and for one bullet with more than one victim; deduction for a clutch in which the player did
 * nothing.
 */
function beyondTheTypePoints({ type, moments }: FoundHighlight): number {
  if (type === "headshot_streak") return 8 * (moments.length - 3);
  if (type.startsWith("clutch_")) return moments.length === 0 ? -0.6 * typePoints[type] : 0;
  if (type === "multi_kill" || type === "triple_kill" || type === "quad_kill" || type === "ace") return 0;
  return 10 * Math.max(0, moments.length - 1);
}

function momentPoints(type: HighlightType, moment: HighlightMoment): number {
  const flags = moment.flags.filter((flag) => flag !== flagOfType[type]);
  return flags.reduce((sum, flag) => sum + flagPoints[flag], 0) + weaponPoints(type, moment);
}

function weaponPoints(type: HighlightType, { kind, weapon }: HighlightMoment): number {
  if (kind === "defuse" || weaponTypes.includes(type)) return 0;
  switch (weaponByEventName(weapon)?.category) {
    case "knife":
      return 10;
    case "zeus":
      return 7;
    case "grenade":
      return 4;
    case "pistol":
    case "fire":
      return 2;
    default:
      return 0;
  }
}

function speedPoints({ moments }: FoundHighlight, tickRate: number): number {
  const kills = moments.filter((moment) => moment.kind === "kill");
  const [first] = kills;
  const last = kills.at(-1);
  if (!first || !last || kills.length < 2) return 0;
  const pauseSeconds = (last.tick - first.tick) / tickRate / (kills.length - 1);
  return speedPointsPerKill * kills.length * Math.max(0, 1 - pauseSeconds / slowestPauseSeconds);
}

function importanceFactor({ matchPoint, overtime, pistol, close }: RoundImportance): number {
  return 1 + (matchPoint ? 0.15 : 0) + (overtime ? 0.1 : 0) + (pistol ? 0.1 : 0) + (close ? 0.05 : 0);
}

/** The best play of a lost round is worth a little less than the same play in a won one. */
function outcomeFactor(record: MatchRecord, round: RecordedRound, { player }: FoundHighlight): number {
  const team = teamInRound(record, round, player);
  return team !== null && isLostBy(round, team) ? 0.9 : 1;
}
