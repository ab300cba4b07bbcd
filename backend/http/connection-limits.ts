import type { ServerOptions } from "node:http";

/** Timeouts of the server's connections, in milliseconds. */
export const connectionLimits = {
  headersTimeout: 30_000,
  // Long enough for a large demo on a slow line; Node's default is five minutes. Other bodies are bounded by `limitBodies`.
  requestTimeout: 3600_000,
  // Longer than proxies keep an idle connection (usually 60 s): if the server closed first, a proxy's next request could meet a reset.
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 10_000,
} satisfies ServerOptions;

/**
 * A connection without a byte in either direction is closed after this many milliseconds. Node has no such limit: an unread page would stay
 * in memory for as long as its visitor likes. Longer than `deadlines.visitor.unreadMs`, which ends unread files with a line in the log.
 */
export const silentConnectionMs = 15 * 60_000;
