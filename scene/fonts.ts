/**
 * The font families of the scene, in the order in which they are asked for a letter. Whoever paints registers them under
 * these names; a family that is missing is skipped. Rajdhani has Latin and Devanagari, Inter adds Cyrillic and Greek, the
 * Noto families everything else.
 */
export const sceneFontFamilies = [
  "Rajdhani",
  "Inter",
  "Noto Sans",
  "Noto Sans JP",
  "Noto Sans SC",
  "Noto Sans KR",
  "Noto Sans Arabic",
  "Noto Sans Hebrew",
  "Noto Sans Thai",
  "Clutchcast Fallback",
  "sans-serif",
] as const;

/** The weights the scene uses. */
export const sceneFontWeights = [600, 700] as const;

export type SceneFontWeight = (typeof sceneFontWeights)[number];

/** Writes CSS font shorthands: weight, size in pixels, and the families above after `extraFamilies`. */
export function fontWriter(extraFamilies: readonly string[] = []): (weight: SceneFontWeight, pixels: number) => string {
  const families = [sceneFontFamilies[0], ...extraFamilies, ...sceneFontFamilies.slice(1)]
    .map((family) => (family === "sans-serif" ? family : `"${family}"`))
    .join(", ");
  return (weight, pixels) => `${weight} ${Math.round(pixels * 10) / 10}px ${families}`;
}
