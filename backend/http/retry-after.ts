/** For whoever asks while the database or the store is away: a monitor, a browser, a proxy. */
export const retryAfterSeconds = 10;
