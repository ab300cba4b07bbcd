import { float32At, itemAt, uint8At } from "../../replay/checked-reads.ts";
import type { PlayerIndex, Side } from "../../replay/match-record.ts";
import { SampleFlag } from "../../replay/replay-track.ts";
import { clamp, mix } from "../easing.ts";
import { accent, healthColour, sidePalette, withAlpha } from "../palette.ts";
import { groundSquash } from "../relief/projection.ts";
import { firstAtOrAfter } from "../segment-timeline.ts";
import { viewDistance } from "../sight.ts";
import { paintIcon } from "../sprite-shelf.ts";
import { isInFrame, type Layer, put, putTurned, type Stage, type StagedPlayer } from "../stage.ts";

/** Units. */
export const tokenRadius = 13;
const followedScale = 1.25;
/** Length of a trail, then of its pieces if the track has enough samples; in seconds of play. */
const trailSeconds = 1.5;
const trailPieceSeconds = 0.125;
/** World units a second: a player who moved faster did not walk. */
const fastestWalk = 720;

export function tokenScale(player: StagedPlayer): number {
  return player.isFollowed ? followedScale : 1;
}

/** Where players came from in the last second and a half, at any sample rate of the track. */
export function trailLayer(stage: Stage): Layer {
  const { timeline, unit } = stage;
  const { tickRate } = timeline;
  return (list, { tick, view, players }) => {
    for (const { player, side, state, isAlive, x, y, opacity } of players) {
      if (!isAlive || opacity < 0.02 || !isInFrame(stage, x, y, 200)) continue;
      const walked = timeline.samples(player, tick);
      if (!walked) continue;
      const { samples, tickStep, index } = walked;
      const stride = Math.max(1, Math.round((trailPieceSeconds * tickRate) / tickStep));
      const pieces = Math.round((trailSeconds * tickRate) / (stride * tickStep));
      const farthestWalk = (fastestWalk * stride * tickStep) / tickRate;
      let x0 = x;
      let y0 = y;
      let lastX = state.x;
      let lastY = state.y;
      // Always uses the same samples of the walk, so that the trail stays still while the player moves on.
      const newest = Math.floor(index / stride) * stride;
      for (let step = 0; step < pieces; step++) {
        const at = newest - step * stride;
        if (at < 0 || at >= samples.x.length || (uint8At(samples.flags, at) & SampleFlag.alive) === 0) break;
        const worldX = float32At(samples.x, at);
        const worldY = float32At(samples.y, at);
        if (Math.abs(worldX - lastX) + Math.abs(worldY - lastY) > farthestWalk) break;
        const x1 = view.x(worldX);
        const y1 = view.y(worldY, float32At(samples.z, at));
        if (Math.abs(x1 - x0) + Math.abs(y1 - y0) > 0.6) {
          const age0 = step === 0 ? 0 : (index - at - stride) / (pieces * stride);
          const age1 = Math.min(1, (index - at) / (pieces * stride));
          list.push({
            op: "line",
            x0,
            y0,
            x1,
            y1,
            width: (3.6 - 2.4 * age1) * unit,
            colour: sidePalette[side].main,
            alpha0: 0.42 * opacity * (1 - age0),
            alpha1: 0.42 * opacity * (1 - age1),
          });
          x0 = x1;
          y0 = y1;
        }
        lastX = worldX;
        lastY = worldY;
      }
    }
  };
}

/** A cone that meets a wall is drawn in slices of about this angle, each up to the wall; adjacent free ones are merged. */
const sliceAngle = 0.15;

/** Players' fields of view: cones that end at walls. */
export function viewConeLayer(stage: Stage): Layer {
  const { relief, unit } = stage;
  return (list, { players, view }) => {
    for (const player of players) {
      if (!player.isAlive || player.opacity < 0.02 || !isInFrame(stage, player.x, player.y, 150)) continue;
      const { state, side } = player;
      const radius = (state.scoped ? 230 : player.isFollowed ? 150 : 115) * unit;
      const halfAngle = state.scoped ? 0.2 : 0.52;
      const heading = (state.yaw * Math.PI) / 180;
      const addCone = (angle: number, half: number, length: number) =>
        list.push({
          op: "cone",
          x: player.x,
          y: player.y,
          radius: length,
          squash: groundSquash,
          angle: -angle,
          halfAngle: half,
          colour: sidePalette[side].main,
          alpha: (player.isFollowed ? 0.6 : 0.36) * player.opacity,
        });
      const slices = Math.ceil((2 * halfAngle) / sliceAngle);
      const halfSlice = halfAngle / slices;
      const angles = Array.from({ length: slices }, (_, i) => heading + halfAngle - (2 * i + 1) * halfSlice);
      const farthest = radius / view.pixelsPerUnit;
      const distances = angles.map((angle) => viewDistance(relief, state, angle, farthest));
      const isFree = (slice: number) => itemAt(distances, slice) >= farthest;
      for (let from = 0, behind = 1; from < slices; from = behind, behind = from + 1) {
        if (isFree(from)) while (behind < slices && isFree(behind)) behind++;
        const middle = (itemAt(angles, from) + itemAt(angles, behind - 1)) / 2;
        const length = isFree(from) ? radius : itemAt(distances, from) * view.pixelsPerUnit;
        addCone(middle, halfSlice * (behind - from), length);
      }
    }
  };
}

/** Tokens: round for counter-terrorists, a diamond for terrorists, with heading, health, and what happens to them. */
export function playerLayer(stage: Stage): Layer {
  const { shelf, unit } = stage;
  const art = { CT: sideArt(stage, "CT"), T: sideArt(stage, "T") };
  const spinner = shelf.sprite("followed-ring", 84, 84, (context) => {
    context.translate(42, 42);
    context.strokeStyle = "rgba(255, 255, 255, 0.92)";
    context.lineWidth = 2.4;
    context.setLineDash([10, 7.4]);
    context.beginPath();
    context.arc(0, 0, 27.7, 0, Math.PI * 2);
    context.stroke();
  });
  const bombBadge = shelf.sprite("bomb-badge", 18, 18, (context, kit) => {
    context.fillStyle = "rgba(6, 8, 12, 0.9)";
    context.beginPath();
    context.arc(9, 9, 8.2, 0, Math.PI * 2);
    context.fill();
    paintIcon(context, kit, "time-bomb", 9, 9, 12.5, 12.5, sidePalette.T.main);
  });
  const blinded = blindTimes(stage);
  const hits = hitTicks(stage);

  return (list, { tick, seconds, players }) => {
    const ordered = players
      .filter((player) => player.isAlive && player.opacity > 0.02 && isInFrame(stage, player.x, player.y, 60))
      .sort((a, b) => Number(a.isFollowed) - Number(b.isFollowed) || a.y - b.y);
    for (const player of ordered) {
      const { x, y, state, opacity } = player;
      const { token, arrow } = art[player.side];
      const scale = tokenScale(player);
      putTurned(list, arrow, x, y, (-state.yaw * Math.PI) / 180, scale, mix(groundSquash, 1, 0.4), opacity);
      if (player.isFollowed) putTurned(list, spinner, x, y, seconds * 0.9, 1, groundSquash, 0.9 * opacity);
      if (player.isFollowed) {
        list.push({
          op: "scaled",
          sprite: token,
          x,
          y,
          width: token.width * scale,
          height: token.height * scale,
          alpha: opacity,
        });
      } else put(list, token, x - token.width / 2, y - token.height / 2, opacity);
      list.push({
        op: "ring",
        x,
        y,
        radius: 10.3 * unit * scale,
        width: 2.8 * unit,
        squash: 1,
        fraction: clamp(state.health / 100, 0.02, 1),
        colour: healthColour(state.health),
        alpha: opacity,
      });
      const blind = blinded(player.player, tick);
      if (blind > 0) {
        list.push({
          op: "disc",
          x,
          y,
          radius: 8.6 * unit * scale,
          squash: 1,
          colour: "#ffffff",
          alpha: 0.9 * Math.min(1, blind * 1.6) * opacity,
        });
      }
      const sinceHit = hits(player.player, tick);
      if (sinceHit < 0.35) {
        list.push({
          op: "ring",
          x,
          y,
          radius: (14 + sinceHit * 42) * unit,
          width: 3 * unit,
          squash: 1,
          fraction: 1,
          colour: accent,
          alpha: (1 - sinceHit / 0.35) * opacity,
        });
      }
      if (state.hasBomb) put(list, bombBadge, x + 8 * scale * unit, y - (8 * scale + 14) * unit, opacity);
    }
  };

  function sideArt(at: Stage, side: Side) {
    const palette = sidePalette[side];
    const size = tokenRadius * 2 + 24;
    const token = at.shelf.sprite(`token-${side}`, size, size, (context) => {
      context.translate(size / 2, size / 2);
      const halo = context.createRadialGradient(0, 0, tokenRadius * 0.6, 0, 0, tokenRadius * 2);
      halo.addColorStop(0, withAlpha(palette.main, 0.5));
      halo.addColorStop(1, withAlpha(palette.main, 0));
      context.fillStyle = halo;
      context.fillRect(-size / 2, -size / 2, size, size);
      context.fillStyle = "rgba(4, 8, 14, 0.88)";
      context.beginPath();
      context.arc(0, 0, tokenRadius + 0.8, 0, Math.PI * 2);
      context.fill();
      const fill = context.createLinearGradient(0, -tokenRadius, 0, tokenRadius);
      fill.addColorStop(0, palette.light);
      fill.addColorStop(0.45, palette.main);
      fill.addColorStop(1, palette.dark);
      context.fillStyle = fill;
      context.beginPath();
      if (side === "CT") context.arc(0, 0, tokenRadius * 0.7, 0, Math.PI * 2);
      else {
        const half = tokenRadius * 0.78;
        context.moveTo(0, -half);
        context.lineTo(half, 0);
        context.lineTo(0, half);
        context.lineTo(-half, 0);
        context.closePath();
      }
      context.fill();
    });
    const arrow = at.shelf.sprite(`heading-${side}`, tokenRadius * 4.4, tokenRadius * 4.4, (context) => {
      context.translate(tokenRadius * 2.2, tokenRadius * 2.2);
      context.fillStyle = palette.light;
      context.strokeStyle = "rgba(4, 8, 14, 0.85)";
      context.lineWidth = 1.3;
      context.beginPath();
      context.moveTo(tokenRadius * 2.02, 0);
      context.lineTo(tokenRadius * 1.14, tokenRadius * 0.66);
      context.quadraticCurveTo(tokenRadius * 1.36, 0, tokenRadius * 1.14, -tokenRadius * 0.66);
      context.closePath();
      context.fill();
      context.stroke();
    });
    return { token, arrow };
  }
}

/** Seconds a player is still blind at a tick, 0 when they see. */
function blindTimes(stage: Stage): (player: PlayerIndex, tick: number) => number {
  const { timeline } = stage;
  const byPlayer = new Map<PlayerIndex, { tick: number; until: number }[]>();
  for (const blind of timeline.blinds) {
    // A shorter flash does not affect anybody's play.
    if (blind.seconds < 0.5) continue;
    const blinds = byPlayer.get(blind.victim) ?? [];
    blinds.push({ tick: blind.tick, until: blind.tick + blind.seconds * timeline.tickRate });
    byPlayer.set(blind.victim, blinds);
  }
  return (player, tick) => {
    let left = 0;
    for (const blind of byPlayer.get(player) ?? []) {
      if (tick >= blind.tick) left = Math.max(left, (blind.until - tick) / timeline.tickRate);
    }
    return left;
  };
}

/** Seconds since a player was last hurt by somebody. */
function hitTicks(stage: Stage): (player: PlayerIndex, tick: number) => number {
  const { timeline } = stage;
  const byPlayer = new Map<PlayerIndex, { tick: number }[]>();
  for (const damage of timeline.damages) {
    const ticks = byPlayer.get(damage.victim) ?? [];
    ticks.push({ tick: damage.tick });
    byPlayer.set(damage.victim, ticks);
  }
  return (player, tick) => {
    const ticks = byPlayer.get(player);
    if (!ticks) return Number.POSITIVE_INFINITY;
    const next = firstAtOrAfter(ticks, tick + 0.001);
    return next === 0 ? Number.POSITIVE_INFINITY : (tick - ticks[next - 1]!.tick) / timeline.tickRate;
  };
}
