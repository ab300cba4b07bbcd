import type { PlayerIndex, Side } from "../../replay/match-record.ts";
import type { PlayerState } from "../../replay/sample-track.ts";
import type { DisplayList, Sprite } from "../display-list.ts";
import { clamp, smoothStep } from "../easing.ts";
import { weaponLook } from "../icons/weapon-icons.ts";
import { healthColours, sidePalette } from "../palette.ts";
import { iconWidth, paintIcon, paintPanel } from "../sprite-shelf.ts";
import { type Panel, put, putBar, putCentred, type Stage } from "../stage.ts";
import { avatarSprite } from "./avatar.ts";
import { equipmentSprite } from "./equipment.ts";

/** A dead player's card stays this long, then closes; seconds of video. */
const fallenSeconds = 0.5;
const closingSeconds = 0.3;
/** Health just lost stays on the bar for this long; seconds of play. */
const woundSeconds = 0.4;
/** Most cards per side: as many players as the game has on a side. */
const mostOfSide = 5;

/**
 * A card for every living player, counter-terrorists' to the left of the middle: picture, weapon in hand, armour, bomb or kit, grenades, health. The
 * followed player's is narrow, since they have a panel; without x-ray an opponent's shows only that they are alive.
 */
export function stripPanel(stage: Stage): Panel {
  const { timeline, timeMap, unit } = stage;
  const { middle, top, inner, gap, card } = stage.layout.strips;
  const parts = stripParts(stage);
  const { segment, tickRate } = timeline;
  const rows = (["CT", "T"] as const).map((side) => ({ side, players: playersOf(stage, side) }));

  /** 1 while a player is alive, less while their card closes. */
  const openness = (player: PlayerIndex, seconds: number): number => {
    const diedAt = timeMap.secondsAt(timeline.deathTick(player));
    return 1 - smoothStep(fallenSeconds, fallenSeconds + closingSeconds, seconds - diedAt);
  };

  return (list, { tick, seconds }) => {
    for (const { side, players } of rows) {
      let from = inner;
      for (const player of players) {
        const isAlive = timeline.isAlive(player, tick);
        const open = isAlive ? 1 : timeline.deathTick(player) <= tick ? openness(player, seconds) : 0;
        if (open <= 0) continue;
        const isKnown = stage.sight === null || timeline.isTeammate(player, segment.player);
        // The followed player's equipment is in their own panel.
        const isWide = isKnown && player !== segment.player;
        const width = isWide ? card.width : card.closedWidth;
        const left = middle + (side === "CT" ? -from - width : from);
        // A closing card pulls the others along, and is gone before they arrive.
        from += (width + gap) * open;
        const alpha = isAlive ? 1 : clamp(2 * open - 1, 0, 1);
        drawCard(list, { player, side, left, width, isAlive, isKnown, isWide, tick, alpha });
      }
    }
  };

  function drawCard(list: DisplayList, shown: ShownCard): void {
    const { player, side, left, width, isAlive, isKnown, isWide, tick, alpha } = shown;
    const x = Math.round(left * unit);
    const y = Math.round(top * unit);
    const isFollowed = player === segment.player;
    put(list, parts.plate(side, width, isFollowed, isAlive), x, y, alpha);
    const avatarMiddle = x + (isWide ? card.padding + card.avatar / 2 : width / 2) * unit;
    const upper = y + (card.padding + card.avatar / 2) * unit;
    const avatarTop = isWide ? card.padding : (card.height - card.padding - card.bar - card.avatar) / 2;
    const avatarLevel = y + (avatarTop + card.avatar / 2) * unit;
    putCentred(
      list,
      avatarSprite(stage, player, card.avatar),
      avatarMiddle,
      avatarLevel,
      isAlive ? alpha : 0.35 * alpha,
    );
    if (!isAlive) {
      putCentred(list, parts.fallen, x + (width * unit) / 2, y + (card.height * unit) / 2, alpha);
      return;
    }
    const state = timeline.state(player, tick);
    if (!state) return;
    if (isWide) {
      const weaponMiddle = x + ((width + card.avatar + card.padding) / 2) * unit;
      if (state.weapon !== null) putCentred(list, parts.weapon(state.weapon), weaponMiddle, upper, alpha);
      const items = parts.items(state, side);
      if (items) put(list, items, x + card.padding * unit, y + card.itemsTop * unit, alpha);
    }
    const bar = (fraction: number, colour: string, barAlpha = alpha) =>
      putBar(
        list,
        x + Math.round(card.padding * unit),
        y + Math.round((card.height - card.padding - card.bar) * unit),
        Math.round((width - 2 * card.padding) * fraction * unit),
        Math.max(1, Math.round(card.bar * unit)),
        colour,
        barAlpha,
      );
    if (!isKnown) {
      bar(1, sidePalette[side].main);
      return;
    }
    const before = timeline.state(player, tick - woundSeconds * tickRate)?.health ?? state.health;
    bar(1, "#2a3646");
    if (before > state.health) bar(clamp(before / 100, 0, 1), "#ffffff", 0.8 * alpha);
    bar(clamp(state.health / 100, 0.03, 1), state.health > 20 ? sidePalette[side].main : healthColours.critical);
  }
}

interface ShownCard {
  player: PlayerIndex;
  side: Side;
  /** Units. */
  left: number;
  width: number;
  isAlive: boolean;
  /** Whether the card shows their health. */
  isKnown: boolean;
  /** Whether the card shows their equipment. */
  isWide: boolean;
  tick: number;
  alpha: number;
}

/** Whose cards a side has, from the middle outwards: the followed player first, the others in the order of the match. */
function playersOf({ timeline }: Stage, side: Side): PlayerIndex[] {
  const { segment, roster } = timeline;
  return roster
    .filter((player) => timeline.sides[player] === side && timeline.deathTick(player) > segment.startTick)
    .filter((player) => timeline.isAlive(player, segment.startTick))
    .sort((a, b) => Number(b === segment.player) - Number(a === segment.player) || a - b)
    .slice(0, mostOfSide);
}

interface StripParts {
  plate(side: Side, width: number, isFollowed: boolean, isAlive: boolean): Sprite;
  weapon(name: string): Sprite;
  /** Null for a player who has only a weapon. */
  items(state: PlayerState, side: Side): Sprite | null;
  fallen: Sprite;
}

function stripParts({ shelf, layout }: Stage): StripParts {
  const { card } = layout.strips;
  return {
    plate(side, width, isFollowed, isAlive) {
      const { main } = sidePalette[side];
      const key = `strip-${side}-${width}-${isFollowed ? "followed" : ""}-${isAlive ? "" : "fallen"}`;
      return shelf.sprite(key, width, card.height, (context) => {
        const edge = isFollowed ? "rgba(255, 255, 255, 0.9)" : "rgba(140, 180, 220, 0.22)";
        paintPanel(context, width, card.height, 7, isAlive ? undefined : "rgba(8, 13, 21, 0.6)", edge);
        context.fillStyle = main;
        context.beginPath();
        context.roundRect(8, 0, width - 16, 3, [0, 0, 3, 3]);
        if (isAlive) context.fill();
      });
    },
    weapon(name) {
      const { icon } = weaponLook(name);
      const width = Math.ceil(iconWidth(icon, card.weaponHeight, card.width - card.avatar - 3 * card.padding));
      return shelf.sprite(`strip-weapon-${icon}`, width, card.weaponHeight, (context, kit) => {
        paintIcon(context, kit, icon, width / 2, card.weaponHeight / 2, width, card.weaponHeight, "#ffffff");
      });
    },
    items: (state, side) =>
      equipmentSprite(shelf, state, side, { size: card.items, widest: card.width - 2 * card.padding }),
    fallen: shelf.sprite("strip-fallen", 24, 24, (context, kit) => {
      paintIcon(context, kit, "death-skull", 12, 12, 22, 22, "#c3ccd8");
    }),
  };
}
