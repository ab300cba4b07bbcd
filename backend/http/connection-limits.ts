import type { ServerOptions } from "node:http";

/** How long the server waits for whom, in milliseconds. */
export const connectionLimits = {
  headersTimeout: 30_000,
  // For a large demo file on a slow line, where Node's five minutes are too short. All other bodies have `limitBodies`' time.
  requestTimeout: 3600_000,
  // Longer than proxies keep an idle connection (60 s is usual): the server's end of it, crossing with the proxy's next
  // request, would be a reset for the visitor.
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 10_000,
} satisfies ServerOptions;

/**
 * After how long without a byte either way a connection is closed, in milliseconds. Node has no limit of its own: a page that
 * is made and never read would stay in memory as long as its visitor likes. Longer than `deadlines.visitor.unreadMs`, which
 * ends a file that nobody reads and says so in the log.
 */
export const silentConnectionMs = 15 * 60_000;
