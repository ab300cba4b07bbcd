import { itemAt, uint8At } from "../../replay/checked-reads.ts";
import type { PlayerIndex } from "../../replay/match-record.ts";
import type { Sprite } from "../display-list.ts";
import { sidePalette } from "../palette.ts";
import type { SpriteShelf } from "../sprite-shelf.ts";
import { type Layer, put, type Stage, type StagedPlayer } from "../stage.ts";
import { tokenRadius, tokenScale } from "./players.ts";

/**
 * Places around a token, in order of liking: below, above, right, left, then farther off. `across` and `down` are in steps
 * that clear the token, `farther` in heights of the label.
 */
const placesAround: readonly { across: number; down: number; farther: number }[] = [
  { across: 0, down: 1, farther: 0 },
  { across: 0, down: -1, farther: 0 },
  { across: 1, down: 0, farther: 0 },
  { across: -1, down: 0, farther: 0 },
  { across: 0.8, down: 0.8, farther: 0 },
  { across: -0.8, down: 0.8, farther: 0 },
  { across: 0.8, down: -0.8, farther: 0 },
  { across: -0.8, down: -0.8, farther: 0 },
  { across: 0, down: 1, farther: 1 },
  { across: 0, down: -1, farther: -1 },
];
const hidden = 255;
const fadeFrames = 8;
/** What a better place must be better by; more so shortly after a change. */
const placeLoyalty = 1;
const newPlaceLoyalty = 2.2;
const settledFrames = 45;
/** A label looks this far ahead, so that it does not take a place it must leave at once. */
const lookAheadSeconds = [0, 0.35, 0.8];

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Where the names stand at every frame of a segment. */
export interface LabelPlan {
  place(player: PlayerIndex, frame: number): { place: number; alpha: number } | null;
}

export function labelSprite(shelf: SpriteShelf, name: string, colour: string, isFollowed: boolean): Sprite {
  return shelf.text(name, { weight: 700, size: isFollowed ? 17 : 14, colour, outlined: true, widest: 150 });
}

/** Box of a label at one of its places around a token. */
export function labelBox(place: number, x: number, y: number, width: number, height: number, gap: number): Box {
  const beside = gap + width / 2;
  const above = gap + height / 2;
  const { across, down, farther } = itemAt(placesAround, place);
  const dx = beside * across;
  const dy = above * down + height * farther;
  return { left: x + dx - width / 2, top: y + dy - height / 2, width, height };
}

export function overlapArea(a: Box, b: Box): number {
  const width = Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left);
  const height = Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top);
  return width > 0 && height > 0 ? width * height : 0;
}

interface Anchor {
  player: PlayerIndex;
  x: number;
  y: number;
  radius: number;
  sprite: Sprite;
  isFollowed: boolean;
}

/**
 * Decides for every frame where each name stands, so that no two names ever overlap: a name stays where it is until
 * another comes in its way, then takes the free place that covers least of other tokens. Names of players packed too
 * tightly are left out.
 *
 * @param panels what covers the map; names keep away from it where they can.
 */
export function planLabels(
  stage: Stage,
  playersAt: (frame: number) => readonly StagedPlayer[],
  frameCount: number,
  panels: readonly Box[],
): LabelPlan {
  const { names, shelf, timeline, unit } = stage;
  const playerCount = names.length;
  const places = new Uint8Array(frameCount * playerCount).fill(hidden);
  const ages = new Uint8Array(frameCount * playerCount);
  const lookAhead = lookAheadSeconds.map((seconds) => Math.round(seconds * stage.framesPerSecond));
  const farthestAhead = Math.max(...lookAhead);
  const window: Anchor[][] = [];
  const anchorsAt = (frame: number): Anchor[] =>
    playersAt(frame)
      .filter((player) => player.isAlive && player.opacity > 0.02)
      .map((player) => ({
        player: player.player,
        x: player.x,
        y: player.y,
        radius: (tokenRadius * tokenScale(player) + 3) * unit,
        sprite: labelSprite(
          shelf,
          itemAt(names, player.player),
          player.isFollowed ? "#ffffff" : sidePalette[player.side].light,
          player.isFollowed,
        ),
        isFollowed: player.isFollowed,
      }))
      .sort((a, b) => Number(b.isFollowed) - Number(a.isFollowed) || a.player - b.player);

  const previous = new Uint8Array(playerCount).fill(hidden);
  const sinceChange = new Uint8Array(playerCount).fill(255);
  for (let frame = 0; frame < frameCount; frame++) {
    if (frame === 0) for (let i = 0; i <= farthestAhead; i++) window.push(anchorsAt(Math.min(i, frameCount - 1)));
    else {
      window.shift();
      window.push(anchorsAt(Math.min(frame + farthestAhead, frameCount - 1)));
    }
    const anchors = itemAt(window, 0);
    const taken: Box[] = [];
    const present = new Uint8Array(playerCount);
    for (const anchor of anchors) {
      present[anchor.player] = 1;
      const last = uint8At(previous, anchor.player);
      let chosen = hidden;
      let min = Number.POSITIVE_INFINITY;
      for (let place = 0; place < placesAround.length; place++) {
        if (!isFree(boxOf(anchor, place), taken)) continue;
        let cost = place * 0.12;
        if (place === last)
          cost -= uint8At(sinceChange, anchor.player) < settledFrames ? newPlaceLoyalty : placeLoyalty;
        for (const ahead of lookAhead) cost += costAhead(anchor.player, place, itemAt(window, ahead));
        if (cost < min) {
          min = cost;
          chosen = place;
        }
      }
      if (chosen !== hidden) taken.push(boxOf(anchor, chosen));
      if (frame === 0) sinceChange[anchor.player] = 255;
      else sinceChange[anchor.player] = chosen === last ? Math.min(255, uint8At(sinceChange, anchor.player) + 1) : 0;
      previous[anchor.player] = chosen;
      places[frame * playerCount + anchor.player] = chosen;
      ages[frame * playerCount + anchor.player] = uint8At(sinceChange, anchor.player);
    }
    for (let player = 0; player < playerCount; player++) if (!present[player]) previous[player] = hidden;
  }

  function boxOf(anchor: Anchor, place: number): Box {
    return labelBox(place, anchor.x, anchor.y, anchor.sprite.width, anchor.sprite.height * 0.8, anchor.radius);
  }
  function isFree(box: Box, taken: readonly Box[]): boolean {
    return taken.every((other) => overlapArea(box, other) === 0);
  }
  /** Part of the label that other tokens cover. */
  function tokenCover(anchor: Anchor, place: number, anchors: readonly Anchor[]): number {
    const box = boxOf(anchor, place);
    let covered = 0;
    for (const other of anchors) {
      if (other.player === anchor.player) continue;
      const { radius, x, y } = other;
      covered += overlapArea(box, { left: x - radius, top: y - radius, width: 2 * radius, height: 2 * radius });
    }
    return covered / (box.width * box.height);
  }
  function costAhead(player: PlayerIndex, place: number, anchors: readonly Anchor[]): number {
    const anchor = anchors.find((other) => other.player === player);
    if (!anchor) return 0;
    const box = boxOf(anchor, place);
    let cost = tokenCover(anchor, place, anchors) * 2;
    for (const other of anchors) {
      if (other.player === player) continue;
      const otherPlace = uint8At(previous, other.player);
      if (otherPlace !== hidden) cost += (overlapArea(box, boxOf(other, otherPlace)) / (box.width * box.height)) * 3;
    }
    if (box.left < 0 || box.top < 0 || box.left + box.width > stage.width || box.top + box.height > stage.height)
      cost += 2;
    if (panels.some((panel) => overlapArea(box, panel) > 0)) cost += 0.8;
    return cost;
  }

  return {
    place(player, frame) {
      const index = frame * playerCount + player;
      const place = places[index];
      if (place === undefined || place === hidden || timeline.sides[player] === null) return null;
      return { place, alpha: Math.min(1, (uint8At(ages, index) + 1) / fadeFrames) };
    },
  };
}

/** Names beside the tokens. */
export function labelLayer(stage: Stage, plan: LabelPlan): Layer {
  const { names, shelf, unit } = stage;
  return (list, { frame, players }) => {
    for (const player of players) {
      if (!player.isAlive || player.opacity < 0.02) continue;
      const placed = plan.place(player.player, frame);
      if (!placed) continue;
      const colour = player.isFollowed ? "#ffffff" : sidePalette[player.side].light;
      const sprite = labelSprite(shelf, itemAt(names, player.player), colour, player.isFollowed);
      const radius = (tokenRadius * tokenScale(player) + 3) * unit;
      const box = labelBox(placed.place, player.x, player.y, sprite.width, sprite.height * 0.8, radius);
      put(list, sprite, box.left, box.top - sprite.height * 0.1, player.opacity * placed.alpha);
    }
  };
}
