/** A match as a history provider lists it, before anything is imported. */
export interface RecentMatch {
  /** The provider's id of it, opaque. */
  id: string;
  /** Where its demo is; null when the provider has none, or none any more. */
  demoUrl: string | null;
  /** Internal name, e.g. `de_mirage`. */
  map: string;
  /** As the contract's `gameModeLabel` reads it, e.g. `Matchmaking_Competitive`. */
  gameMode: string;
  /** Score of the asking player's roster, null when unknown. */
  ownScore: number | null;
  opponentScore: number | null;
  playedAt: Date | null;
}

/** A service that knows which matches a player played lately. Its data is kept for a minute in memory and nowhere else. */
export interface HistoryProvider {
  /** For the badge "Powered by". */
  name: string;
  /** Where that badge leads. */
  url: string;
  /**
   * The player's newest matches, the newest first; none for a player the provider does not know.
   * @throws HistoryProviderError
   */
  recentMatches(steamId: string): Promise<RecentMatch[]>;
  /** Page of a match at the provider. */
  matchUrl(id: string): string;
  /**
   * The address to download a listed demo from, asked for right before the download since it may be signed for minutes only.
   * @throws HistoryProviderError
   */
  downloadUrl(demoUrl: string): Promise<string>;
}

/** The provider could not be asked. The message is a sentence for the player. */
export class HistoryProviderError extends Error {}

/** It refuses whoever asks, for now. */
export class AskedTooOftenError extends HistoryProviderError {
  /** How long it wants to be left alone, an hour at most; null when it does not say. */
  readonly retryAfterMs: number | null;

  constructor(sentence: string, retryAfterMs: number | null) {
    super(sentence);
    this.retryAfterMs = retryAfterMs;
  }
}

/** A provider's time, as text or in milliseconds; null for what is none. */
export function validDate(time: string | number): Date | null {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? null : date;
}
