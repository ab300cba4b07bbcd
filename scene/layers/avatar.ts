import type { PlayerIndex } from "../../replay/match-record.ts";
import type { Sprite } from "../display-list.ts";
import { sidePalette } from "../palette.ts";
import type { Stage } from "../stage.ts";
import { paintLine } from "../text.ts";

/** Larger initials than fit the smallest avatars are no easier to read. */
const initialShare = 0.6;
/** How much of an avatar's width two of them may take. */
const widestShare = 0.74;

/** A player's picture, square, in units; without one, their initials on their side's colour. */
export function avatarSprite(stage: Stage, player: PlayerIndex, size: number): Sprite {
  const { shelf, timeline, initials } = stage;
  const palette = sidePalette[timeline.sides[player] ?? "CT"];
  const initial = initials[player] ?? "";
  const letters = (height: number) => shelf.line(initial, { weight: 700, size: height, colour: "" });
  const height = Math.max(30, initialShare * size);
  const line = letters(height * Math.min(1, (widestShare * size) / letters(height).width));
  const radius = 0.2 * size;
  return shelf.sprite(`avatar-${player}-${size}-${initial}-${palette.main}`, size, size, (context, kit) => {
    const picture = kit.avatar(player);
    context.save();
    context.beginPath();
    context.roundRect(1, 1, size - 2, size - 2, radius);
    context.clip();
    if (picture) context.drawImage(picture, 1, 1, size - 2, size - 2);
    else {
      context.fillStyle = palette.dark;
      context.fillRect(0, 0, size, size);
      paintLine(context, kit, line, (size - line.width) / 2, size / 2 + 1, palette.light);
    }
    context.restore();
    context.lineWidth = 2;
    context.strokeStyle = palette.main;
    context.beginPath();
    context.roundRect(1, 1, size - 2, size - 2, radius);
    context.stroke();
  });
}
