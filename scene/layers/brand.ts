import type { Sprite, SpriteContext, SpriteKit } from "../display-list.ts";
import { smallText } from "../layout.ts";
import { accent } from "../palette.ts";
import { type Panel, put, type Stage } from "../stage.ts";
import { paintLine, type TextLine } from "../text.ts";

/** The small mark. */
export function brandMark({ shelf }: Stage): Sprite {
  const line = shelf.line("CLUTCHCAST", { weight: 700, size: smallText, colour: "" });
  return shelf.sprite("brand", line.width + 34, 42, (context, kit) => paintMark(context, kit, line, 21, 22, "#dfe6ee"));
}

/** The watermark: larger, in a corner. */
export function watermarkPanel(stage: Stage): Panel {
  const { shelf, unit } = stage;
  const { right, bottom } = stage.layout.watermark;
  const line = shelf.line("CLUTCHCAST", { weight: 700, size: 36, colour: "" });
  const mark = shelf.sprite("watermark", line.width + 42, 50, (context, kit) =>
    paintMark(context, kit, line, 25, 26, "#ffffff"),
  );
  return (list) => put(list, mark, right * unit - mark.width, bottom * unit - mark.height, 0.5);
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
