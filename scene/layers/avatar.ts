import type { PlayerIndex } from "../../replay/match-record.ts";
import type { Sprite } from "../display-list.ts";
import { smallestOnPhones, smallText } from "../layout.ts";
import { sidePalette } from "../palette.ts";
import type { Stage } from "../stage.ts";
import { paintLine } from "../text.ts";

/** Of an avatar's height. */
const initialShare = 0.6;
/** How much of an avatar's width they may take, unless they would be too small to read. */
const widestShare = 0.74;

/** A player's picture, square, in units; without one, their initials on their side's colour, as many as can be read. */
export function avatarSprite(stage: Stage, player: PlayerIndex, size: number): Sprite {
  const { shelf, timeline, initials, singleInitials } = stage;
  const palette = sidePalette[timeline.sides[player] ?? "CT"];
  const smallest = smallestOnPhones(stage.layout);
  const written = (text: string, height: number) => shelf.line(text, { weight: 700, size: height, colour: "" });
  const fitting = (text: string) => {
    const height = Math.max(smallText, initialShare * size);
    return height * Math.min(1, (widestShare * size) / written(text, height).width);
  };
  const both = initials[player] ?? "";
  const initial = fitting(both) < smallest ? (singleInitials[player] ?? "") : both;
  const line = written(initial, Math.max(smallest, fitting(initial)));
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
