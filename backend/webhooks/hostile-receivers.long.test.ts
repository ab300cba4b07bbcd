import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";
import { afterAll, expect, test } from "vitest";
import { postMessage } from "./post-message.ts";

const ends: (() => void)[] = [];
afterAll(() => {
  for (const end of ends) end();
});

/** A receiver that does this with every connection, once something was sent to it. */
async function receiver(answer: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("data", () => answer(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ends.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function repeat(socket: Socket, text: string, everyMs: number): void {
  const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write(text)), everyMs);
  ends.push(() => clearInterval(timer));
}

const head = (status: string, more = "") => `HTTP/1.1 ${status}\r\n${more}\r\n`;

const receivers: [string, (socket: Socket) => void, number | null][] = [
  [
    "switches protocols",
    (socket) => socket.write(head("101 Switching Protocols", "Upgrade: x\r\nConnection: Upgrade\r\n")),
    null,
  ],
  [
    "sends headers without end",
    (socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      repeat(socket, `X-${"a".repeat(900)}: b\r\n`, 1);
    },
    null,
  ],
  ["sends a letter of its answer a second", (socket) => repeat(socket, "H", 1000), null],
  ["says nothing", () => {}, null],
  ["is no web server", (socket) => socket.end("SSH-2.0-OpenSSH_9.2\r\n"), null],
  ["hangs up", (socket) => socket.destroy(), null],
  [
    "sends us inside",
    (socket) => socket.end(head("302 Found", "Location: http://169.254.169.254/\r\nContent-Length: 0\r\n")),
    302,
  ],
  [
    "answers without end",
    (socket) => {
      socket.write(head("500 Oops"));
      repeat(socket, "x".repeat(65536), 1);
    },
    500,
  ],
  ["begins an answer and says no more", (socket) => socket.write(head("503 Busy", "Content-Length: 9\r\n")), 503],
];

test.concurrent.each(receivers)(
  "A receiver that %s costs one bounded try, with a sentence",
  async (_, answer, status) => {
    const host = await receiver(answer);
    const message = { headers: {}, body: "{}" };
    const outcome = await postMessage(
      { WEBHOOK_ALLOW_HOSTS: [host] } as never,
      new URL(`http://${host}/hook`),
      message,
    );
    expect(outcome.status).toBe(status);
    expect(outcome.problem).toMatch(/^[A-Z\d].{5,300}\.$/s);
  },
);
