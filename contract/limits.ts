import { textLimits } from "./text-limits.ts";

/** The numbers of the specification's section 9, in one place for pages and server. Times in milliseconds unless named. */
export const limits = {
  matchesPerPage: 9,
  matchGridColumns: 3,
  pagingArrowsFromMatches: 7,
  highlightsPerClip: 5,
  clipsInQueuePerUser: 3,
  /** Unfinished ones: one that runs and three that wait. */
  importsInQueuePerUser: 4,
  clipsPerCarouselPage: 2,
  clipGroupsPerRequest: 5,
  infiniteScrollMarginPixels: 1000,
  lazyVideoMarginPixels: 100,
  carouselVideoHeightPixels: 250,
  playerNameCharacters: 12,
  clipStatusPollMs: 3000,
  matchStatusPollMs: 2000,
  recentMatchPollMs: 5000,
  defaultPollMs: 30_000,
  newMatchWindowMs: 10 * 60_000,
  uploadMessageMs: 5000,
  authRecheckMs: 5000,
  demoUrlCharacters: textLimits.url,
  wayBackCharacters: textLimits.wayBack,
  clipNameCharacters: textLimits.clipName,
  topListLength: 10,
  preTimeAdjustmentSeconds: { least: 0, most: 5 },
  postTimeAdjustmentSeconds: { least: -1.5, most: 5 },
} as const;

/** Bounds for the lists in answers of history providers: whatever is longer is no answer of theirs. */
export const providerLimits = {
  /** They are asked for thirty at most. */
  matches: 200,
  teams: 8,
  players: 128,
  /** A best of five. */
  mapsOfMatch: 9,
  /** Signatures make addresses long. */
  signedUrlCharacters: 8192,
} as const;
