import { float32At, itemAt, uint8At } from "../../replay/checked-reads.ts";
import type { PlayerIndex } from "../../replay/match-record.ts";
import { type Box, overlapArea } from "../box.ts";
import type { CoveredAt } from "../camera.ts";
import type { Sprite } from "../display-list.ts";
import { fightPartners, type Involvement, namedPlayers, presence } from "../fights.ts";
import { smallText } from "../layout.ts";
import { sidePalette } from "../palette.ts";
import type { SpriteShelf } from "../sprite-shelf.ts";
import { type Layer, type Moment, put, type Stage, type StagedPlayer } from "../stage.ts";
import { tokenRadius, tokenScale } from "./players.ts";

/**
 * Places around a token, in order of preference: below, above, right, left, then farther away. `across` and `down` are in steps
 * that clear the token, `farther` in label heights.
 */
const placesAround: readonly { across: number; down: number; farther: number }[] = [
  { across: 0, down: 1, farther: 0 },
  { across: 0, down: -1, farther: 0 },
  { across: 1, down: 0, farther: 0 },
  { across: -1, down: 0, farther: 0 },
  { across: 0.6, down: 1, farther: 0 },
  { across: -0.6, down: 1, farther: 0 },
  { across: 0.6, down: -1, farther: 0 },
  { across: -0.6, down: -1, farther: 0 },
  { across: 0, down: 1, farther: 1 },
  { across: 0, down: -1, farther: -1 },
];
const hidden = 255;
const fadeFrames = 8;
/** How much better another place must be to be taken; more shortly after a change. */
const placeLoyalty = 1;
const newPlaceLoyalty = 2.2;
const settledFrames = 45;
/** How far ahead a label looks, so that it does not take a place that it must leave at once. */
const lookAheadSeconds = [0, 0.35, 0.8];

/** Where the names are at every frame of a segment. */
export interface LabelPlan {
  place(player: PlayerIndex, frame: number): { place: number; alpha: number } | null;
}

function labelSprite(shelf: SpriteShelf, name: string, colour: string, isFollowed: boolean): Sprite {
  return shelf.text(name, { weight: 700, size: isFollowed ? 32 : smallText, colour, outlined: true, widest: 190 });
}

/** Box of a label at one of its places around a token. */
function labelBox(place: number, x: number, y: number, width: number, height: number, gap: number): Box {
  const beside = gap + width / 2;
  const above = gap + height / 2;
  const { across, down, farther } = itemAt(placesAround, place);
  const dx = beside * across;
  const dy = above * down + height * farther;
  return { left: x + dx - width / 2, top: y + dy - height / 2, width, height };
}

interface Anchor {
  player: PlayerIndex;
  x: number;
  y: number;
  radius: number;
  /** null if this player's name is not drawn. */
  sprite: Sprite | null;
  /** 0..1: how visible the name is. */
  share: number;
  /** No name may cover this token: it belongs to the followed player or somebody they fight or have just killed. */
  isKept: boolean;
}

/**
 * Decides for every frame where each name is. Names are shown for the followed player, those they fight, and anybody about to decide
 * something. Names never overlap, and none covers somebody in the fight: a name stays where it is until another gets in
 * its way, then takes the free place that covers least of other tokens. Names of players packed too tightly are left out.
 *
 * @param coveredAt what covers the map; names keep away from it where they can.
 */
export function planLabels(
  stage: Stage,
  momentAt: (frame: number) => Moment,
  frameCount: number,
  coveredAt: CoveredAt,
): LabelPlan {
  const playerCount = stage.names.length;
  const places = new Uint8Array(frameCount * playerCount).fill(hidden);
  const alphas = new Float32Array(frameCount * playerCount);
  const anchorsAt = anchorsOf(stage, momentAt);
  const lookAhead = lookAheadSeconds.map((seconds) => Math.round(seconds * stage.framesPerSecond));
  const farthestAhead = Math.max(...lookAhead);
  /** Anchors of the frame being planned and of those after it. */
  const window: Anchor[][] = [];
  /** By player: the place in the frame before, and for how many frames it has been the same, up to 255. */
  const previous = new Uint8Array(playerCount).fill(hidden);
  const sinceChange = new Uint8Array(playerCount).fill(255);

  for (let frame = 0; frame < frameCount; frame++) {
    if (frame === 0) for (let i = 0; i <= farthestAhead; i++) window.push(anchorsAt(Math.min(i, frameCount - 1)));
    else {
      window.shift();
      window.push(anchorsAt(Math.min(frame + farthestAhead, frameCount - 1)));
    }
    const taken: Box[] = [];
    const present = new Uint8Array(playerCount);
    for (const anchor of itemAt(window, 0)) {
      if (!anchor.sprite) continue;
      const { player } = anchor;
      present[player] = 1;
      const chosen = bestPlace(anchor, frame, taken);
      if (chosen !== hidden) taken.push(boxAround(anchor, anchor.sprite, chosen));
      const isSame = chosen === uint8At(previous, player);
      if (frame === 0) sinceChange[player] = 255;
      else sinceChange[player] = isSame ? Math.min(255, uint8At(sinceChange, player) + 1) : 0;
      previous[player] = chosen;
      const index = frame * playerCount + player;
      places[index] = chosen;
      alphas[index] = anchor.share * Math.min(1, (uint8At(sinceChange, player) + 1) / fadeFrames);
    }
    for (let player = 0; player < playerCount; player++) if (!present[player]) previous[player] = hidden;
  }

  /** The free place that costs least, or `hidden` if none is free. */
  function bestPlace(anchor: Anchor, frame: number, taken: readonly Box[]): number {
    const { player } = anchor;
    const last = uint8At(previous, player);
    const loyalty = uint8At(sinceChange, player) < settledFrames ? newPlaceLoyalty : placeLoyalty;
    let chosen = hidden;
    let min = Number.POSITIVE_INFINITY;
    for (let place = 0; place < placesAround.length; place++) {
      if (!isFree(anchor, place, taken, itemAt(window, 0))) continue;
      let cost = place * 0.12;
      if (place === last) cost -= loyalty;
      for (const ahead of lookAhead) cost += costAhead(player, place, frame, ahead);
      if (cost < min) {
        min = cost;
        chosen = place;
      }
    }
    return chosen;
  }

  /** The cost of a place some frames from now. */
  function costAhead(player: PlayerIndex, place: number, frame: number, ahead: number): number {
    const anchors = itemAt(window, ahead);
    const anchor = anchors.find((other) => other.player === player);
    if (!anchor?.sprite) return 0;
    const box = boxAround(anchor, anchor.sprite, place);
    const area = box.width * box.height;
    let cost = 0;
    for (const other of anchors) {
      if (other.player === player) continue;
      cost += (overlapArea(box, tokenBox(other)) / area) * (other.isKept ? 12 : 2);
      const otherPlace = uint8At(previous, other.player);
      if (other.sprite && otherPlace !== hidden)
        cost += (overlapArea(box, boxAround(other, other.sprite, otherPlace)) / area) * 3;
    }
    if (box.left < 0 || box.top < 0 || box.left + box.width > stage.width || box.top + box.height > stage.height)
      cost += 2;
    const covered = coveredAt(Math.min(frame + ahead, frameCount - 1));
    if (covered.some((panel) => overlapArea(box, panel) > 0)) cost += 1.6;
    return cost;
  }

  return {
    place(player, frame) {
      const index = frame * playerCount + player;
      const place = places[index];
      if (place === undefined || place === hidden || stage.timeline.sides[player] === null) return null;
      return { place, alpha: float32At(alphas, index) };
    },
  };
}

/** Everybody whose name is drawn, or whose token must stay free, at a frame; the most important first. */
function anchorsOf(stage: Stage, momentAt: (frame: number) => Moment): (frame: number) => Anchor[] {
  const { timeline, unit } = stage;
  const shareOf = shares(namedPlayers(timeline), timeline.tickRate);
  const fightShareOf = shares(fightPartners(timeline), timeline.tickRate);
  return (frame) => {
    const { players, tick } = momentAt(frame);
    return players
      .map((player): Anchor => {
        const share = player.isFollowed ? 1 : shareOf(player.player, tick);
        const isNamed = share > 0 && player.isAlive && player.opacity > 0.02;
        const isKept = player.isFollowed || fightShareOf(player.player, tick) > 0.5;
        return {
          player: player.player,
          x: player.x,
          y: player.y,
          radius: (tokenRadius * tokenScale(player) + 3) * unit,
          sprite: isNamed ? nameOf(stage, player) : null,
          share,
          isKept: isKept && player.opacity > 0.02,
        };
      })
      .filter(({ player, isKept }) => isKept || players.some((other) => other.player === player && other.isAlive))
      .sort((a, b) => Number(b.share === 1) - Number(a.share === 1) || a.player - b.player);
  };
}

function boxAround(anchor: Anchor, sprite: Sprite, place: number): Box {
  return labelBox(place, anchor.x, anchor.y, sprite.width, sprite.height * 0.8, anchor.radius);
}

/** Whether a name there overlaps no other name and nobody in the fight. */
function isFree(anchor: Anchor, place: number, taken: readonly Box[], anchors: readonly Anchor[]): boolean {
  if (!anchor.sprite) return false;
  const box = boxAround(anchor, anchor.sprite, place);
  return (
    taken.every((other) => overlapArea(box, other) === 0) &&
    anchors.every((other) => !other.isKept || other.player === anchor.player || overlapArea(box, tokenBox(other)) === 0)
  );
}

function tokenBox({ x, y, radius }: Anchor): Box {
  return { left: x - radius, top: y - radius, width: 2 * radius, height: 2 * radius };
}

/** How much each player is involved in something at a tick, 0..1. */
function shares(involvements: readonly Involvement[], tickRate: number): (player: PlayerIndex, tick: number) => number {
  return (player, tick) => {
    let share = 0;
    for (const involvement of involvements) {
      if (involvement.player === player) share = Math.max(share, presence(involvement, tick, tickRate));
    }
    return share;
  };
}

function nameOf({ names, shelf }: Stage, { player, side, isFollowed }: StagedPlayer): Sprite {
  return labelSprite(shelf, itemAt(names, player), isFollowed ? "#ffffff" : sidePalette[side].light, isFollowed);
}

/** Names beside the tokens. */
export function labelLayer(stage: Stage, plan: LabelPlan): Layer {
  const { unit } = stage;
  return (list, { frame, players }) => {
    for (const player of players) {
      if (!player.isAlive || player.opacity < 0.02) continue;
      const placed = plan.place(player.player, frame);
      if (!placed) continue;
      const sprite = nameOf(stage, player);
      const radius = (tokenRadius * tokenScale(player) + 3) * unit;
      const box = labelBox(placed.place, player.x, player.y, sprite.width, sprite.height * 0.8, radius);
      put(list, sprite, box.left, box.top - sprite.height * 0.1, player.opacity * placed.alpha);
    }
  };
}
