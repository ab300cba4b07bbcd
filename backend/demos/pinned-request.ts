import http, { type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import https from "node:https";
import type { ResolvedAddress } from "./public-address.ts";

export interface PinnedResponse {
  statusCode: number;
  headers: IncomingHttpHeaders;
  /** Throws ConnectionError when the connection ends before the body does. */
  body: AsyncIterable<Buffer>;
  /** Closes the connection; what is left of the body is not wanted. */
  close(): void;
}

/** The connection failed. The technical reason is in `cause`; it is no error of the file system, whatever its code says. */
export class ConnectionError extends Error {
  constructor(cause: unknown) {
    super("The connection failed.", { cause });
  }
}

/**
 * Asks for an address at the checked network addresses only, so that a name cannot change its meaning in between. Follows
 * no redirect.
 *
 * With Node's own client: undici 7 ends the whole process when a slow reader's server closes the connection
 * (nodejs/undici#5360; mended in undici 8, which needs Node 22).
 * @throws ConnectionError, or the signal's reason
 */
export async function pinnedRequest(
  url: URL,
  addresses: readonly ResolvedAddress[],
  { headers, signal }: { headers: Record<string, string>; signal: AbortSignal },
): Promise<PinnedResponse> {
  const client = url.protocol === "https:" ? https : http;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = client.request(url, {
      // A connection of its own, closed with the request.
      agent: false,
      headers,
      signal,
      lookup: (_host, options, callback) => {
        if (options.all) callback(null, [...addresses]);
        else callback(null, addresses[0]!.address, addresses[0]!.family);
      },
    });
    request.on("response", resolve);
    request.on("error", (error) => reject(signal.aborted ? signal.reason : new ConnectionError(error)));
    request.end();
  });
  return {
    statusCode: response.statusCode ?? 0,
    headers: response.headers,
    body: bodyOf(response, signal),
    close() {
      // Closing early makes the response complain; nobody listens for it any more.
      response.on("error", () => {});
      response.destroy();
    },
  };
}

async function* bodyOf(response: IncomingMessage, signal: AbortSignal): AsyncGenerator<Buffer> {
  const pieces = response[Symbol.asyncIterator]();
  for (;;) {
    let piece: IteratorResult<Buffer>;
    try {
      piece = await pieces.next();
    } catch (error) {
      throw signal.aborted ? signal.reason : new ConnectionError(error);
    }
    if (piece.done) return;
    yield piece.value;
  }
}
