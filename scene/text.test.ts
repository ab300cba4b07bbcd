import { expect, test } from "vitest";
import { canvasKit, sceneOptions } from "./testing/synthetic-track.ts";
import { cleanText, fitLine, layOutLine, splitClusters, writtenIn } from "./text.ts";

const { measureText } = sceneOptions;
const fox = { width: 64, height: 64 } as unknown as CanvasImageSource;
const foxKit = { ...canvasKit, emoji: (cluster: string) => (cluster === "🦊" ? fox : null) };

test("names keep their letters in every script, and markup is only letters", () => {
  for (const name of [
    "Кедровник",
    "莫言",
    "てんとう虫",
    "<b>bold</b> & co",
    "שלום",
    "مرحبا",
    'O\'Marrow "Moss"',
    "🦊 rotfuchs",
  ]) {
    expect(cleanText(name)).toBe(name);
  }
});

test("control, direction and private characters are taken out, white space becomes one space", () => {
  expect(cleanText("a\u202Eb\u0000c\u200Fd\u2066e\uE000f")).toBe("ab cdef");
  expect(cleanText("  two\n\twords  ")).toBe("two words");
  expect(cleanText("\uD800x\u200B\uFEFF")).toBe("x");
  expect(cleanText("\u202E\u0007")).toBe("");
});

test("emoji joined from several stay one, joiners elsewhere go", () => {
  expect(cleanText("👨‍👩‍👧 ok")).toBe("👨‍👩‍👧 ok");
  expect(cleanText("a\u200Db")).toBe("ab");
  expect(splitClusters(cleanText("🇵🇱x"))).toEqual(["🇵🇱", "x"]);
});

test("towers of combining marks are cut down", () => {
  const tower = `z${"\u0301".repeat(40)}`;
  expect(cleanText(tower).length).toBeLessThanOrEqual(4);
});

test("a long text ends with an ellipsis within its width, a short one is left whole", () => {
  const font = "700 17px sans-serif";
  const long = fitLine("a rather long handle, 32 chars ok", font, 17, 120, measureText, canvasKit);
  expect(long.width).toBeLessThanOrEqual(120);
  expect(long.runs.at(-1)!.text).toMatch(/^a rather.*…$/);
  expect(fitLine("Nova", font, 17, 120, measureText, canvasKit).runs.map((run) => run.text)).toEqual(["Nova"]);
});

test("a text is cut behind a word, not behind the first letters of the next or a mark that opens one", () => {
  const font = "700 17px sans-serif";
  const cutAt = (text: string, kept: string) => {
    const { width } = measureText(`${kept}…`, font);
    return writtenIn(fitLine(text, font, 17, width + 0.01, measureText, canvasKit));
  };
  expect(cutAt('O\'Marrow "Moss"', "O'Marrow \"M")).toBe("O'Marrow…");
  expect(cutAt('O\'Marrow "Moss"', "O'Marrow \"Mo")).toBe("O'Marrow \"Mo…");
  expect(cutAt("northern_pike - the second", "northern_pike - ")).toBe("northern_pike…");
  expect(cutAt("northern_pike", "nor")).toBe("nor…");
  expect(cutAt("<b>bold</b>", "<b>bo")).toBe("<b>bo…");
  expect(cutAt("((((((((", "((((")).toBe("(…");
});

test("emoji are pictures of their own, and left out where there is no picture", () => {
  const font = "700 20px sans-serif";
  const line = layOutLine("🦊 rotfuchs 🐙", font, 20, measureText, foxKit);
  expect(line.runs.map((run) => [run.text, run.isEmoji])).toEqual([
    ["🦊", true],
    [" rotfuchs ", false],
  ]);
  expect(line.width).toBeGreaterThan(measureText(" rotfuchs ", font).width + 20);
  expect(layOutLine("50% #1 ©", font, 20, measureText, canvasKit).runs).toHaveLength(1);
});
