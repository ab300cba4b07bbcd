import type { MeasureText, Sprite, SpriteContext, SpriteKit } from "./display-list.ts";
import { fontWriter, type SceneFontWeight } from "./fonts.ts";
import { type IconName, iconPaths, iconStep } from "./icons/icon-paths.ts";
import { fitLine, paintLine, type TextLine } from "./text.ts";

export interface TextLook {
  weight: SceneFontWeight;
  /** Font size in units. */
  size: number;
  colour: string;
  /** Dark outline, for text on the map. */
  outlined?: boolean;
  /** Widest text in units; longer text ends with an ellipsis. */
  widest?: number;
}

/** Makes sprites, each picture once. Lengths given to it are in the units of the layout. */
export class SpriteShelf {
  /** Frame pixels per unit. */
  readonly unit: number;
  readonly kit: SpriteKit;
  readonly #measure: MeasureText;
  readonly #font: (weight: SceneFontWeight, pixels: number) => string;
  readonly #sprites = new Map<string, Sprite>();
  readonly #lines = new Map<string, TextLine>();

  constructor(unit: number, measure: MeasureText, kit: SpriteKit, fontFamilies: readonly string[] = []) {
    this.unit = unit;
    this.kit = kit;
    this.#measure = measure;
    this.#font = fontWriter(fontFamilies);
  }

  all(): Sprite[] {
    return [...this.#sprites.values()];
  }

  /**
   * The sprite of a key, made on first use. `paint` draws in units.
   * Sizes are rounded up to whole frame pixels.
   */
  sprite(
    key: string,
    width: number,
    height: number,
    paint: (context: SpriteContext, kit: SpriteKit) => void,
    additive = false,
  ): Sprite {
    const known = this.#sprites.get(key);
    if (known) return known;
    const { unit } = this;
    const sprite: Sprite = {
      key: `${key}@${unit.toFixed(3)}`,
      width: Math.max(1, Math.ceil(width * unit)),
      height: Math.max(1, Math.ceil(height * unit)),
      additive,
      paint(context, kit) {
        context.save();
        context.scale(unit, unit);
        paint(context, kit);
        context.restore();
      },
    };
    this.#sprites.set(key, sprite);
    return sprite;
  }

  /** A laid-out line; its widths are in units. */
  line(text: string, look: TextLook): TextLine {
    const key = `${look.weight}|${look.size}|${look.widest ?? ""}|${text}`;
    const known = this.#lines.get(key);
    if (known) return known;
    const font = this.#font(look.weight, look.size);
    const line = fitLine(text, font, look.size, look.widest ?? Number.POSITIVE_INFINITY, this.#measure, this.kit);
    this.#lines.set(key, line);
    return line;
  }

  /** A text on as many lines as it needs, up to so many; the last ends with an ellipsis if need be. */
  wrapped(text: string, look: TextLook & { widest: number }, maxLines: number): TextLine[] {
    const words = text.split(" ");
    const lines: TextLine[] = [];
    let begin = 0;
    while (begin < words.length && lines.length < maxLines) {
      let end = begin + 1;
      const fits = (to: number) =>
        this.line(words.slice(begin, to).join(" "), { ...look, widest: 9999 }).width <= look.widest;
      const isLast = lines.length === maxLines - 1;
      while (end < words.length && (isLast || fits(end + 1))) end++;
      lines.push(this.line(words.slice(begin, end).join(" "), look));
      begin = end;
    }
    return lines;
  }

  /** Text as a sprite, its middle in the sprite's middle; padded by `textPadding` on all sides. */
  text(text: string, look: TextLook): Sprite {
    const key = `text|${look.weight}|${look.size}|${look.colour}|${look.outlined ? 1 : 0}|${look.widest ?? ""}|${text}`;
    const known = this.#sprites.get(key);
    if (known) return known;
    const line = this.line(text, look);
    return this.sprite(key, line.width + 2 * textPadding, look.size * 1.36 + 2 * textPadding, (context, kit) => {
      const outline = look.outlined ? { colour: "rgba(3, 6, 10, 0.88)", width: 3 } : undefined;
      paintLine(context, kit, line, textPadding, look.size * 0.68 + textPadding, look.colour, outline);
    });
  }
}

export const textPadding = 3;

/** Paints an icon as large as fits in the box around (x, y). */
export function paintIcon(
  context: SpriteContext,
  kit: SpriteKit,
  name: IconName,
  x: number,
  y: number,
  width: number,
  height: number,
  colour: string,
): void {
  const icon = iconPaths[name];
  const [left, top, filledWidth, filledHeight] = icon.box;
  const scale = Math.min(width / filledWidth, height / filledHeight);
  context.save();
  context.translate(x, y);
  context.scale(scale, scale);
  context.translate(-left - filledWidth / 2, -top - filledHeight / 2);
  context.rotate((icon.turn * Math.PI) / 180);
  context.scale(icon.mirrored ? -iconStep : iconStep, iconStep);
  context.translate(-256 / iconStep, -256 / iconStep);
  context.fillStyle = colour;
  context.fill(kit.path(icon.path));
  context.restore();
}

/** Width an icon has at a height, at most `widest`. */
export function iconWidth(name: IconName, height: number, widest: number): number {
  const [, , filledWidth, filledHeight] = iconPaths[name].box;
  return Math.min(widest, (filledWidth / filledHeight) * height);
}

/** The dark panel behind HUD text. */
export function paintPanel(
  context: SpriteContext,
  width: number,
  height: number,
  radius: number,
  fill = "rgba(8, 13, 21, 0.82)",
  edge = "rgba(140, 180, 220, 0.22)",
): void {
  context.beginPath();
  context.roundRect(0.6, 0.6, width - 1.2, height - 1.2, radius);
  context.fillStyle = fill;
  context.fill();
  context.lineWidth = 1.2;
  context.strokeStyle = edge;
  context.stroke();
}
