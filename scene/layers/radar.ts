import { float32At, itemAt } from "../../replay/checked-reads.ts";
import { plantedBomb } from "../bomb-timeline.ts";
import type { Sprite } from "../display-list.ts";
import { clamp, mix, smoothStep } from "../easing.ts";
import { type Layout, smallText } from "../layout.ts";
import { accent, sidePalette } from "../palette.ts";
import type { Relief } from "../relief/build-relief.ts";
import { groundSquash } from "../relief/projection.ts";
import type { WalkableGrid } from "../relief/walkable-grid.ts";
import { floorAt, restingPlace, smokeRadius } from "../sight.ts";
import { sitePlaces } from "../site-places.ts";
import { paintPanel, type SpriteShelf } from "../sprite-shelf.ts";
import { type Layer, put, putCentred, putTurned, type Stage } from "../stage.ts";

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

export function radarLayer(stage: Stage, plan: RadarPlan): Layer {
  const { shelf, timeline, unit, relief } = stage;
  const dots = { CT: dot("CT", false), T: dot("T", false) };
  const followed = { CT: dot("CT", true), T: dot("T", true) };
  const fallen = { CT: cross("CT"), T: cross("T") };
  const bombDot = shelf.sprite("radar-bomb", 10, 10, (context) => {
    context.fillStyle = accent;
    context.strokeStyle = "#ffffff";
    context.lineWidth = 1.2;
    context.beginPath();
    context.rect(2, 2, 6, 6);
    context.fill();
    context.stroke();
  });
  const smokes = timeline.grenades
    .filter((grenade) => grenade.kind === "smoke" && grenade.expireTick > grenade.detonateTick)
    .map((grenade) => ({ grenade, place: restingPlace(grenade) }));
  const siteLetters = sitePlaces(stage.timeline.record).map(({ site, x, y, z }) => ({
    sprite: shelf.text(site, { weight: 700, size: smallText, colour: "#ffd9a0" }),
    x,
    y,
    floor: itemAt(plan.floors, floorAt(relief, z)),
  }));

  /** Round for counter-terrorists, a diamond for terrorists, with the nose to the right. */
  function dot(side: "CT" | "T", isFollowed: boolean): Sprite {
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
  function cross(side: "CT" | "T"): Sprite {
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

  return (list, { tick, view, players }) => {
    put(list, plan.panel, plan.left, plan.top);
    const shown = plan.floors[view.camera.floor] ?? itemAt(plan.floors, 0);
    const place = (x: number, y: number, z: number): [number, number] => {
      const floor = itemAt(plan.floors, floorAt(relief, z));
      return [
        floor.left + clamp((x - floor.west) * floor.scale, 0, floor.width),
        floor.top + clamp((floor.north - y) * floor.scale, 0, floor.height),
      ];
    };
    for (const letter of siteLetters) {
      const { floor } = letter;
      putCentred(
        list,
        letter.sprite,
        floor.left + (letter.x - floor.west) * floor.scale,
        floor.top + (floor.north - letter.y) * floor.scale,
        0.85,
      );
    }
    for (const { grenade, place: at } of smokes) {
      if (tick < grenade.detonateTick || tick >= grenade.expireTick) continue;
      const [x, y] = place(at.x, at.y, at.z);
      list.push({ op: "disc", x, y, radius: smokeRadius * shown.scale, squash: 1, colour: "#c9d2de", alpha: 0.55 });
    }
    drawViewFrame(list, view, shown);
    const bomb = plantedBomb(timeline, tick);
    if (bomb?.position && bomb.explodedTick === null) {
      const [x, y] = place(...bomb.position);
      putCentred(list, bombDot, x, y);
    }
    for (const isAlive of [false, true]) {
      for (const player of players) {
        if (player.isAlive !== isAlive || player.isFollowed) continue;
        const seen = stage.sight
          ? stage.sight.opacity(player.player, isAlive ? tick : timeline.deathTick(player.player))
          : 1;
        const [x, y] = place(player.state.x, player.state.y, player.state.z);
        if (!isAlive) putCentred(list, fallen[player.side], x, y, 0.6 * seen);
        else putTurned(list, dots[player.side], x, y, (-player.state.yaw * Math.PI) / 180, 1, 1, seen);
      }
    }
    const hero = players.find((player) => player.isFollowed);
    if (hero) {
      const [x, y] = place(hero.state.x, hero.state.y, hero.state.z);
      if (hero.isAlive) putTurned(list, followed[hero.side], x, y, (-hero.state.yaw * Math.PI) / 180, 1, 1, 1);
      else putCentred(list, fallen[hero.side], x, y);
    }
  };

  /** Outline of what the camera shows, cut off at the radar's edge. */
  function drawViewFrame(list: Parameters<Layer>[0], view: Parameters<Layer>[1]["view"], floor: RadarFloor): void {
    const { projection } = relief;
    const { camera } = view;
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
