/** What can be special about a kill, whatever the type of the highlight that lists it. */
export const killFlags = [
  "headshot",
  "wallbang",
  "no_scope",
  "through_smoke",
  "midair",
  "blind",
  "flash_assist",
  "collateral",
] as const;
export type KillFlag = (typeof killFlags)[number];
