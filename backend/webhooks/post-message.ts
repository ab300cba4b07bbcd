import type { Config } from "../config.ts";
import { ConnectionError } from "../outgoing/connection-error.ts";
import { explainConnection, HostError } from "../outgoing/host-error.ts";
import { pinnedRequest } from "../outgoing/pinned-request.ts";
import { checkedAddresses, type LookUpHost } from "../outgoing/public-address.ts";
import { deadlines } from "../waits/deadlines.ts";
import { readRetryAfter } from "../waits/read-retry-after.ts";

/** What is read of an answer: enough for Discord's word on when to come again. */
const maxAnswerBytes = 4096;

/** What became of one try. */
export interface PostOutcome {
  /** Null when there was no answer. */
  status: number | null;
  /** Null for an answer that means success, else a sentence. */
  problem: string | null;
  tookMs: number;
  /** How long the receiver asked us to stay away. */
  retryAfterMs: number;
}

const userAgent = "Clutchcast-Webhooks/1 (+https://www.standardwebhooks.com/)";

/**
 * Posts a message to an address that a player gave us. The address is resolved and checked as a demo's is, and the checked addresses alone are
 * connected to; no redirect is followed, and the answer is bounded in time and size. Never throws for what the other side does.
 */
export async function postMessage(
  { WEBHOOK_ALLOW_HOSTS: allowHosts }: Pick<Config, "WEBHOOK_ALLOW_HOSTS">,
  url: URL,
  message: { headers: Record<string, string>; body: string },
  { signal, lookUpHost }: { signal?: AbortSignal; lookUpHost?: LookUpHost } = {},
): Promise<PostOutcome> {
  const started = performance.now();
  const took = () => Math.round(performance.now() - started);
  const timeout = AbortSignal.timeout(deadlines.webhook.totalMs);
  const both = signal ? AbortSignal.any([signal, timeout]) : timeout;
  try {
    const addresses = await checkedAddresses(url, allowHosts, lookUpHost, deadlines.webhook.lookUpMs);
    const response = await pinnedRequest(url, addresses, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "User-Agent": userAgent,
        "Content-Length": String(Buffer.byteLength(message.body)),
        ...message.headers,
      },
      body: message.body,
      signal: both,
      connectMs: deadlines.webhook.totalMs,
    });
    const text = await beginningOf(response.body).finally(() => response.close());
    const { statusCode: status } = response;
    const retryAfterMs = retryAfterOf(response.headers["retry-after"], text);
    return { status, problem: problemOf(status), tookMs: took(), retryAfterMs };
  } catch (error) {
    signal?.throwIfAborted();
    const problem = timeout.aborted
      ? `${url.host} did not answer within ${deadlines.webhook.totalMs / 1000} seconds.`
      : connectionProblem(url, error);
    return { status: null, problem, tookMs: took(), retryAfterMs: 0 };
  }
}

/** As far as it comes: the status has said already whether the message arrived. */
async function beginningOf(body: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of body) {
      pieces.push(piece);
      bytes += piece.length;
      // What comes after that is nothing to us.
      if (bytes >= maxAnswerBytes) break;
    }
  } catch {
    // Broken off, or out of time.
  }
  return Buffer.concat(pieces).subarray(0, maxAnswerBytes).toString("utf8");
}

function problemOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `The answer is a redirect (${status}), which is not followed.`;
  return `The answer is ${status}.`;
}

/** In the header, or, more exactly, in Discord's answer. Source: discord.com/developers/docs/topics/rate-limits */
function retryAfterOf(header: string | undefined, text: string): number {
  try {
    const told = (JSON.parse(text) as { retry_after?: unknown } | null)?.retry_after;
    if (typeof told === "number") return Number.isFinite(told) && told > 0 ? Math.ceil(told * 1000) : 0;
  } catch {
    // Most answers are no JSON.
  }
  return readRetryAfter(header);
}

/** A sentence: why a message did not reach its receiver. */
export function connectionProblem(url: URL, error: unknown): string {
  const explained = error instanceof ConnectionError ? explainConnection(url.host, error) : error;
  switch (explained instanceof HostError ? explained.problem : null) {
    case "bad_url":
      return "This is not a web address that a message can be sent to.";
    case "forbidden_address":
      return "The address leads to a private network.";
    case "host_not_found":
      return `There is no public server named ${url.hostname}.`;
    case "lookup_failed":
      return `The name ${url.hostname} could not be looked up just now.`;
    case "connection_refused":
      return `${url.host} refuses connections.`;
    case "bad_certificate":
    case "no_secure_connection":
      return `No secure connection to ${url.host} could be made.`;
    case "not_http":
      return `${url.host} does not answer as a web server does.`;
    default:
      return `${url.host} cannot be reached.`;
  }
}
