/** Retry-After for monitors, browsers and proxies while the database or the store is unreachable. */
export const retryAfterSeconds = 10;
