import { textLimits } from "./text-limits.ts";

/** The numbers of the specification's section 9, in one place for pages and server. Times in milliseconds unless named. */
export const limits = {
  matchesPerPage: 9,
  matchGridColumns: 3,
  pagingArrowsFromMatches: 7,
  highlightsPerClip: 5,
  clipsInQueuePerUser: 3,
  /** Beside those: what is made for a player by itself takes no place of their presses. */
  automaticClipsInQueuePerUser: 2,
  /** Unfinished ones: one that runs and three that wait. */
  importsInQueuePerUser: 4,
  /** Beside those, as of clips. */
  automaticImportsInQueuePerUser: 2,
  clipsPerCarouselPage: 2,
  highlightsPerPage: 24,
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
  /** Larger files are sent in parts of this size. An S3 store takes none below 5 MiB, and 10,000 of a file. */
  uploadPartBytes: 8 * 1024 ** 2,
  unfinishedUploadsPerUser: 4,
  authRecheckMs: 5000,
  demoUrlCharacters: textLimits.url,
  wayBackCharacters: textLimits.wayBack,
  clipNameCharacters: textLimits.clipName,
  topListLength: 10,
  /** Of each list below a clip. */
  relatedClips: 6,
  preTimeAdjustmentSeconds: { min: 0, max: 5 },
  postTimeAdjustmentSeconds: { min: -1.5, max: 5 },
  /** Five highlights of real rounds never come near: they would be five whole rounds with a bomb and more. */
  clipSeconds: 1200,
  /** A compilation is joined of so many clips. */
  partsOfCompilation: { min: 2, max: 10 },
  /** The longest compilation. */
  compilationSeconds: 300,
  /** Of the file for previews and chat apps, some of which take ten million and no more. */
  shareFileBytes: 9_500_000,
  /** Of the loop that a clip's cards repeat: a phone's page may show a few. */
  loopBytes: 400_000,
  /** A clip's own page and its match have all victims. */
  victimsInLists: 5,
  /** Of the best highlights; a match of fifty rounds has a hundred. */
  stillsPerMatch: 250,
} as const;

/**
 * Most of everything that a demo can hold as much of as it likes. A demo with more of it is refused, but for highlights and
 * their moments: of those the best are kept. For measure: 28 rounds of a five against five have 6,400 events, 178 kills, 950
 * throws and detonations, 65 highlights; a community server has 64 places.
 */
export const demoLimits = {
  /** Three days at 64 a second. */
  ticks: 2 ** 24,
  /** The highest one: a server that counts on from its own start has been running for half a year. */
  lastTick: 2 ** 30,
  /** Those asked for, of all kinds together: nineteen matches in one recording have half as many. */
  events: 300_000,
  /** Starts and ends of rounds, restarts and matches before included. */
  roundEvents: 20_000,
  kills: 10_000,
  /** Throws and detonations. */
  grenadeEvents: 30_000,
  bombEvents: 10_000,
  /** Who came and went, spectators included. */
  players: 256,
  /** Counted ones of one match. The longest match known had 88. */
  rounds: 200,
  highlights: 1000,
  /** Of all highlights together. */
  moments: 3000,
  momentsOfHighlight: 32,
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
