/**
 * How long texts of strangers may be, in characters (code points): of demos, players, providers and requests. Every text is cleaned and
 * cut to these where it comes in (`clean-text.ts`), and the database refuses longer ones (migration 002).
 */
export const textLimits = {
  mapName: 64,
  /** Event names such as `knife_survival_bowie`. */
  weapon: 64,
  hitGroup: 32,
  /** What a map calls a part of it: `BombsiteA`. */
  placeName: 32,
  /** Steam allows 32. */
  playerName: 64,
  clanName: 64,
  serverName: 128,
  gameMode: 64,
  clipName: 200,
  /** Why something is a highlight. */
  reason: 200,
  /** What went wrong with an import or a render. */
  errorSentence: 500,
  url: 2048,
  /** Of a page with what its form holds: a sign-in carries it to the identity provider and back, in one address. */
  wayBack: 2000,
  /** Of matches, players and files, here and at providers. */
  id: 200,
  userAgent: 512,
  /** Of what a session was begun with: "Firefox on Windows". */
  deviceName: 64,
  /** What a player calls a token. */
  tokenName: 64,
  /** A time as ISO 8601 writes it, with room. */
  date: 64,
  /** A switch or a version in a query. */
  queryValue: 64,
} as const;
