import { beepPhase, bombSeconds } from "../../replay/bomb-beeps.ts";
import type { RecordedBombEvent } from "../../replay/match-record.ts";
import { clamp, easeOut } from "../easing.ts";
import { accent, sidePalette } from "../palette.ts";
import { groundSquash } from "../relief/projection.ts";
import type { SegmentTimeline } from "../segment-timeline.ts";
import { paintIcon } from "../sprite-shelf.ts";
import { type Layer, putCentred, putScaled, type Stage } from "../stage.ts";

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

/** The bomb: dropped, planted with its beep, being planted or defused, exploding. */
export function bombLayer(stage: Stage): Layer {
  const { shelf, timeline, unit, sight } = stage;
  const lying = bombSprite("bomb-lying", sidePalette.T.main);
  const ticking = bombSprite("bomb-ticking", "#ff7a6d");
  const silent = bombSprite("bomb-silent", "#8fd6a0");
  const glow = shelf.sprite(
    "bomb-glow",
    80,
    80,
    (context) => {
      const gradient = context.createRadialGradient(40, 40, 0, 40, 40, 40);
      gradient.addColorStop(0, "rgba(255, 70, 60, 0.9)");
      gradient.addColorStop(0.3, "rgba(255, 50, 50, 0.4)");
      gradient.addColorStop(1, "rgba(255, 40, 40, 0)");
      context.fillStyle = gradient;
      context.fillRect(0, 0, 80, 80);
    },
    true,
  );
  const blast = shelf.sprite(
    "bomb-blast",
    256,
    256,
    (context) => {
      const gradient = context.createRadialGradient(128, 128, 0, 128, 128, 128);
      gradient.addColorStop(0, "rgba(255, 250, 225, 1)");
      gradient.addColorStop(0.25, "rgba(255, 190, 80, 0.9)");
      gradient.addColorStop(0.6, "rgba(230, 80, 20, 0.45)");
      gradient.addColorStop(1, "rgba(120, 30, 0, 0)");
      context.fillStyle = gradient;
      context.fillRect(0, 0, 256, 256);
    },
    true,
  );
  function bombSprite(key: string, colour: string) {
    return shelf.sprite(key, 28, 28, (context, kit) => {
      context.fillStyle = "rgba(6, 8, 12, 0.88)";
      context.beginPath();
      context.arc(14, 14, 12.5, 0, Math.PI * 2);
      context.fill();
      context.strokeStyle = colour;
      context.lineWidth = 1.6;
      context.stroke();
      paintIcon(context, kit, "time-bomb", 14, 14, 17, 17, colour);
    });
  }
  const progress = actionProgress(timeline);
  const drops = dropsOf(timeline);

  return (list, { tick, view }) => {
    const planted = plantedBomb(timeline, tick);
    if (!planted) {
      for (const drop of drops) {
        if (tick < drop.from || tick >= drop.until || !drop.position) continue;
        const [x, y, z] = drop.position;
        const bounce = 1 - easeOut((tick - drop.from) / (0.4 * timeline.tickRate));
        putCentred(list, lying, view.x(x), view.y(y, z) - bounce * 22 * unit);
      }
    } else if (planted.position) {
      const [worldX, worldY, worldZ] = planted.position;
      const x = view.x(worldX);
      const y = view.y(worldY, worldZ);
      if (planted.explodedTick !== null) {
        const seconds = (tick - planted.explodedTick) / timeline.tickRate;
        const grown = easeOut(seconds / 1.6);
        if (seconds < 1.6) {
          putScaled(list, blast, x, y, (200 + 1500 * grown) * view.pixelsPerUnit, groundSquash, 1 - grown);
          for (const delay of [0, 0.18]) {
            const wave = easeOut((seconds - delay) / 1.5);
            if (wave <= 0 || wave >= 1) continue;
            list.push({
              op: "ring",
              x,
              y,
              radius: 1400 * wave * view.pixelsPerUnit,
              width: (12 * (1 - wave) + 1) * unit,
              squash: groundSquash,
              fraction: 1,
              colour: "#ffd9a0",
              alpha: (1 - wave) * 0.8,
            });
          }
        }
      } else if (planted.defusedTick !== null) putCentred(list, silent, x, y);
      else {
        const phase = beepPhase(bombSeconds - planted.secondsLeft);
        if (phase !== null) {
          putScaled(list, glow, x, y, glow.width * (1 + phase * 0.6), groundSquash, (1 - phase) * 0.9);
          list.push({
            op: "ring",
            x,
            y,
            radius: (12 + 34 * phase) * unit,
            width: 1.8 * unit,
            squash: groundSquash,
            fraction: 1,
            colour: accent,
            alpha: (1 - phase) * 0.8,
          });
        }
        putCentred(list, ticking, x, y);
        list.push({
          op: "ring",
          x,
          y,
          radius: 14.5 * unit,
          width: 2.4 * unit,
          squash: 1,
          fraction: clamp(planted.secondsLeft / bombSeconds, 0.001, 1),
          colour: accent,
          alpha: 0.95,
        });
      }
    }
    for (const action of progress) {
      if (tick < action.from || tick >= action.until) continue;
      if (sight && sight.opacity(action.player, tick) < 0.5) continue;
      const state = timeline.state(action.player, tick);
      if (!state) continue;
      const isDefuse = action.kind === "defuse";
      list.push({
        op: "ring",
        x: view.x(state.x),
        y: view.y(state.y, state.z),
        radius: 21 * unit,
        width: 4 * unit,
        squash: 1,
        fraction: clamp((tick - action.from) / action.ticks, 0.001, 1),
        colour: isDefuse ? sidePalette.CT.light : sidePalette.T.light,
        alpha: 0.95,
      });
    }
  };
}

interface Action {
  kind: "plant" | "defuse";
  player: number;
  from: number;
  until: number;
  ticks: number;
}

/** Plants and defuses under way, from their beginning to their end, abortion or the player's death. */
export function actionProgress(timeline: SegmentTimeline): Action[] {
  const actions: Action[] = [];
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

function dropsOf(timeline: SegmentTimeline) {
  const drops: { from: number; until: number; position: readonly [number, number, number] | null }[] = [];
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
