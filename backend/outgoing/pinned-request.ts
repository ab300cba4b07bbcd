import http, {
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
} from "node:http";
import https from "node:https";
import { deadlines } from "../waits/deadlines.ts";
import { untilAborted } from "../waits/until-aborted.ts";
import { ConnectionError, NoConnectionInTimeError, NotHttpError } from "./connection-error.ts";
import type { ResolvedAddress } from "./public-address.ts";

export interface PinnedResponse {
  statusCode: number;
  headers: IncomingHttpHeaders;
  /** Throws ConnectionError if the connection ends before the body. */
  body: AsyncIterable<Buffer>;
  /** Closes the connection and discards the rest of the body. */
  close(): void;
}

export interface PinnedRequestOptions {
  /** Default: GET. */
  method?: "GET" | "POST";
  body?: string;
  headers: Record<string, string>;
  /** Ends the exchange; whatever is pending rejects with the signal's reason. */
  signal: AbortSignal;
  /** Time limit for the connection, including TLS. */
  connectMs?: number | undefined;
  onConnect?: () => void;
}

/** Allowed framing in addition to the content, and again for multiples of it: a chunk of one byte can have 16 KiB around it. */
const maxFramingBytes = 1024 ** 2;

/** Maximum of informational answers before the real one; hosts send one (`103 Early Hints`) or none. */
const maxInformation = 16;

/**
 * Requests an address at the checked network addresses only, so that its name cannot resolve to others in between. Follows no redirect.
 * Whatever the host does, the promise and every read of the body settle when the signal aborts.
 * Uses Node's own client: undici 7 ends the whole process when a slow reader's server closes the connection (nodejs/undici#5360; fixed in
 * undici 8, which needs Node 22).
 * @throws ConnectionError, or the signal's reason
 */
export async function pinnedRequest(
  url: URL,
  addresses: readonly ResolvedAddress[],
  { method = "GET", body, headers, signal, connectMs = deadlines.download.connectMs, onConnect }: PinnedRequestOptions,
): Promise<PinnedResponse> {
  signal.throwIfAborted();
  const client = url.protocol === "https:" ? https : http;
  const options: RequestOptions & { autoSelectFamilyAttemptTimeout: number } = {
    // A separate connection, closed with the request.
    agent: false,
    method,
    headers,
    // The default is a quarter of a second, which a distant host may need for one address.
    autoSelectFamilyAttemptTimeout: Math.ceil(connectMs / 4),
    lookup: (_host, options, callback) => {
      if (options.all) callback(null, [...addresses]);
      else callback(null, addresses[0]!.address, addresses[0]!.family);
    },
  };
  const request = client.request(url, options);
  let complaint: Error | null = null;
  // Stays for aborted requests and for the body: Node emits parser errors only on the request.
  request.on("error", (error) => {
    complaint = error;
  });
  try {
    const response = await untilAborted(answerTo(request, body, connectMs, onConnect), signal);
    return {
      statusCode: response.statusCode ?? 0,
      headers: response.headers,
      body: bodyOf(response, signal, () => complaint),
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

/** Settles however the exchange ends: some endings emit neither `response` nor `error`. */
function answerTo(
  request: ClientRequest,
  body: string | undefined,
  connectMs: number,
  onConnect?: () => void,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let isAnswered = false;
    const fail = (reason: unknown) => {
      // Destroying the request would discard the part of its body that has arrived.
      if (isAnswered) return;
      reject(new ConnectionError(reason));
      request.destroy();
    };
    const overdue = setTimeout(() => fail(new NoConnectionInTimeError()), connectMs);
    request.on("socket", (socket) => {
      socket.once(request.protocol === "https:" ? "secureConnect" : "connect", () => {
        clearTimeout(overdue);
        onConnect?.();
      });
    });
    let information = 0;
    request.on("response", (response) => {
      isAnswered = true;
      resolve(response);
    });
    request.on("error", fail);
    request.on("information", () => {
      if (++information > maxInformation) fail(new NotHttpError("informational answers without an end"));
    });
    // Without a listener Node closes such a connection and emits only `close`.
    request.on("upgrade", (_response, socket) => {
      socket.destroy();
      fail(new NotHttpError("a switch to another protocol"));
    });
    request.on("close", () => {
      clearTimeout(overdue);
      fail(new Error("The connection closed before an answer."));
    });
    request.end(body);
  });
}

async function* bodyOf(
  response: IncomingMessage,
  signal: AbortSignal,
  complaint: () => Error | null,
): AsyncGenerator<Buffer> {
  const pieces = response[Symbol.asyncIterator]();
  let bytes = 0;
  for (;;) {
    let piece: IteratorResult<Buffer>;
    try {
      piece = await untilAborted(pieces.next(), signal);
      bytes += piece.done ? 0 : piece.value.length;
      if (response.socket?.bytesRead > maxFramingBytes + 4 * bytes) {
        throw new NotHttpError("far more around the content than content");
      }
    } catch (error) {
      throw signal.aborted
        ? signal.reason
        : new ConnectionError(error instanceof NotHttpError ? error : (complaint() ?? error));
    }
    if (piece.done) return;
    yield piece.value;
  }
}
