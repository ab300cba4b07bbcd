import type { PlayerIndex } from "../../replay/match-record.ts";
import { byRank } from "./highlight.ts";
import { aftermathSeconds, anchors, type MatchTiming, type Stretch, type TickWindow } from "./stretches.ts";

/** When the camera leaves a moment that somebody else marked, it shows the other player for this long before their kill. */
const approachSeconds = 1;
/** Following a player for less than this would only be a flicker. */
const minFollowSeconds = 1;

interface CameraCut {
  startTick: number;
  player: PlayerIndex;
}

/** A stretch of ticks in which the camera follows a player. */
export interface Turn extends TickWindow {
  player: PlayerIndex;
}

/** Who is followed from when. */
export function cameraCuts(stretch: Stretch, record: MatchTiming): CameraCut[] {
  const moments = followedMoments(stretch);
  const cuts = cutsBetweenMoments(stretch, moments, record);
  const marked = markedTurns(stretch);
  return marked.length === 0 ? cuts : cutsAroundMarked(stretch, moments, cuts, marked, record);
}

/**
 * The camera stays with a player until the aftermath of their moment is over, then moves to the next moment's player. A player whose turn
 * would be too short is skipped; the kill feed shows their kill.
 */
function cutsBetweenMoments(stretch: Stretch, moments: readonly FollowedMoment[], record: MatchTiming): CameraCut[] {
  const player = moments[0]?.player ?? byRank(stretch.highlights)[0]!.player;
  const cuts: CameraCut[] = [{ startTick: stretch.startTick, player }];
  for (const [index, moment] of moments.entries()) {
    const before = moments[index - 1];
    const current = cuts.at(-1);
    if (!before || !current || moment.player === current.player) continue;
    const startTick = before.tick + Math.min(aftermathSeconds * record.tickRate, (moment.tick - before.tick) / 2);
    const next = moments.slice(index).find(({ player }) => player !== moment.player);
    const endTick = next?.tick ?? stretch.endTick;
    const shortest = minFollowSeconds * record.tickRate;
    if (moment.tick - startTick < shortest / 2 || endTick - startTick < shortest) continue;
    cuts.push({ startTick, player: moment.player });
  }
  return cuts;
}

/**
 * The marked moments of the stretch as consecutive turns: where those of two players overlap, the one who began first gets the first half.
 */
function markedTurns({ startTick, endTick, highlights }: Stretch): Turn[] {
  const marked = highlights
    .filter(({ type }) => type === "custom")
    .map((highlight) => ({
      startTick: Math.max(startTick, highlight.startTick),
      endTick: Math.min(endTick, highlight.endTick),
      player: highlight.player,
    }))
    .sort((a, b) => a.startTick - b.startTick || a.endTick - b.endTick || a.player - b.player);
  let turns: Turn[] = [];
  for (const turn of marked) {
    const shared = turns.filter(
      (other) => other.player !== turn.player && other.startTick < turn.endTick && other.endTick > turn.startTick,
    );
    const from =
      shared.length === 0
        ? turn.startTick
        : (Math.max(turn.startTick, Math.min(...shared.map((other) => other.startTick))) +
            Math.min(turn.endTick, Math.max(...shared.map((other) => other.endTick)))) /
          2;
    const before = turns.map((other) => ({ ...other, endTick: Math.min(other.endTick, from) }));
    const after = turns.map((other) => ({ ...other, startTick: Math.max(other.startTick, turn.endTick) }));
    turns = [...before, { ...turn, startTick: from }, ...after].filter((each) => each.startTick < each.endTick);
  }
  return turns;
}

/**
 * Like `cuts`, but a marked moment belongs to its player except around other players' kills. Turns that would be too short are left out.
 */
function cutsAroundMarked(
  stretch: Stretch,
  moments: readonly FollowedMoment[],
  cuts: readonly CameraCut[],
  marked: readonly Turn[],
  { tickRate }: MatchTiming,
): CameraCut[] {
  const seen = moments.map(({ tick, player }): Turn => {
    return { startTick: tick - approachSeconds * tickRate, endTick: tick + aftermathSeconds * tickRate, player };
  });
  const bounds = [stretch, ...cuts, ...[...marked, ...seen].flatMap((turn) => [turn, { startTick: turn.endTick }])];
  const ticks = [...new Set(bounds.map(({ startTick }) => startTick))]
    .filter((tick) => tick >= stretch.startTick && tick < stretch.endTick)
    .sort((a, b) => a - b);
  const turns: (Turn & { isWanted: boolean })[] = [];
  for (const [i, startTick] of ticks.entries()) {
    const holds = (turn: Turn) => turn.startTick <= startTick && startTick < turn.endTick;
    const own = marked.find(holds);
    const isMarked = own !== undefined && !seen.some((turn) => turn.player !== own.player && holds(turn));
    const { player } = isMarked ? own : cuts.filter((cut) => cut.startTick <= startTick).at(-1)!;
    const isWanted = isMarked || seen.some((turn) => turn.player === player && holds(turn));
    const turn = { startTick, endTick: ticks[i + 1] ?? stretch.endTick, player, isWanted };
    const last = turns.at(-1);
    if (last?.player === player && last.isWanted === isWanted) last.endTick = turn.endTick;
    else turns.push(turn);
  }
  const shown = turns.filter(
    ({ startTick, endTick, isWanted }) => isWanted && endTick - startTick >= minFollowSeconds * tickRate,
  );
  if (shown.length === 0) return [...cuts];
  return shown
    .filter(({ player }, i) => player !== shown[i - 1]?.player)
    .map(({ startTick, player }, i) => ({ startTick: i === 0 ? stretch.startTick : startTick, player }));
}

interface FollowedMoment {
  tick: number;
  player: PlayerIndex;
}

/** Kills and defuses of the stretch in order, without duplicates; if there are none, the beginning of a clutch. */
function followedMoments({ startTick, endTick, highlights }: Stretch): FollowedMoment[] {
  const inside = (tick: number) => tick >= startTick && tick <= endTick;
  const ranked = byRank(highlights);
  const kills = ranked.flatMap(({ player, moments }) =>
    moments.filter(({ tick }) => inside(tick)).map(({ tick }) => ({ tick, player })),
  );
  const shown =
    kills.length > 0
      ? kills
      : ranked
          .filter(({ type }) => type !== "custom")
          .flatMap((highlight) => {
            return anchors(highlight)
              .filter(inside)
              .map((tick) => ({ tick, player: highlight.player }));
          });
  return shown.sort((a, b) => a.tick - b.tick);
}
