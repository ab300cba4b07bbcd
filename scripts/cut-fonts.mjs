/**
 * Makes the subset of the pages' font in app/fonts/ from the package's file (decision 171). Run it when app/tailwind.css needs other
 * letters or weights, or when @fontsource-variable/inter or subset-font is upgraded.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import subsetFont from "subset-font";

const root = new URL("../", import.meta.url);
const source = new URL("node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2", root);
const cut = new URL("app/fonts/inter-latin.woff2", root);

/** Kerning, figures of equal width, a dash and brackets as high as capitals beside them, letters of particular languages. */
const features = ["calt", "kern", "locl", "tnum"];

/** The letters and weights that app/tailwind.css declares for the subset. */
function wanted() {
  const faces = readFileSync(new URL("app/tailwind.css", root), "utf8").match(/@font-face \{[^}]+\}/g) ?? [];
  const face = faces.find((text) => text.includes("fonts/inter-latin.woff2")) ?? "";
  const [, min, max] = /font-weight: (\d+) (\d+);/.exec(face) ?? [];
  const [, ranges] = /unicode-range:([^;]+);/.exec(face) ?? [];
  if (!ranges) throw new Error("app/tailwind.css has no face of fonts/inter-latin.woff2 with weights and a range.");
  const letters = ranges.split(",").flatMap((range) => {
    const [first = 0, last = first] = range
      .trim()
      .slice(2)
      .split("-")
      .map((digits) => Number.parseInt(digits, 16));
    return Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i));
  });
  return { letters: letters.join(""), weights: { min: Number(min), max: Number(max) } };
}

/** Kept beside the copyright: the license's address, which has to accompany the font (OFL 1.1, condition 2). */
const licenseAddress = 14;

/**
 * @param {"woff2" | "truetype"} [format]
 * @returns {Promise<Buffer>} the package's Inter with the letters and weights that pages ask for
 */
export function cutFont(format = "woff2") {
  const { letters, weights } = wanted();
  return subsetFont(readFileSync(source), letters, {
    targetFormat: format,
    variationAxes: { wght: weights },
    keepFeatures: features,
    preserveNameIds: [licenseAddress],
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(cut, await cutFont());
