import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fixturePath, temporaryFolder } from "../testing/demo-fixtures.ts";
import { type DownloadOptions, downloadDemo } from "./download-demo.ts";

const scratch = temporaryFolder();
const demo = Buffer.concat([Buffer.from("PBDEMS2\0"), randomBytes(900_000)]);
const etag = '"v1"';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;
let handler: Handler = () => {};
const requests: { url: string; range: string | undefined; ifRange: string | undefined }[] = [];
const server = createServer((request, response) => {
  requests.push({ url: request.url!, range: request.headers.range, ifRange: request.headers["if-range"] as string });
  handler(request, response);
});
let host = "";

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function download(path: string, changes: Partial<DownloadOptions> = {}) {
  requests.length = 0;
  const directory = mkdtempSync(join(scratch, "job-"));
  const promise = downloadDemo(path.includes("://") ? path : `http://${host}${path}`, {
    directory,
    allowHosts: [host],
    maxBytes: 10_000_000,
    idleMs: 5000,
    tries: 3,
    backoffMs: 1,
    ...changes,
  });
  return Object.assign(promise, { directory });
}

/** Serves `demo` like a real file server, ranges included. */
function sendDemo(request: IncomingMessage, response: ServerResponse, upTo = demo.length): void {
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0);
  const isPartial = from > 0 && request.headers["if-range"] === etag;
  const start = isPartial ? from : 0;
  response.writeHead(isPartial ? 206 : 200, {
    etag,
    "content-length": demo.length - start,
    ...(isPartial ? { "content-range": `bytes ${start}-${demo.length - 1}/${demo.length}` } : {}),
  });
  const end = Math.min(upTo, demo.length);
  if (end === demo.length) response.end(demo.subarray(start));
  else response.write(demo.subarray(start, end), () => setTimeout(() => response.destroy(), 20));
}

test("a file arrives whole, with progress up to its end", async () => {
  handler = sendDemo;
  const fractions: (number | null)[] = [];
  const file = await download("/match%20one.dem", { onProgress: (fraction) => fractions.push(fraction) });
  expect(readFileSync(file.path).equals(demo)).toBe(true);
  expect(file).toMatchObject({ bytes: demo.length, fileName: "match one.dem" });
  expect(fractions.at(-1)).toBe(1);
});

test("a real demo archive arrives unchanged", async () => {
  const bytes = readFileSync(fixturePath("highlights-reel"));
  handler = (_, response) => response.end(bytes);
  const file = await download("/reel.dem.gz");
  const sha = (data: Buffer) => createHash("sha256").update(data).digest("hex");
  expect(sha(readFileSync(file.path))).toBe(sha(bytes));
});

test.each([
  ["with a length", (length: number) => `HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n`],
  ["with HTTP 1.0", (length: number) => `HTTP/1.0 200 OK\r\nContent-Length: ${length}\r\n\r\n`],
  ["without a length", () => "HTTP/1.0 200 OK\r\n\r\n"],
])("a server that closes the connection right behind a small file gives all of it, %s", async (_, head) => {
  const small = Buffer.concat([Buffer.from("PBDEMS2\0"), randomBytes(64 * 1024)]);
  const closing = createTcpServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => {
      socket.write(head(small.length));
      socket.end(small);
    });
  });
  await new Promise<void>((resolve) => closing.listen(0, "127.0.0.1", resolve));
  const address = `127.0.0.1:${(closing.address() as AddressInfo).port}`;
  const file = await download(`http://${address}/match.dem`, { allowHosts: [address] });
  expect(readFileSync(file.path).equals(small)).toBe(true);
  closing.close();
});

test("a broken connection is taken up where it broke", async () => {
  let connections = 0;
  handler = (request, response) => sendDemo(request, response, ++connections * 300_000);
  const file = await download("/cut.dem", { tries: 2 });
  expect(readFileSync(file.path).equals(demo)).toBe(true);
  expect(requests.length).toBeGreaterThanOrEqual(3);
  expect(requests[0]?.range).toBeUndefined();
  expect(requests.slice(1).every(({ range, ifRange }) => /^bytes=\d+-$/.test(range!) && ifRange === etag)).toBe(true);
});

test("a file that changed in between is loaded anew", async () => {
  const changed = Buffer.concat([Buffer.from("PBDEMS2\0"), randomBytes(500_000)]);
  handler = (request, response) => {
    if (requests.length === 1) return sendDemo(request, response, 300_000);
    response.writeHead(200, { etag: '"v2"', "content-length": changed.length });
    response.end(changed);
  };
  const file = await download("/changed.dem");
  expect(readFileSync(file.path).equals(changed)).toBe(true);
});

test("without a validator, and where ranges are ignored, a broken download begins anew", async () => {
  handler = (_, response) => {
    response.writeHead(200, { "content-length": demo.length });
    if (requests.length > 1) response.end(demo);
    else response.write(demo.subarray(0, 200_000), () => setTimeout(() => response.destroy(), 20));
  };
  const file = await download("/plain.dem");
  expect(readFileSync(file.path).equals(demo)).toBe(true);
  expect(requests[1]?.range).toBeUndefined();
});

test("a part that does not fit what is there is not glued to it", async () => {
  handler = (request, response) => {
    if (requests.length !== 2) return sendDemo(request, response, requests.length === 1 ? 300_000 : demo.length);
    response.writeHead(206, { "content-range": `bytes 5-${demo.length - 1}/${demo.length}` });
    response.end(demo.subarray(5));
  };
  const file = await download("/shifted.dem");
  expect(readFileSync(file.path).equals(demo)).toBe(true);
});

test("a server in trouble is asked again, and one in trouble for good is named", async () => {
  handler = (request, response) => {
    if (requests.length > 2) return sendDemo(request, response);
    response.writeHead(requests.length === 1 ? 503 : 429, { "retry-after": "0" }).end();
  };
  expect((await download("/busy.dem")).bytes).toBe(demo.length);
  handler = (_, response) => response.writeHead(502).end();
  const error = await download("/broken.dem").catch((reason) => reason);
  expect(error).toMatchObject({ code: "server_error" });
  expect(error.message).toContain(host);
  expect(error.message).toContain("502");
  expect(requests).toHaveLength(3);
});

test.each([
  [404, "not_found"],
  [410, "gone"],
  [401, "access_denied"],
  [403, "access_denied"],
  [451, "access_denied"],
  [204, "empty_file"],
])("status %i is %s, at the first try", async (status, code) => {
  handler = (_, response) => response.writeHead(status).end();
  await expect(download("/x.dem")).rejects.toMatchObject({ code });
  expect(requests).toHaveLength(1);
});

test("a file that always ends early is called cut off", async () => {
  handler = (request, response) => {
    response.writeHead(200, { "content-length": demo.length });
    response.write(demo.subarray(0, 100_000), () => setTimeout(() => response.destroy(), 20));
    request.resume();
  };
  await expect(download("/short.dem")).rejects.toMatchObject({ code: "cut_off" });
});

test("a host that hangs before or within the answer ends the wait", async () => {
  handler = () => {};
  await expect(download("/silent.dem", { idleMs: 120, tries: 2 })).rejects.toMatchObject({ code: "timeout" });
  expect(requests).toHaveLength(2);
  handler = (_, response) => {
    response.writeHead(200, { "content-length": demo.length });
    response.write(demo.subarray(0, 50_000));
  };
  await expect(download("/stalled.dem", { idleMs: 120, tries: 2 })).rejects.toMatchObject({ code: "timeout" });
});

test("a file too large is refused by what it says and by what it is", async () => {
  handler = sendDemo;
  await expect(download("/large.dem", { maxBytes: 500_000 })).rejects.toMatchObject({ code: "too_large" });
  handler = (_, response) => response.end(demo);
  const chunked = download("/large.dem", { maxBytes: 500_000 });
  await expect(chunked).rejects.toMatchObject({ code: "too_large" });
  handler = (_, response) => {
    response.writeHead(200);
    response.write(demo);
    response.end();
  };
  const error = await download("/large.dem", { maxBytes: 600_000 }).catch((reason) => reason);
  expect(error.message).toContain("0.6 MiB");
});

test.each([
  ["a page", "text/html; charset=utf-8", "<!doctype html><title>Sign in</title>", "html_page"],
  ["a page that says it is a file", "application/octet-stream", "\n<!-- hello --><html><body>", "html_page"],
  ["a text page without HTML", "text/html", "please log in", "html_page"],
  ["a text", "text/plain", "hello", "not_a_demo"],
  ["nothing", "application/octet-stream", "", "empty_file"],
  ["a CS:GO demo", "application/octet-stream", "HL2DEMO\0 and more", "csgo_demo"],
  ["a RAR archive", "application/octet-stream", "Rar!\x1a\x07\x01\0", "unsupported_archive"],
  ["a ZIP archive", "application/zip", "PK\x03\x04 and more", "unsupported_archive"],
])("%s instead of a demo has its own sentence", async (_, type, body, code) => {
  handler = (__, response) => response.writeHead(200, { "content-type": type }).end(Buffer.from(body, "latin1"));
  const job = download("/x.dem");
  await expect(job).rejects.toMatchObject({ code });
  expect(requests).toHaveLength(1);
  expect(readdirSync(job.directory)).toEqual([]);
});

test("a demo served as text/html is a demo", async () => {
  handler = (_, response) => response.writeHead(200, { "content-type": "text/html" }).end(demo);
  expect((await download("/odd.dem")).bytes).toBe(demo.length);
});

test("redirects are followed, relative ones too, but not without end", async () => {
  handler = (request, response) => {
    const step = Number(request.url!.slice(1));
    if (step === 5) return sendDemo(request, response);
    response
      .writeHead([301, 302, 303, 307, 308][step]!, {
        location: step % 2 ? `/${step + 1}` : `http://${host}/${step + 1}`,
      })
      .end();
  };
  expect(await download("/0")).toMatchObject({ bytes: demo.length, fileName: "0" });
  handler = (_, response) => response.writeHead(302, { location: "/again" }).end();
  await expect(download("/again")).rejects.toMatchObject({ code: "too_many_redirects" });
  expect(requests).toHaveLength(6);
});

test("a redirect to a private address, another scheme or with credentials is refused", async () => {
  for (const [location, code] of [
    ["http://127.0.0.1:2/x.dem", "forbidden_address"],
    ["http://169.254.169.254/latest/meta-data/", "forbidden_address"],
    ["http://[::ffff:127.0.0.1]:2/x.dem", "forbidden_address"],
    ["file:///etc/passwd", "bad_url"],
    [`http://user:secret@${host}/x.dem`, "bad_url"],
  ]) {
    handler = (_, response) => response.writeHead(302, { location }).end();
    await expect(download("/out")).rejects.toMatchObject({ code });
    expect(requests).toHaveLength(1);
  }
});

test("a private address is refused without a connection", async () => {
  await expect(download("/x.dem", { allowHosts: [] })).rejects.toMatchObject({ code: "forbidden_address" });
  expect(requests).toHaveLength(0);
});

test("the connection goes to the address that was checked, whatever the name means a moment later", async () => {
  handler = sendDemo;
  const port = host.split(":")[1];
  let lookUps = 0;
  const file = await download(`http://demos.example:${port}/x.dem`, {
    allowHosts: [`demos.example:${port}`],
    lookUpHost: async () => [{ address: lookUps++ === 0 ? "127.0.0.1" : "10.255.255.1", family: 4 }],
  });
  expect(file.bytes).toBe(demo.length);
  expect(lookUps).toBe(1);
});

test("a name that resolves to a private address is refused", async () => {
  const lookUpHost = async () => [{ address: "192.168.0.10", family: 4 as const }];
  await expect(download("http://demos.example/x.dem", { lookUpHost })).rejects.toMatchObject({
    code: "host_not_found",
  });
});

test.each(["not an address", "ftp://demos.example/x.dem", "//x", ""])("“%s” is no address", async (address) => {
  const directory = mkdtempSync(join(scratch, "job-"));
  await expect(downloadDemo(address, { directory, allowHosts: [], maxBytes: 1 })).rejects.toMatchObject({
    code: "bad_url",
  });
});

test("an aborted download rejects with the reason and leaves nothing", async () => {
  handler = (request, response) => {
    response.writeHead(200, { "content-length": demo.length, etag });
    response.write(demo.subarray(0, 100_000));
    request.resume();
  };
  const controller = new AbortController();
  const job = download("/x.dem", {
    signal: controller.signal,
    onProgress: () => controller.abort(new Error("enough")),
  });
  await expect(job).rejects.toThrow("enough");
  expect(existsSync(join(job.directory, "download.part"))).toBe(false);
});
