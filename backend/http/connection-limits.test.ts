import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, test } from "vitest";
import { deadlines } from "../waits/deadlines.ts";
import { connectionLimits, silentConnectionMs } from "./connection-limits.ts";

test("An idle connection is kept for longer than proxies keep theirs", async () => {
  const server = createServer(connectionLimits, (_request, response) => response.end("ok"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await answer.text();
  expect(answer.headers.get("keep-alive")).toBe("timeout=75");
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test("A connection whose head never ends is closed", async () => {
  const server = createServer({ ...connectionLimits, headersTimeout: 100, connectionsCheckingInterval: 50 });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.write("GET / HTTP/1.1\r\nX-Slow: ");
  const answer = await new Promise<string>((resolve) => {
    let text = "";
    socket.on("data", (data) => {
      text += data.toString();
    });
    socket.on("close", () => resolve(text));
  });
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  await new Promise((resolve) => server.close(resolve));
});

test("A connection on which nothing is read is closed in the end, and what was made for it is let go", async () => {
  const large = Buffer.alloc(64 * 1024 ** 2);
  const server = createServer(connectionLimits);
  const closed = new Promise<void>((resolve) => {
    server.on("request", (_request, response) => {
      response.on("close", resolve);
      response.end(large);
    });
  });
  expect(silentConnectionMs).toBeGreaterThan(deadlines.visitor.unreadMs);
  server.setTimeout(200);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.on("error", () => {});
  socket.pause();
  socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  await closed;
  expect(socket.bytesRead).toBeLessThan(large.length / 2);
  socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});
