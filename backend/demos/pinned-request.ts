import http, { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import https from "node:https";
import { untilAborted } from "../http/until-aborted.ts";
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

/** Informational answers before the real one; hosts send one (`103 Early Hints`) or none. */
const mostInformation = 16;

/**
 * Asks for an address at the checked network addresses only, so that a name cannot change its meaning in between. Follows
 * no redirect. Whatever the host does, the promise and every read of the body settle when the signal says so.
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
  signal.throwIfAborted();
  const client = url.protocol === "https:" ? https : http;
  const request = client.request(url, {
    // A connection of its own, closed with the request.
    agent: false,
    headers,
    lookup: (_host, options, callback) => {
      if (options.all) callback(null, [...addresses]);
      else callback(null, addresses[0]!.address, addresses[0]!.family);
    },
  });
  // A request that was given up complains; nobody listens for it any more.
  request.on("error", () => {});
  try {
    const response = await untilAborted(answerTo(request), signal);
    return {
      statusCode: response.statusCode ?? 0,
      headers: response.headers,
      body: bodyOf(response, signal),
      close() {
        response.on("error", () => {});
        request.destroy();
      },
    };
  } catch (error) {
    request.destroy();
    throw error;
  }
}

/** Settles whichever way the exchange goes: Node says some ends by neither `response` nor `error`. */
function answerTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const fail = (reason: unknown) => {
      reject(new ConnectionError(reason));
      request.destroy();
    };
    let information = 0;
    request.on("response", resolve);
    request.on("error", fail);
    request.on("information", () => {
      if (++information > mostInformation) fail(new Error("The host sends informational answers without an end."));
    });
    // Without a listener Node closes such a connection and says nothing of it but `close`.
    request.on("upgrade", (_response, socket) => {
      socket.destroy();
      fail(new Error("The host switched to another protocol."));
    });
    request.on("close", () => fail(new Error("The connection closed before an answer.")));
    request.end();
  });
}

async function* bodyOf(response: IncomingMessage, signal: AbortSignal): AsyncGenerator<Buffer> {
  const pieces = response[Symbol.asyncIterator]();
  for (;;) {
    let piece: IteratorResult<Buffer>;
    try {
      piece = await untilAborted(pieces.next(), signal);
    } catch (error) {
      throw signal.aborted ? signal.reason : new ConnectionError(error);
    }
    if (piece.done) return;
    yield piece.value;
  }
}
