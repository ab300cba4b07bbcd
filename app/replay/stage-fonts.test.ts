import { expect, test } from "vitest";
import { fontsOf } from "./stage-fonts.ts";

const allOf = async (text: string) => {
  const { near, far } = fontsOf(text);
  return [...near, ...((await far?.()) ?? [])];
};

/** File names without their folders. */
const filesOf = async (text: string) =>
  (await allOf(text)).map(({ url }) => url.split("/").at(-1)?.split("?")[0] ?? "");

const always = ["rajdhani-latin-600-normal.woff2", "rajdhani-latin-700-normal.woff2", "inter-latin.woff2"];

test.each([
  ["sable.", []],
  ["Łukasz", ["inter-latin-ext-wght-normal.woff2"]],
  ["Привет", ["inter-cyrillic-wght-normal.woff2"]],
  ["Ωμέγα", ["inter-greek-wght-normal.woff2"]],
  ["سارا", ["noto-sans-arabic-arabic-wght-normal.woff2"]],
  ["דנה", ["noto-sans-hebrew-hebrew-wght-normal.woff2"]],
  ["ผู้เล่น", ["noto-sans-thai-thai-wght-normal.woff2"]],
])("%s is written with the fonts of every preview and those of its letters alone", async (text, further) => {
  expect(await filesOf(text)).toEqual([...always, ...further]);
});

test("Han characters are Chinese ones, but beside kana Japanese ones, and only the files with the letters come", async () => {
  const chinese = (await filesOf("玩家")).slice(always.length);
  expect(chinese.length).toBeGreaterThan(0);
  expect(chinese.length).toBeLessThanOrEqual(2);
  expect(chinese.every((name) => name.startsWith("noto-sans-sc-"))).toBe(true);
  const japanese = (await filesOf("玩家 プレイヤー")).slice(always.length);
  expect(japanese.every((name) => name.startsWith("noto-sans-jp-"))).toBe(true);
  expect((await filesOf("선수")).at(-1)).toMatch(/^noto-sans-kr-/);
});

test("a letter is taken from one font alone, whatever others have it", async () => {
  const fonts = (await allOf("玩家 سارا")).slice(always.length);
  const letters = fonts.flatMap(({ range }) => range?.split(",") ?? []);
  expect(new Set(letters).size).toBe(letters.length);
  expect(letters).toHaveLength(new Set("玩家سارا").size);
});

test("a first picture waits for no letters but those of every preview", () => {
  const nearOf = (text: string) => fontsOf(text).near.map(({ url }) => url.split("/").at(-1)?.split("?")[0]);
  expect(nearOf("sable. Łukasz Привет 玩家")).toEqual(always);
  expect(fontsOf("sable. #1").far).toBeNull();
});
