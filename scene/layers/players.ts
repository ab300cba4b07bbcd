import type { PlayerIndex, Side } from "../../replay/match-record.ts";
import type { DisplayList, Sprite } from "../display-list.ts";
import { clamp, mix } from "../easing.ts";
import { accent, healthColour, sidePalette, withAlpha } from "../palette.ts";
import { groundSquash } from "../relief/projection.ts";
import { firstAtOrAfter } from "../segment-timeline.ts";
import { paintIcon, type SpriteShelf } from "../sprite-shelf.ts";
import { isInFrame, type Layer, put, putCentred, putTurned, type Stage, type StagedPlayer } from "../stage.ts";

/** Units. */
export const tokenRadius = 13;
const followedScale = 1.25;
/** Seconds of play that a ring spreads from somebody who was hit. */
const hitSeconds = 0.35;

export function tokenScale(player: StagedPlayer): number {
  return player.isFollowed ? followedScale : 1;
}

/** Tokens: round for counter-terrorists, a diamond for terrorists, with heading, health, and what happens to them. */
export function playerLayer(stage: Stage): Layer {
  const { shelf, unit } = stage;
  const art = { CT: sideArt(shelf, "CT"), T: sideArt(shelf, "T") };
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
  const blindLeft = blindSecondsLeft(stage);
  const sinceHit = secondsSinceHit(stage);

  return (list, { tick, seconds, players }) => {
    const ordered = players
      .filter((player) => player.isAlive && player.opacity > 0.02 && isInFrame(stage, player.x, player.y, 60))
      .sort((a, b) => Number(a.isFollowed) - Number(b.isFollowed) || a.y - b.y);
    for (const player of ordered) {
      drawToken(list, player, seconds);
      drawBlindness(list, player, blindLeft(player.player, tick));
      drawHit(list, player, sinceHit(player.player, tick));
      const { x, y, state, opacity } = player;
      const scale = tokenScale(player);
      if (state.hasBomb) put(list, bombBadge, x + 8 * scale * unit, y - (8 * scale + 14) * unit, opacity);
    }
  };

  /** The token with heading and health; the followed player's is larger, in a ring that turns. */
  function drawToken(list: DisplayList, player: StagedPlayer, seconds: number): void {
    const { side, state, isFollowed, x, y, opacity } = player;
    const { token, arrow } = art[side];
    const scale = tokenScale(player);
    putTurned(list, arrow, x, y, (-state.yaw * Math.PI) / 180, scale, mix(groundSquash, 1, 0.4), opacity);
    if (isFollowed) {
      putTurned(list, spinner, x, y, seconds * 0.9, 1, groundSquash, 0.9 * opacity);
      const [width, height] = [token.width * scale, token.height * scale];
      list.push({ op: "scaled", sprite: token, x, y, width, height, alpha: opacity });
    } else putCentred(list, token, x, y, opacity);
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
  }

  function drawBlindness(list: DisplayList, player: StagedPlayer, secondsLeft: number): void {
    if (secondsLeft <= 0) return;
    list.push({
      op: "disc",
      x: player.x,
      y: player.y,
      radius: 8.6 * unit * tokenScale(player),
      squash: 1,
      colour: "#ffffff",
      alpha: 0.9 * Math.min(1, secondsLeft * 1.6) * player.opacity,
    });
  }

  function drawHit(list: DisplayList, { x, y, opacity }: StagedPlayer, secondsSince: number): void {
    if (secondsSince >= hitSeconds) return;
    list.push({
      op: "ring",
      x,
      y,
      radius: (14 + secondsSince * 42) * unit,
      width: 3 * unit,
      squash: 1,
      fraction: 1,
      colour: accent,
      alpha: (1 - secondsSince / hitSeconds) * opacity,
    });
  }
}

/** A side's token, and the arrow that shows where a player looks. */
function sideArt(shelf: SpriteShelf, side: Side): { token: Sprite; arrow: Sprite } {
  const palette = sidePalette[side];
  const size = tokenRadius * 2 + 24;
  const token = shelf.sprite(`token-${side}`, size, size, (context) => {
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
  const arrow = shelf.sprite(`heading-${side}`, tokenRadius * 4.4, tokenRadius * 4.4, (context) => {
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

/** Seconds a player is still blind at a tick, 0 when they see. */
function blindSecondsLeft(stage: Stage): (player: PlayerIndex, tick: number) => number {
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
function secondsSinceHit(stage: Stage): (player: PlayerIndex, tick: number) => number {
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
