import { beepPhase, bombSeconds } from "../../replay/bomb-beeps.ts";
import { type BombAction, type BombState, bombActions, droppedBombs, plantedBomb } from "../bomb-timeline.ts";
import type { DisplayList, Sprite } from "../display-list.ts";
import { clamp, easeOut } from "../easing.ts";
import { accent, sidePalette } from "../palette.ts";
import { groundSquash } from "../relief/projection.ts";
import { paintIcon, type SpriteShelf } from "../sprite-shelf.ts";
import { type Layer, type Moment, putCentred, putScaled, type Stage } from "../stage.ts";

/** Seconds of play that an explosion is seen; then of the second shock wave after the first. */
const blastSeconds = 1.6;
const waveSeconds = 1.5;
const secondWaveDelay = 0.18;
/** Seconds of play that a dropped bomb bounces. */
const bounceSeconds = 0.4;

/** The bomb: dropped, planted with its beep, being planted or defused, exploding. */
export function bombLayer(stage: Stage): Layer {
  const { timeline, unit, sight } = stage;
  const { tickRate } = timeline;
  const art = bombArt(stage.shelf);
  const actions = bombActions(timeline);
  const drops = droppedBombs(timeline);

  return (list, moment) => {
    const planted = plantedBomb(timeline, moment.tick);
    if (!planted) drawDropped(list, moment);
    else if (planted.position) {
      const [worldX, worldY, worldZ] = planted.position;
      const x = moment.view.x(worldX);
      const y = moment.view.y(worldY, worldZ);
      if (planted.explodedTick !== null) {
        drawExplosion(list, x, y, (moment.tick - planted.explodedTick) / tickRate, moment.view.pixelsPerUnit);
      } else if (planted.defusedTick !== null) putCentred(list, art.silent, x, y);
      else drawTicking(list, x, y, planted);
    }
    for (const action of actions) drawAction(list, moment, action);
  };

  function drawDropped(list: DisplayList, { tick, view }: Moment): void {
    for (const { from, until, position } of drops) {
      if (tick < from || tick >= until || !position) continue;
      const [x, y, z] = position;
      const bounce = 1 - easeOut((tick - from) / (bounceSeconds * tickRate));
      putCentred(list, art.lying, view.x(x), view.y(y, z) - bounce * 22 * unit);
    }
  }

  function drawExplosion(list: DisplayList, x: number, y: number, seconds: number, pixelsPerUnit: number): void {
    if (seconds >= blastSeconds) return;
    const grown = easeOut(seconds / blastSeconds);
    putScaled(list, art.blast, x, y, (200 + 1500 * grown) * pixelsPerUnit, groundSquash, 1 - grown);
    for (const delay of [0, secondWaveDelay]) {
      const wave = easeOut((seconds - delay) / waveSeconds);
      if (wave <= 0 || wave >= 1) continue;
      list.push({
        op: "ring",
        x,
        y,
        radius: 1400 * wave * pixelsPerUnit,
        width: (12 * (1 - wave) + 1) * unit,
        squash: groundSquash,
        fraction: 1,
        colour: "#ffd9a0",
        alpha: (1 - wave) * 0.8,
      });
    }
  }

  /** The bomb with its flashes, and a ring that shows how much time is left. */
  function drawTicking(list: DisplayList, x: number, y: number, { secondsLeft }: BombState): void {
    const phase = beepPhase(bombSeconds - secondsLeft);
    if (phase !== null) {
      putScaled(list, art.glow, x, y, art.glow.width * (1 + phase * 0.6), groundSquash, (1 - phase) * 0.9);
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
    putCentred(list, art.ticking, x, y);
    list.push({
      op: "ring",
      x,
      y,
      radius: 14.5 * unit,
      width: 2.4 * unit,
      squash: 1,
      fraction: clamp(secondsLeft / bombSeconds, 0.001, 1),
      colour: accent,
      alpha: 0.95,
    });
  }

  /** A ring around whoever plants or defuses, which fills as they do. */
  function drawAction(
    list: DisplayList,
    { tick, view }: Moment,
    { kind, player, from, until, ticks }: BombAction,
  ): void {
    if (tick < from || tick >= until) return;
    if (sight && sight.opacity(player, tick) < 0.5) return;
    const state = timeline.state(player, tick);
    if (!state) return;
    list.push({
      op: "ring",
      x: view.x(state.x),
      y: view.y(state.y, state.z),
      radius: 21 * unit,
      width: 4 * unit,
      squash: 1,
      fraction: clamp((tick - from) / ticks, 0.001, 1),
      colour: kind === "defuse" ? sidePalette.CT.light : sidePalette.T.light,
      alpha: 0.95,
    });
  }
}

type BombArt = Record<"lying" | "ticking" | "silent" | "glow" | "blast", Sprite>;

function bombArt(shelf: SpriteShelf): BombArt {
  const bomb = (key: string, colour: string) =>
    shelf.sprite(key, 28, 28, (context, kit) => {
      context.fillStyle = "rgba(6, 8, 12, 0.88)";
      context.beginPath();
      context.arc(14, 14, 12.5, 0, Math.PI * 2);
      context.fill();
      context.strokeStyle = colour;
      context.lineWidth = 1.6;
      context.stroke();
      paintIcon(context, kit, "time-bomb", 14, 14, 17, 17, colour);
    });
  /** A disc of light; `stops` are the colours from its middle (0) to its edge (1). */
  const light = (key: string, radius: number, stops: readonly [offset: number, colour: string][]) => {
    const size = 2 * radius;
    return shelf.sprite(
      key,
      size,
      size,
      (context) => {
        const gradient = context.createRadialGradient(radius, radius, 0, radius, radius, radius);
        for (const [offset, colour] of stops) gradient.addColorStop(offset, colour);
        context.fillStyle = gradient;
        context.fillRect(0, 0, size, size);
      },
      true,
    );
  };
  return {
    lying: bomb("bomb-lying", sidePalette.T.main),
    ticking: bomb("bomb-ticking", "#ff7a6d"),
    silent: bomb("bomb-silent", "#8fd6a0"),
    glow: light("bomb-glow", 40, [
      [0, "rgba(255, 70, 60, 0.9)"],
      [0.3, "rgba(255, 50, 50, 0.4)"],
      [1, "rgba(255, 40, 40, 0)"],
    ]),
    blast: light("bomb-blast", 128, [
      [0, "rgba(255, 250, 225, 1)"],
      [0.25, "rgba(255, 190, 80, 0.9)"],
      [0.6, "rgba(230, 80, 20, 0.45)"],
      [1, "rgba(120, 30, 0, 0)"],
    ]),
  };
}
