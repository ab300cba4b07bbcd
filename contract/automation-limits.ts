/** What a player may choose of automatic clips; pages and server share it. */
export const automationLimits = {
  clipsPerDay: { min: 1, max: 20, standard: 3 },
  /** Of a highlight, by docs/highlights.md: a triple kill has 30 points before anything else counts, a quad kill 60, an ace 100. */
  minScore: { min: 0, max: 1000, standard: 60 },
} as const;
