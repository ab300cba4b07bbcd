import { expect, test } from "vitest";
import { baselineDrop } from "../../app/replay/text-baseline.ts";
import { createCanvas } from "../../backend/video/canvas.ts";
import { openSpriteBakery } from "../../backend/video/sprite-bakery.ts";
import { fontWriter } from "../../scene/fonts.ts";

/** The lowest row of a text that is drawn, in pixels. */
function lowestRow(text: string, font: string, baseline: "middle" | "alphabetic"): number {
  const context = createCanvas(600, 300).getContext("2d");
  context.fontVariationSettings = "'wght' 600";
  context.font = font;
  context.textBaseline = baseline;
  context.fillText(text, 10, 150);
  const { data } = context.getImageData(0, 0, 600, 300);
  for (let at = data.length - 1; at > 0; at -= 4) if ((data[at] ?? 0) > 128) return Math.floor(at / 4 / 600);
  throw new Error(`Nothing was drawn of ${text}.`);
}

test.each(["HELLO", "ПРИВЕТ", "HELLO ПРИВЕТ", "てんとう", "HELLO 玩家", "سارا", "HELLO سارا", "דנה", "ผู้เล่น"])(
  "the server's canvas writes %s as low as browsers are made to",
  async (text) => {
    const { fontFamilies } = await openSpriteBakery([text]);
    const font = fontWriter(fontFamilies)(700, 100);
    const drop = lowestRow(text, font, "middle") - lowestRow(text, font, "alphabetic");
    expect(Math.abs(drop / 100 - baselineDrop(text))).toBeLessThan(0.012);
  },
);
