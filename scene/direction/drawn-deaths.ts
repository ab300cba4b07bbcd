import type { PlayerIndex } from "../../replay/match-record.ts";
import { type DrawnClip, type DrawnFrame, drawnPlayer, type InkOf } from "./drawn-clip.ts";
import { coverAt } from "./frame-cover.ts";

/** Smoke that hides more than this part of a cross hides it. */
const hidingCover = 0.5;

/** The fallen whose cross some frame draws below smoke, each with the first such frame. */
export function deathsBelowSmoke(clip: DrawnClip): Map<PlayerIndex, DrawnFrame> {
  const below = new Map<PlayerIndex, DrawnFrame>();
  for (const frame of clip.frames) {
    for (const { player, isAlive } of frame.players) {
      if (isAlive || below.has(player)) continue;
      const cross = drawnPlayer(frame, player, clip);
      if (cross && smokeAbove(frame, cross, clip.inkOf) > hidingCover) below.set(player, frame);
    }
  }
  return below;
}

/** 0..1: how much the smoke that is painted after the deaths hides of what lies at a pixel. */
function smokeAbove({ layers }: DrawnFrame, { x, y }: { x: number; y: number }, inkOf: InkOf): number {
  const deaths = layers.findIndex(({ name }) => name === "deaths");
  const clouds = layers
    .slice(deaths + 1)
    .filter(({ name }) => name === "smoke")
    .flatMap(({ operations }) => operations);
  return 1 - clouds.reduce((seen, operation) => seen * (1 - coverAt(operation, x, y, inkOf)), 1);
}
