/** What bounds the moments that players mark by hand; beside `limits`, which every page loads. Decision 134. */
export const customMoments = {
  seconds: { min: 2, max: 20 },
  /** Characters (code points) of a name; the database refuses longer ones (migration 014). */
  nameCharacters: 40,
  perMatch: 50,
  /** In one match. */
  perPlayer: 20,
} as const;
