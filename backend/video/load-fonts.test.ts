import { expect, test } from "vitest";
import { fontWriter } from "../../scene/fonts.ts";
import { cleanText, splitClusters } from "../../scene/text.ts";
import { createCanvas, GlobalFonts } from "./canvas.ts";
import { emojiPicture } from "./emoji.ts";
import { draws, ensureGlyphs } from "./load-fonts.ts";
import { openSpriteBakery } from "./sprite-bakery.ts";

/** Examples of players' names. */
const names = [
  "Łódź ŽLUŤ Đặng Văn Nguyễn",
  "Привет ЇЄҐ",
  "Ωμέγα",
  "莫言 你好 龘",
  "プレイヤー ひらがな",
  "한국어 선수",
  "مرحبا",
  "שלום",
  "สวัสดี",
  "नमस्ते",
  "გამარჯობა Բարև",
  "বাংলা தமிழ் ខ្មែរ",
  "𝓕𝓪𝓷𝓬𝔂 𝕬𝖓𝖌𝖊𝖑",
  "彡★ ツ ☭ ♛ ░▒▓█",
  "ᛟᚱ ᏣᎮ ᗩᗷ ʟᴏʟ",
  "꧁༺name༻꧂",
  "Ｆｕｌｌ ﾂ ①Ⓐ",
  "†Ｘ†™ ∆√∞ <b>&amp;",
];

const letters = (text: string) => [...cleanText(text)].filter((character) => /[\p{L}\p{N}\p{S}\p{P}]/u.test(character));

/** Pixels of a character in the font that the scene chooses for it. */
function drawn(character: string, families: string[]): string {
  const canvas = createCanvas(60, 50);
  const context = canvas.getContext("2d");
  context.font = fontWriter(families)(600, 28);
  context.fillText(character, 15, 35);
  return canvas.data().toString("latin1");
}

test("has a glyph for every letter of the names that players choose", () => {
  const families = ensureGlyphs(names);
  const blank = createCanvas(60, 50).data().toString("latin1");
  const missing = new Set([drawn("\u{10fffd}", families), drawn("\u{10fffd}", [...families].reverse()), blank]);
  const without = letters(names.join("")).filter((character) => missing.has(drawn(character, families)));
  expect(without).toEqual([]);
});

test("loads only the font files that the names need", () => {
  const before = GlobalFonts.families.length;
  expect(ensureGlyphs(["Nova", "k1ng_of-the.hill"])).toEqual(["Rajdhani", "Inter"]);
  const chinese = ensureGlyphs(["无"]);
  expect(chinese).toHaveLength(3);
  expect(chinese[2]).toMatch(/^Noto Sans SC \d+$/);
  expect(GlobalFonts.families.length - before).toBeLessThanOrEqual(4);
});

test("draws Han characters the Japanese way beside kana and the Chinese way otherwise", () => {
  const familyOf = (text: string) => ensureGlyphs([text]).filter((family) => draws(family, "直"));
  expect(familyOf("直")[0]).toMatch(/Noto Sans SC/);
  expect(familyOf("直ちゃん")[0]).toMatch(/Noto Sans JP/);
});

test("asks for letters in the same order whatever was loaded before", () => {
  const first = ensureGlyphs(["Привет 莫言 שלום"]);
  ensureGlyphs(names);
  expect(ensureGlyphs(["שלום", "莫言", "Привет"])).toEqual(first);
  expect(first[0]).toBe("Rajdhani");
});

test("uses none of the machine's own fonts", () => {
  const known = /^(Rajdhani|Inter|Noto (Sans|Serif) )/;
  expect(GlobalFonts.families.map(({ family }) => family).filter((family) => !known.test(`${family} `))).toEqual([]);
});

test("has pictures for emoji, joined ones and flags too, and none for letters", async () => {
  const emoji = "🔥👨‍👩‍👧‍👦🇩🇪❤️👍🏽";
  await openSpriteBakery([emoji, "a1"]);
  for (const cluster of splitClusters(emoji)) {
    const picture = emojiPicture(cluster);
    expect(picture?.width, cluster).toBeGreaterThan(100);
    const canvas = createCanvas(32, 32);
    canvas.getContext("2d").drawImage(picture!, 0, 0, 32, 32);
    expect(new Set(canvas.data()).size, cluster).toBeGreaterThan(10);
  }
  expect(emojiPicture("a")).toBeNull();
  expect(emojiPicture("🦄")).toBeNull();
});
