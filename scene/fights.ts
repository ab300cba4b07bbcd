import type { PlayerIndex } from "../replay/match-record.ts";
import { smoothStep } from "./easing.ts";
import type { SegmentTimeline } from "./segment-timeline.ts";

/** A player is part of what happens from one tick to another. */
export interface Involvement {
  player: PlayerIndex;
  firstTick: number;
  lastTick: number;
}

/** How long somebody comes into it before, and leaves it after. */
const comingSeconds = 1.2;
const leavingSeconds = 1;

/** Seconds around a kill between others, a plant or a defuse in which it is told who they are. */
const toldBeforeSeconds = 0.2;
const toldAfterSeconds = 0.8;

/** 0..1: how much somebody is part of it at a tick. */
export function presence({ firstTick, lastTick }: Involvement, tick: number, tickRate: number): number {
  return (
    smoothStep(firstTick - comingSeconds * tickRate, firstTick, tick) *
    (1 - smoothStep(lastTick, lastTick + leavingSeconds * tickRate, tick))
  );
}

/** Who the followed player fights, and from when to when. */
export function fightPartners(timeline: SegmentTimeline): Involvement[] {
  const { segment, kills, damages } = timeline;
  const partners = new Involvements(timeline);
  for (const kill of kills) {
    if (kill.tick < segment.startTick) continue;
    if (kill.attacker === segment.player) partners.add(kill.victim, kill.tick, 1, 1.1);
    else if (kill.victim === segment.player) partners.add(kill.attacker, kill.tick, 1, 1.1);
  }
  for (const damage of damages) {
    if (damage.attacker === null || timeline.isTeammate(damage.attacker, damage.victim)) continue;
    if (damage.attacker === segment.player) partners.add(damage.victim, damage.tick, 0.5, 0.6);
    else if (damage.victim === segment.player) partners.add(damage.attacker, damage.tick, 0.5, 0.6);
  }
  return partners.list;
}

/** Whose names are worth reading besides the followed player's, and when: partners in a fight, and who does what decides. */
export function namedPlayers(timeline: SegmentTimeline): Involvement[] {
  const named = new Involvements(timeline, fightPartners(timeline));
  for (const { attacker, victim, tick } of timeline.kills) {
    named.add(attacker, tick, toldBeforeSeconds, toldAfterSeconds);
    named.add(victim, tick, toldBeforeSeconds, 0);
  }
  for (const { kind, player, tick } of timeline.bomb) {
    if (kind === "planted" || kind === "defused") named.add(player, tick, toldBeforeSeconds, toldAfterSeconds);
  }
  return named.list;
}

/** Involvements of players other than the followed one; those of one player that touch are one. */
class Involvements {
  readonly list: Involvement[];
  readonly #timeline: SegmentTimeline;

  constructor(timeline: SegmentTimeline, list: Involvement[] = []) {
    this.#timeline = timeline;
    this.list = list;
  }

  add(player: PlayerIndex | null, tick: number, secondsBefore: number, secondsAfter: number): void {
    const { segment, tickRate } = this.#timeline;
    if (player === null || player === segment.player) return;
    const firstTick = tick - secondsBefore * tickRate;
    const lastTick = tick + secondsAfter * tickRate;
    const running = this.list.find(
      (other) => other.player === player && firstTick <= other.lastTick && lastTick >= other.firstTick,
    );
    if (running) {
      running.firstTick = Math.min(running.firstTick, firstTick);
      running.lastTick = Math.max(running.lastTick, lastTick);
    } else this.list.push({ player, firstTick, lastTick });
  }
}
