import { float32At, itemAt } from "../../replay/checked-reads.ts";
import type { Side } from "../../replay/match-record.ts";
import { plantedBomb } from "../bomb-timeline.ts";
import type { CameraView } from "../camera.ts";
import type { DisplayList, Sprite } from "../display-list.ts";
import { clamp, mix, smoothStep } from "../easing.ts";
import { type Layout, smallText } from "../layout.ts";
import { accent, sidePalette } from "../palette.ts";
import type { Relief } from "../relief/build-relief.ts";
import { groundSquash } from "../relief/projection.ts";
import type { WalkableGrid } from "../relief/walkable-grid.ts";
import { floorAt, restingPlace, smokeRadius } from "../sight.ts";
import { sitePlaces } from "../site-places.ts";
import { paintPanel, type SpriteShelf } from "../sprite-shelf.ts";
import { type Layer, put, putCentred, putTurned, type Stage, type StagedPlayer } from "../stage.ts";

/** Canvas on which a scene bakes pictures; those of the browser and of @napi-rs/canvas both satisfy it. */
export interface SceneCanvas {
  width: number;
  height: number;
  getContext(kind: "2d"): {
    createImageData(width: number, height: number): ImageData;
    putImageData(image: ImageData, x: number, y: number): void;
  } | null;
}

const padding = 7;
/** How much more height a map with two floors may take. */
const secondFloorHeight = 10;
/** Red, green and blue of the walkable ground at its highest, and of its edge. */
const groundColour = [92, 118, 146];
const rimColour = [170, 200, 226];

interface RadarFloor {
  grid: WalkableGrid;
  /** Frame pixels per world unit. */
  scale: number;
  /** World coordinates of the drawn rectangle's upper left corner. */
  west: number;
  north: number;
  /** Where it lies in the frame. */
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface RadarPlan {
  panel: Sprite;
  left: number;
  top: number;
  floors: RadarFloor[];
}

/** Plans the radar: the whole map from straight above, its floors one below the other. */
export function planRadar(
  relief: Relief,
  shelf: SpriteShelf,
  place: Layout["radar"],
  createCanvas: (width: number, height: number) => SceneCanvas,
): RadarPlan {
  const { unit } = shelf;
  const extents = relief.floors.map(({ grid }) => ({ grid, ...walkedExtent(grid) }));
  const gap = 8;
  const scaleToFit = (width: number, height: number) => {
    const widths = extents.map((extent) => extent.east - extent.west);
    const heights = extents.map((extent) => extent.north - extent.south);
    const gaps = gap * (extents.length - 1);
    return Math.min(width / Math.max(...widths), (height - gaps) / heights.reduce((sum, value) => sum + value, 0));
  };
  const bonus = extents.length > 1 ? secondFloorHeight : 0;
  const scale = scaleToFit(place.width - 2 * padding, place.height + bonus - 2 * padding);
  const sizes = extents.map((extent) => ({
    extent,
    width: (extent.east - extent.west) * scale,
    height: (extent.north - extent.south) * scale,
  }));
  const panelWidth = Math.max(...sizes.map((size) => size.width)) + 2 * padding;
  const panelHeight = sizes.reduce((sum, size) => sum + size.height, 0) + gap * (sizes.length - 1) + 2 * padding;
  const left = Math.round(place.left * unit);
  const top = Math.round((place.bottom - panelHeight) * unit);

  let down = padding;
  const floors = sizes.map(({ extent, ...size }): RadarFloor => {
    const across = padding + (panelWidth - 2 * padding - size.width) / 2;
    const floor: RadarFloor = {
      grid: extent.grid,
      scale: scale * unit,
      west: extent.west,
      north: extent.north,
      left: left + Math.round(across * unit),
      top: top + Math.round(down * unit),
      width: Math.max(1, Math.round(size.width * unit)),
      height: Math.max(1, Math.round(size.height * unit)),
    };
    down += size.height + gap;
    return floor;
  });
  const pictures = floors.map((floor) => paintPlan(floor, createCanvas));
  const panel = shelf.sprite(`radar-${itemAt(relief.floors, 0).image.key}`, panelWidth, panelHeight, (context) => {
    paintPanel(context, panelWidth, panelHeight, 9, "rgba(6, 10, 16, 0.86)", "rgba(150, 190, 230, 0.4)");
    for (const [i, floor] of floors.entries()) {
      const picture = pictures[i] as unknown as CanvasImageSource;
      const x = (floor.left - left) / unit;
      const y = (floor.top - top) / unit;
      context.drawImage(picture, x, y, floor.width / unit, floor.height / unit);
    }
  });
  return { panel, left, top, floors };
}

function walkedExtent(grid: WalkableGrid) {
  let [west, east, south, north] = [grid.columns, 0, 0, grid.rows];
  for (let row = 0; row < grid.rows; row++) {
    for (let column = 0; column < grid.columns; column++) {
      if (float32At(grid.edgeDistance, row * grid.columns + column) < 0) continue;
      west = Math.min(west, column);
      east = Math.max(east, column + 1);
      north = Math.min(north, row);
      south = Math.max(south, row + 1);
    }
  }
  const room = 24;
  return {
    west: grid.west + west * grid.cell - room,
    east: grid.west + east * grid.cell + room,
    north: grid.north - north * grid.cell + room,
    south: grid.north - south * grid.cell - room,
  };
}

function paintPlan(floor: RadarFloor, createCanvas: (width: number, height: number) => SceneCanvas): SceneCanvas {
  const { grid, scale, width, height } = floor;
  const canvas = createCanvas(width, height);
  const context = canvas.getContext("2d");
  if (!context) throw new Error("The canvas has no 2D context.");
  const image = context.createImageData(width, height);
  const pixel = 1 / scale;
  const heights = Float32Array.from(grid.height).sort();
  const lowest = float32At(heights, Math.floor(heights.length * 0.05));
  const highest = Math.max(lowest + 100, float32At(heights, Math.floor(heights.length * 0.97)));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const column = (floor.west + (x + 0.5) / scale - grid.west) / grid.cell - 0.5;
      const row = (grid.north - floor.north + (y + 0.5) / scale) / grid.cell - 0.5;
      const c = clamp(Math.floor(column), 0, grid.columns - 2);
      const r = clamp(Math.floor(row), 0, grid.rows - 2);
      const u = clamp(column - c, 0, 1);
      const v = clamp(row - r, 0, 1);
      const at = r * grid.columns + c;
      const blend = (field: Float32Array) =>
        (float32At(field, at) * (1 - u) + float32At(field, at + 1) * u) * (1 - v) +
        (float32At(field, at + grid.columns) * (1 - u) + float32At(field, at + grid.columns + 1) * u) * v;
      const edge = blend(grid.edgeDistance);
      const inside = smoothStep(-pixel, 0, edge);
      if (inside <= 0) continue;
      const border = 1 - smoothStep(pixel * 0.6, pixel * 1.7, edge);
      const light = 0.55 + 0.45 * clamp((blend(grid.height) - lowest) / (highest - lowest), 0, 1);
      const offset = (y * width + x) * 4;
      for (const [channel, ground] of groundColour.entries()) {
        image.data[offset + channel] = mix(ground * light, itemAt(rimColour, channel), border);
      }
      image.data[offset + 3] = 255 * inside;
    }
  }
  context.putImageData(image, 0, 0);
  return canvas;
}

/** The radar: sites, smokes, the camera's view, the bomb, and the players on their floors. */
export function radarLayer(stage: Stage, plan: RadarPlan): Layer {
  const { timeline, unit, relief, sight } = stage;
  const marks = radarMarks(stage.shelf);
  const smokes = timeline.grenades
    .filter((grenade) => grenade.kind === "smoke" && grenade.expireTick > grenade.detonateTick)
    .map((grenade) => ({ grenade, place: restingPlace(grenade) }));
  const siteLetters = sitePlaces(timeline.record).map(({ site, x, y, z }) => ({
    sprite: stage.shelf.text(site, { weight: 700, size: smallText, colour: "#ffd9a0" }),
    x,
    y,
    floor: itemAt(plan.floors, floorAt(relief, z)),
  }));

  return (list, { tick, view, players }) => {
    put(list, plan.panel, plan.left, plan.top);
    const shown = plan.floors[view.camera.floor] ?? itemAt(plan.floors, 0);
    drawSites(list);
    drawSmokes(list, tick, shown.scale);
    drawViewFrame(list, view.camera, shown);
    drawBomb(list, tick);
    const others = players.filter(({ isFollowed }) => !isFollowed);
    for (const player of others.filter(({ isAlive }) => !isAlive)) drawPlayer(list, player, tick);
    for (const player of others.filter(({ isAlive }) => isAlive)) drawPlayer(list, player, tick);
    const followed = players.find(({ isFollowed }) => isFollowed);
    if (followed) drawFollowed(list, followed);
  };

  /** Where a place of the world is on the radar, at the edge of its floor if it is beyond. */
  function placeOf(x: number, y: number, z: number): [number, number] {
    const floor = itemAt(plan.floors, floorAt(relief, z));
    return [
      floor.left + clamp((x - floor.west) * floor.scale, 0, floor.width),
      floor.top + clamp((floor.north - y) * floor.scale, 0, floor.height),
    ];
  }

  function drawSites(list: DisplayList): void {
    for (const { sprite, floor, x, y } of siteLetters) {
      const left = floor.left + (x - floor.west) * floor.scale;
      putCentred(list, sprite, left, floor.top + (floor.north - y) * floor.scale, 0.85);
    }
  }

  function drawSmokes(list: DisplayList, tick: number, scale: number): void {
    for (const { grenade, place } of smokes) {
      if (tick < grenade.detonateTick || tick >= grenade.expireTick) continue;
      const [x, y] = placeOf(place.x, place.y, place.z);
      list.push({ op: "disc", x, y, radius: smokeRadius * scale, squash: 1, colour: "#c9d2de", alpha: 0.55 });
    }
  }

  function drawBomb(list: DisplayList, tick: number): void {
    const bomb = plantedBomb(timeline, tick);
    if (bomb?.position && bomb.explodedTick === null) putCentred(list, marks.bomb, ...placeOf(...bomb.position));
  }

  function drawPlayer(list: DisplayList, { player, side, state, isAlive }: StagedPlayer, tick: number): void {
    const seen = sight ? sight.opacity(player, isAlive ? tick : timeline.deathTick(player)) : 1;
    const [x, y] = placeOf(state.x, state.y, state.z);
    if (isAlive) putTurned(list, marks.dots[side], x, y, frameAngle(state.yaw), 1, 1, seen);
    else putCentred(list, marks.fallen[side], x, y, 0.6 * seen);
  }

  function drawFollowed(list: DisplayList, { side, state, isAlive }: StagedPlayer): void {
    const [x, y] = placeOf(state.x, state.y, state.z);
    if (isAlive) putTurned(list, marks.followed[side], x, y, frameAngle(state.yaw), 1, 1, 1);
    else putCentred(list, marks.fallen[side], x, y);
  }

  /** Outline of what the camera shows, cut off at the radar's edge. */
  function drawViewFrame(list: DisplayList, camera: CameraView, floor: RadarFloor): void {
    const { projection } = relief;
    const beyond = 4 * unit;
    const radarX = (mapX: number) => {
      const worldX = mapX / projection.scale - projection.margin + projection.west;
      return floor.left + clamp((worldX - floor.west) * floor.scale, -beyond, floor.width + beyond);
    };
    const radarY = (mapY: number) => {
      const worldY = projection.north + projection.margin - mapY / projection.scale / groundSquash;
      return floor.top + clamp((floor.north - worldY) * floor.scale, -beyond, floor.height + beyond);
    };
    const x0 = radarX(camera.left);
    const x1 = radarX(camera.left + camera.width);
    const y0 = radarY(camera.top);
    const y1 = radarY(camera.top + camera.height);
    for (const [ax, ay, bx, by] of [
      [x0, y0, x1, y0],
      [x1, y0, x1, y1],
      [x1, y1, x0, y1],
      [x0, y1, x0, y0],
    ] as const) {
      list.push({
        op: "line",
        x0: ax,
        y0: ay,
        x1: bx,
        y1: by,
        width: 1.2 * unit,
        colour: "#ffffff",
        alpha0: 0.6,
        alpha1: 0.6,
      });
    }
  }
}

/** Radians clockwise in the frame, of degrees anticlockwise in the world. */
function frameAngle(yaw: number): number {
  return (-yaw * Math.PI) / 180;
}

interface RadarMarks {
  dots: Record<Side, Sprite>;
  followed: Record<Side, Sprite>;
  fallen: Record<Side, Sprite>;
  bomb: Sprite;
}

function radarMarks(shelf: SpriteShelf): RadarMarks {
  return {
    dots: { CT: playerDot(shelf, "CT", false), T: playerDot(shelf, "T", false) },
    followed: { CT: playerDot(shelf, "CT", true), T: playerDot(shelf, "T", true) },
    fallen: { CT: fallenCross(shelf, "CT"), T: fallenCross(shelf, "T") },
    bomb: shelf.sprite("radar-bomb", 10, 10, (context) => {
      context.fillStyle = accent;
      context.strokeStyle = "#ffffff";
      context.lineWidth = 1.2;
      context.beginPath();
      context.rect(2, 2, 6, 6);
      context.fill();
      context.stroke();
    }),
  };
}

/** Round for counter-terrorists, a diamond for terrorists, with the nose to the right. */
function playerDot(shelf: SpriteShelf, side: Side, isFollowed: boolean): Sprite {
  return shelf.sprite(`radar-${side}-${isFollowed}`, 24, 24, (context) => {
    context.translate(12, 12);
    const size = isFollowed ? 5.2 : 4;
    context.fillStyle = isFollowed ? "#ffffff" : sidePalette[side].main;
    context.strokeStyle = isFollowed ? sidePalette[side].main : "rgba(3, 6, 10, 0.9)";
    context.lineWidth = isFollowed ? 2 : 1.2;
    context.beginPath();
    context.moveTo(size + 4.5, 0);
    context.lineTo(size * 0.5, size * 0.85);
    context.lineTo(size * 0.5, -size * 0.85);
    context.closePath();
    context.fill();
    context.beginPath();
    if (side === "CT") context.arc(0, 0, size, 0, Math.PI * 2);
    else {
      context.moveTo(0, -size * 1.2);
      context.lineTo(size * 1.2, 0);
      context.lineTo(0, size * 1.2);
      context.lineTo(-size * 1.2, 0);
      context.closePath();
    }
    context.fill();
    context.stroke();
  });
}

function fallenCross(shelf: SpriteShelf, side: Side): Sprite {
  return shelf.sprite(`radar-fallen-${side}`, 9, 9, (context) => {
    context.strokeStyle = sidePalette[side].main;
    context.lineWidth = 1.8;
    context.beginPath();
    context.moveTo(1.5, 1.5);
    context.lineTo(7.5, 7.5);
    context.moveTo(7.5, 1.5);
    context.lineTo(1.5, 7.5);
    context.stroke();
  });
}
