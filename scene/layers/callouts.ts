import { type Box, gapBetween } from "../box.ts";
import type { CoveredAt } from "../camera.ts";
import { mix, smoothStep } from "../easing.ts";
import { smallText } from "../layout.ts";
import type { Callout } from "../places.ts";
import { groundLightness } from "../relief/ground-lightness.ts";
import { floorAt } from "../sight.ts";
import { sitePlaces } from "../site-places.ts";
import { type Layer, put, type Stage } from "../stage.ts";

/** Opacity of a name on dark and on light ground; then the lightness (0..1) that counts as dark and light. */
const strength = { dark: 0.36, light: 0.68 };
const ground = { dark: 0.24, light: 0.42 };
/** World units per layout unit when the camera is calm. */
const calmView = 1.48;
/** Distances, in layout units, at which a name begins to fade for something nearby, and is gone. */
const fadeReach = 70;
const goneReach = 14;
/** A player's token with the name below or above it. */
const playerRoom = { width: 130, height: 84 };
/** The letter of a bomb site on the ground. */
const letterRoom = { width: 130, height: 130 };

/**
 * The names of the map's parts, on its ground: as faint as the ground allows, below everything, and fading near players, panels and each
 * other.
 * @param coveredAt what panels cover of a frame
 */
export function calloutLayer(stage: Stage, places: readonly Callout[], coveredAt: CoveredAt): Layer {
  const { shelf, relief, unit, width, height } = stage;
  const sites = sitePlaces(stage.timeline.record);
  const hasLetter = (name: string) => sites.some(({ site }) => name === `${site} Site`);
  const names = places
    .filter(({ name }) => !hasLetter(name))
    .map(({ name, ...place }) => {
      const floor = floorAt(relief, place.z);
      // The outline is invisible on dark ground; on light ground it makes the name legible.
      const look = { weight: 700, size: smallText, colour: "#dcebfa", outlined: true } as const;
      const sprite = shelf.text(name.toUpperCase(), look);
      const reach = { across: (sprite.width / unit / 2) * calmView, down: (smallText / 2) * calmView };
      const lightness = groundLightness(relief, floor, place, reach);
      const own = mix(strength.dark, strength.light, smoothStep(ground.dark, ground.light, lightness));
      return { place, floor, sprite, own };
    });
  const centred = (x: number, y: number, room: { width: number; height: number }, scale: number): Box => ({
    left: x - (room.width * scale) / 2,
    top: y - (room.height * scale) / 2,
    width: room.width * scale,
    height: room.height * scale,
  });
  return (list, { frame, view, players }) => {
    const inTheWay = [...coveredAt(frame)];
    for (const { x, y, z } of sites) inTheWay.push(centred(view.x(x), view.y(y, z), letterRoom, unit));
    for (const player of players)
      if (player.opacity > 0.02) inTheWay.push(centred(player.x, player.y, playerRoom, unit));
    for (const { place, floor, sprite, own } of names) {
      if (floor !== view.camera.floor) continue;
      const box = centred(view.x(place.x), view.y(place.y, place.z), sprite, 1);
      const { left, top } = box;
      const toEdge = Math.min(left, top, width - left - box.width, height - top - box.height);
      if (toEdge <= 0) continue;
      let clearance = toEdge + goneReach * unit;
      for (const other of inTheWay) clearance = Math.min(clearance, gapBetween(box, other));
      const alpha = own * smoothStep(goneReach * unit, fadeReach * unit, clearance);
      if (alpha < 0.02) continue;
      put(list, sprite, left, top, alpha);
      inTheWay.push(box);
    }
  };
}
