import { boundedLine } from "../../contract/clean-text.ts";
import { highlightTypes } from "../../contract/highlight-types.ts";
import { demoLimits } from "../../contract/limits.ts";
import { textLimits } from "../../contract/text-limits.ts";
import type { MatchRecord } from "../../replay/match-record.ts";
import { findAces } from "./ace.ts";
import { findClutches } from "./clutch.ts";
import { findHeadshotStreaks } from "./headshot-streak.ts";
import type { FoundHighlight, Highlight } from "./highlight.ts";
import { findKnifeKills } from "./knife-kill.ts";
import { type Detector, liveRound } from "./live-round.ts";
import { findMidairKills } from "./midair-kill.ts";
import { findMollyKills } from "./molly-kill.ts";
import { findMultiKills } from "./multi-kill.ts";
import { findNadeKills } from "./nade-kill.ts";
import { findNinjaDefuses } from "./ninja-defuse.ts";
import { findNoScopes } from "./no-scope.ts";
import { findOneTaps } from "./one-tap.ts";
import { findQuadKills } from "./quad-kill.ts";
import { highlightReason } from "./reason.ts";
import { highlightScore } from "./score.ts";
import { findTaserKills } from "./taser-kill.ts";
import { findThroughSmokes } from "./through-smoke.ts";
import { findTripleKills } from "./triple-kill.ts";
import { findWallbangs } from "./wallbang.ts";

export type { Highlight, HighlightMoment } from "./highlight.ts";

const detectors: readonly Detector[] = [
  findAces,
  findQuadKills,
  findTripleKills,
  findMultiKills,
  findClutches,
  findHeadshotStreaks,
  findKnifeKills,
  findTaserKills,
  findWallbangs,
  findNoScopes,
  findThroughSmokes,
  findMidairKills,
  findOneTaps,
  findNadeKills,
  findMollyKills,
  findNinjaDefuses,
];

/**
 * Every highlight of a match, in match order; those that begin at the same tick by score, the best first. If a demo has more than
 * `demoLimits` allows, only the best.
 *
 * A pure function of the record: neither names nor the order of events within a tick change the result.
 */
export function detectHighlights(record: MatchRecord): Highlight[] {
  const highlights = record.rounds.flatMap((round) => {
    const live = liveRound(record, round);
    return detectors
      .flatMap((detect) => detect(live).map(withFewMoments))
      .map((found) => ({
        ...found,
        score: highlightScore(record, round, found),
        reason: boundedLine(highlightReason(record, round, found), textLimits.reason),
      }));
  });
  return bestOf(highlights).sort(
    (a, b) =>
      a.startTick - b.startTick ||
      b.score - a.score ||
      highlightTypes.indexOf(a.type) - highlightTypes.indexOf(b.type) ||
      a.player - b.player,
  );
}

/** Limits the moments of a highlight. No game server has that many players, so the first kills are enough. */
function withFewMoments(found: FoundHighlight): FoundHighlight {
  const moments = found.moments.slice(0, demoLimits.momentsOfHighlight);
  const last = moments.at(-1);
  if (!last || moments.length === found.moments.length) return found;
  const victims = moments.flatMap(({ victim }) => (victim === null ? [] : [victim]));
  return { ...found, moments, victims, endTick: last.tick };
}

function bestOf(highlights: readonly Highlight[]): Highlight[] {
  const ranked = [...highlights].sort(
    (a, b) => b.score - a.score || a.startTick - b.startTick || a.player - b.player || a.type.localeCompare(b.type),
  );
  let moments = 0;
  return ranked.slice(0, demoLimits.highlights).filter((highlight) => {
    moments += highlight.moments.length;
    return moments <= demoLimits.moments;
  });
}
