import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { boundedFetch, FetchFailedError } from "./bounded-fetch.ts";

let server: Server;
let url: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === "/text") response.end("söme text");
    else if (request.url === "/missing") response.writeHead(404).end("none");
    else if (request.url === "/moved") response.writeHead(302, { Location: "/text" }).end();
    else if (request.url === "/slow-body") response.write("beginning");
    else if (request.url === "/endless") {
      response.write("x".repeat(5000));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});

const limits = { timeoutMs: 30_000, maxBytes: 1000 };
const ask = (path: string, init: RequestInit = {}, timeoutMs = limits.timeoutMs) =>
  boundedFetch(fetch, `${url}${path}`, init, { ...limits, timeoutMs });

test("An answer is given whatever its status, and a redirect is not followed", async () => {
  expect(await ask("/text")).toMatchObject({ status: 200, text: "söme text" });
  expect(await ask("/missing")).toMatchObject({ status: 404, text: "none" });
  expect(await ask("/moved")).toMatchObject({ status: 302, text: "" });
});

test.each([
  ["/never", 300, /did not answer within 300 ms/],
  ["/slow-body", 300, /did not answer within 300 ms/],
  ["/endless", 30_000, /longer than 1000 bytes/],
])("A server that does not come to an end (%s) fails in time", async (path, timeoutMs, message) => {
  const asking = ask(path, {}, timeoutMs);
  await expect(asking).rejects.toThrow(FetchFailedError);
  await expect(asking).rejects.toThrow(message);
});

test("The caller can give up, and a closed port is a failure", async () => {
  await expect(ask("/never", { signal: AbortSignal.abort() })).rejects.toThrow(FetchFailedError);
  await expect(boundedFetch(fetch, "http://127.0.0.1:9/", {}, limits)).rejects.toThrow(/127\.0\.0\.1:9 could not be/);
});

test("An answer that is made in this process, deaf to every signal, is waited for no longer either", async () => {
  const never = () => new Promise<Response>(() => {});
  const silent = async () => new Response(new ReadableStream({ pull: () => new Promise(() => {}) }));
  for (const ask of [never, silent]) {
    await expect(boundedFetch(ask, url, {}, { timeoutMs: 50, maxBytes: 10 })).rejects.toThrow(/did not answer within/);
  }
});
