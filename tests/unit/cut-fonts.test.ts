import { readdirSync, readFileSync } from "node:fs";
import { createCanvas, GlobalFonts } from "@napi-rs/canvas";
import { beforeAll, expect, test } from "vitest";
import { coverage } from "../../scene/unicode-range.ts";
import { cutFont } from "../../scripts/cut-fonts.mjs";

const app = new URL("../../app/", import.meta.url);
const files = new URL("../../node_modules/@fontsource-variable/inter/files/", import.meta.url);
const cut = readFileSync(new URL("fonts/inter-latin.woff2", app));
const styles = readFileSync(new URL("tailwind.css", app), "utf8");
const faces = (styles.match(/@font-face \{[^}]+\}/g) ?? []).filter((face) => face.includes('"Inter Variable"'));

/** What names and titles in European languages are typed with. */
const latin1 = Array.from({ length: 0x100 }, (_, code) => String.fromCodePoint(code)).filter((letter) =>
  /[^\p{C}\p{Z}]/u.test(letter),
);
const typed = [...latin1, ..."ıŒœ–—‘’‚“”„•…‹›€™−↑↓"];

beforeAll(() => {
  GlobalFonts.register(readFileSync(new URL("inter-latin-wght-normal.woff2", files)), "whole Inter");
  GlobalFonts.register(cut, "cut Inter");
});

/** How much of each pixel a line covers, 0 to 255. */
function drawn(family: string, text: string, weight: number, width = 1200): number[] {
  const context = createCanvas(width, 60).getContext("2d");
  context.font = `40px ${family}`;
  context.fontVariationSettings = `"wght" ${weight}`;
  context.fillText(text, 5, 45);
  return [...context.getImageData(0, 0, width, 60).data].filter((_, at) => at % 4 === 3);
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

test("the font of pages is what scripts/cut-fonts.mjs makes of the installed package", async () => {
  expect(cut.equals(await cutFont()), "run node scripts/cut-fonts.mjs").toBe(true);
});

test("the cut font has every letter that Europeans type, where pages look for it in it", () => {
  const face = faces.find((text) => text.includes("fonts/inter-latin.woff2")) ?? "";
  const covers = coverage(/unicode-range:([^;]+);/.exec(face)?.[1] ?? "");
  expect(typed.filter((letter) => !covers(letter.codePointAt(0) ?? 0))).toEqual([]);
  expect(typed.filter((letter) => sum(drawn("cut Inter", letter, 400, 60)) === 0)).toEqual([]);
});

test.each([400, 550, 600, 700])("the cut font is drawn as the whole one at weight %i", (weight) => {
  const lines = ["AVATAR To. 13–7 (CT) A-B", "12:30 -> @CLUTCH 4x4"];
  for (let at = 0; at < typed.length; at += 24) lines.push(typed.slice(at, at + 24).join(""));
  const off = lines.map((line) => {
    const [whole, part] = [drawn("whole Inter", line, weight), drawn("cut Inter", line, weight)];
    return { line, share: sum(whole.map((value, at) => Math.abs(value - (part[at] ?? 0)))) / sum(whole) };
  });
  // Widths are rounded anew between the cut file's ends: a letter may stand a quarter of a pixel further.
  expect(off.filter(({ share }) => share > 0.08)).toEqual([]);
});

test("the cut font kerns, has figures of one width, raises dashes beside capitals, and names its license", async () => {
  const plain = await cutFont("truetype");
  expect(["calt", "kern", "tnum"].filter((feature) => !plain.includes(feature))).toEqual([]);
  const names = ["Copyright 2016 The Inter Project Authors", "openfontlicense.org"];
  expect(names.filter((name) => !plain.includes(Buffer.from(name, "utf16le").swap16()))).toEqual([]);
});

test("pages ask for no weight that the cut font lacks", () => {
  expect(faces.length).toBe(4);
  expect(faces.filter((face) => !face.includes("font-weight: 400 700;"))).toEqual([]);
  const sources = readdirSync(app, { recursive: true, encoding: "utf8" }).filter((name) => /\.(tsx?|css)$/.test(name));
  const others = sources.filter((name) =>
    /\bfont-(thin|extralight|light|extrabold|black)\b|(font-weight|fontWeight)[=:]\W*(?!([4-6]\d\d|400 700|700)\b)\d/.test(
      readFileSync(new URL(name, app), "utf8"),
    ),
  );
  expect(others).toEqual([]);
});
