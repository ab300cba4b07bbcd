import type { Footprints } from "../../replay/replay-track.ts";
import { smoothStep } from "../easing.ts";
import { callouts } from "../places.ts";
import { floorAt } from "../sight.ts";
import { sitePlaces } from "../site-places.ts";
import { type Layer, put, type Stage } from "../stage.ts";
import type { Box } from "./labels.ts";

/** Height of the letters at 720 lines, and the least part of the frame's width: read on a phone of 390 pixels at 9. */
const letterSize = 30;
const leastPartOfWidth = 9.1 / 390;
const strength = 0.36;
/** Distances at 720 lines within which a name fades for what comes near, and is gone. */
const fadeReach = 70;
const goneReach = 14;
/** A player's token with the name below or above it. */
const playerRoom = { width: 130, height: 84 };
/** The letter of a bomb site on the ground. */
const letterRoom = { width: 130, height: 130 };
/** The watermark, with the way to the frame's lower right corner. */
const watermarkRoom = { width: 260, height: 84 };

/**
 * What players call the parts of the map, on its ground: faint, below everything, out of the way of players, panels and each
 * other.
 * @param panels what covers the map
 */
export function calloutLayer(stage: Stage, footprints: Footprints, panels: readonly Box[]): Layer {
  const { shelf, relief, unit, width, height } = stage;
  const size = Math.max(letterSize, (leastPartOfWidth * width) / unit);
  const sites = sitePlaces(stage.timeline.record);
  const hasLetter = (name: string) => sites.some(({ site }) => name === `${site} Site`);
  const names = callouts(footprints)
    .filter(({ name }) => !hasLetter(name))
    .map(({ name, ...place }) => ({
      place,
      floor: floorAt(relief, place.z),
      sprite: shelf.text(name.toUpperCase(), { weight: 700, size, colour: "#dcebfa" }),
    }));
  const covered = [...panels];
  if (stage.settings.watermark) {
    const [markWidth, markHeight] = [watermarkRoom.width * unit, watermarkRoom.height * unit];
    covered.push({ left: width - markWidth, top: height - markHeight, width: markWidth, height: markHeight });
  }
  const centred = (x: number, y: number, room: { width: number; height: number }, scale: number): Box => ({
    left: x - (room.width * scale) / 2,
    top: y - (room.height * scale) / 2,
    width: room.width * scale,
    height: room.height * scale,
  });
  return (list, { view, players }) => {
    const inTheWay = [...covered];
    for (const { x, y, z } of sites) inTheWay.push(centred(view.x(x), view.y(y, z), letterRoom, unit));
    for (const player of players)
      if (player.opacity > 0.02) inTheWay.push(centred(player.x, player.y, playerRoom, unit));
    for (const { place, floor, sprite } of names) {
      if (floor !== view.camera.floor) continue;
      const box = centred(view.x(place.x), view.y(place.y, place.z), sprite, 1);
      const { left, top } = box;
      const toEdge = Math.min(left, top, width - left - box.width, height - top - box.height);
      if (toEdge <= 0) continue;
      let clearance = toEdge + goneReach * unit;
      for (const other of inTheWay) clearance = Math.min(clearance, gapBetween(box, other));
      const alpha = strength * smoothStep(goneReach * unit, fadeReach * unit, clearance);
      if (alpha < 0.02) continue;
      put(list, sprite, left, top, alpha);
      inTheWay.push(box);
    }
  };
}

/** How far two boxes are apart; 0 where they overlap. */
function gapBetween(a: Box, b: Box): number {
  const across = Math.max(a.left - b.left - b.width, b.left - a.left - a.width, 0);
  const down = Math.max(a.top - b.top - b.height, b.top - a.top - a.height, 0);
  return Math.hypot(across, down);
}
