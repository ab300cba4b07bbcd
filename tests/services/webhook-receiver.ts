import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export interface ReceivedMessage {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Answer of a receiver: a status with a body, or none. */
export interface ReceiverAnswer {
  status: number;
  headers?: Record<string, string>;
  body?: string;
  /** The answer waits for this. */
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
  /** Sets the answers to the next messages; 204 by default. */
  answer(next: (message: ReceivedMessage) => ReceiverAnswer): void;
  close(): Promise<void>;
}

/** A stranger's server to which messages are posted, such as Discord's. */
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
