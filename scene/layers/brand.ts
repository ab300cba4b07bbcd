import type { SpriteContext, SpriteKit } from "../display-list.ts";
import { accent } from "../palette.ts";
import { type Layer, put, type Stage } from "../stage.ts";
import { paintLine, type TextLine } from "../text.ts";

/** The small mark at the upper left. */
export function brandLayer(stage: Stage): Layer {
  const { shelf, unit } = stage;
  const line = shelf.line("CLUTCHCAST", { weight: 700, size: 20, colour: "" });
  const mark = shelf.sprite("brand", line.width + 34, 30, (context, kit) =>
    paintMark(context, kit, line, 15, 16, "#dfe6ee"),
  );
  return (list) => put(list, mark, 24 * unit, 18 * unit, 0.85);
}

/** The watermark: larger, at the lower right. */
export function watermarkLayer(stage: Stage): Layer {
  const { shelf, unit } = stage;
  const line = shelf.line("CLUTCHCAST", { weight: 700, size: 30, colour: "" });
  const mark = shelf.sprite("watermark", line.width + 48, 42, (context, kit) =>
    paintMark(context, kit, line, 21, 22, "#ffffff"),
  );
  return (list) => put(list, mark, stage.width - mark.width - 22 * unit, stage.height - mark.height - 24 * unit, 0.5);
}

function paintMark(
  context: SpriteContext,
  kit: SpriteKit,
  line: TextLine,
  middle: number,
  size: number,
  colour: string,
): void {
  context.fillStyle = accent;
  context.beginPath();
  context.moveTo(3, middle - size / 2);
  context.lineTo(3 + size * 0.95, middle);
  context.lineTo(3, middle + size / 2);
  context.closePath();
  context.fill();
  paintLine(context, kit, line, 10 + size, middle + 1, colour, { colour: "rgba(3, 6, 10, 0.6)", width: 2 });
}
