import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export interface ReceivedMessage {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** How a receiver answers: a status with a body, or not at all. */
export interface ReceiverAnswer {
  status: number;
  headers?: Record<string, string>;
  body?: string;
  /** The answer comes when this is done. */
  after?: Promise<void>;
  /** The answer's body never ends. */
  isEndless?: boolean;
  /** The connection ends in the middle of the body. */
  isBrokenOff?: boolean;
}

export interface WebhookReceiver {
  /** `http://127.0.0.1:PORT` */
  url: string;
  /** `127.0.0.1:PORT`, for WEBHOOK_ALLOW_HOSTS. */
  host: string;
  received: ReceivedMessage[];
  /** Of the next messages; 204 when nothing is set. */
  answer(next: (message: ReceivedMessage) => ReceiverAnswer): void;
  close(): Promise<void>;
}

/** Somebody's server that messages are posted to, Discord's among them. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedMessage[] = [];
  let next: (message: ReceivedMessage) => ReceiverAnswer = () => ({ status: 204 });
  const server = createServer(async (request, response): Promise<unknown> => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const message = { path: request.url ?? "", headers: request.headers, body: Buffer.concat(pieces).toString("utf8") };
    received.push(message);
    const { status, headers = {}, body = "", after, isEndless, isBrokenOff } = next(message);
    await after;
    if (isBrokenOff) {
      response.writeHead(status, { ...headers, "Content-Length": "100" });
      return response.write(`half of it ${body}`, () => response.destroy());
    }
    response.writeHead(status, headers);
    if (!isEndless) return response.end(body);
    const more = () => {
      while (response.write("x".repeat(65_536)));
    };
    response.on("drain", more);
    return more();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}`,
    host,
    received,
    answer(wanted) {
      next = wanted;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
