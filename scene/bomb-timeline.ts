import { bombSeconds } from "../replay/bomb-beeps.ts";
import type { PlayerIndex, RecordedBombEvent } from "../replay/match-record.ts";
import type { SegmentTimeline } from "./segment-timeline.ts";

/** The plant's and the defuses' lengths in seconds (CS2 competitive settings). */
const plantSeconds = 3.2;
const defuseSeconds = 10;
const kitDefuseSeconds = 5;

export interface BombState {
  plantedTick: number;
  /** Seconds until it explodes. */
  secondsLeft: number;
  defusedTick: number | null;
  explodedTick: number | null;
  position: readonly [number, number, number] | null;
}

/** The planted bomb at a tick, or null while none is planted. */
export function plantedBomb(timeline: SegmentTimeline, tick: number): BombState | null {
  let state: BombState | null = null;
  for (const event of timeline.bomb) {
    if (event.tick > tick) break;
    if (event.kind === "planted") {
      state = {
        plantedTick: event.tick,
        secondsLeft: bombSeconds - (tick - event.tick) / timeline.tickRate,
        defusedTick: null,
        explodedTick: null,
        position: event.position ?? positionOf(timeline, event),
      };
    } else if (event.kind === "defused" && state) state.defusedTick = event.tick;
    else if (event.kind === "exploded" && state) state.explodedTick = event.tick;
  }
  return state;
}

function positionOf(timeline: SegmentTimeline, event: RecordedBombEvent): [number, number, number] | null {
  const state = event.player === null ? null : timeline.state(event.player, event.tick);
  return state && [state.x, state.y, state.z];
}

/** A plant or defuse under way. */
export interface BombAction {
  kind: "plant" | "defuse";
  player: PlayerIndex;
  from: number;
  until: number;
  /** How long it takes if nothing interrupts it. */
  ticks: number;
}

/** Plants and defuses under way, from their beginning to their end, abortion or the player's death. */
export function bombActions(timeline: SegmentTimeline): BombAction[] {
  const actions: BombAction[] = [];
  timeline.bomb.forEach((event, i) => {
    if (event.player === null || (event.kind !== "plant_begin" && event.kind !== "defuse_begin")) return;
    const kind = event.kind === "plant_begin" ? "plant" : "defuse";
    const seconds = kind === "plant" ? plantSeconds : event.hasKit ? kitDefuseSeconds : defuseSeconds;
    const ends =
      kind === "plant"
        ? ["plant_abort", "planted", "plant_begin"]
        : ["defuse_abort", "defused", "defuse_begin", "exploded"];
    const end = timeline.bomb.slice(i + 1).find((later) => ends.includes(later.kind));
    const ticks = seconds * timeline.tickRate;
    actions.push({
      kind,
      player: event.player,
      from: event.tick,
      until: Math.min(end?.tick ?? Number.POSITIVE_INFINITY, event.tick + ticks, timeline.deathTick(event.player)),
      ticks,
    });
  });
  return actions;
}

/** Where the bomb lies from when until when. */
interface DroppedBomb {
  from: number;
  until: number;
  position: readonly [number, number, number] | null;
}

/** The times in which the bomb lies on the ground without being planted. */
export function droppedBombs(timeline: SegmentTimeline): DroppedBomb[] {
  const drops: DroppedBomb[] = [];
  timeline.bomb.forEach((event, i) => {
    if (event.kind !== "dropped") return;
    const end = timeline.bomb.slice(i + 1).find((later) => later.kind === "picked_up" || later.kind === "planted");
    drops.push({
      from: event.tick,
      until: end?.tick ?? Number.POSITIVE_INFINITY,
      position: event.position ?? positionOf(timeline, event),
    });
  });
  return drops;
}
