import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { expect, test, vi } from "vitest";
import { makeCertificate } from "../../../tests/services/certificate.ts";
import {
  demoBytes,
  drip,
  type HostileAct,
  type HostileActName,
  hostileActs,
  startHostileHost,
} from "../../../tests/services/hostile-hosts.ts";
import { ConnectionError } from "../../outgoing/connection-error.ts";
import { explainConnection } from "../../outgoing/host-error.ts";
import { programOf } from "../../storage/testing/fork-source.ts";
import { DemoImportError } from "../demo-import-error.ts";
import { temporaryFolder } from "../testing/demo-fixtures.ts";
import { type DownloadOptions, downloadDemo } from "./download-demo.ts";

const scratch = temporaryFolder();

/**
 * Downloads from a hostile host and returns the outcome, after checking that every connection is closed and nothing is left on the disk.
 */
async function downloadFrom(act: HostileAct, changes: Partial<DownloadOptions> = {}, host = {}) {
  const hostile = await startHostileHost(act, host);
  const directory = mkdtempSync(join(scratch, "job-"));
  try {
    const outcome = await downloadDemo(hostile.url, {
      directory,
      allowHosts: [hostile.host],
      maxBytes: 10_000_000,
      idleMs: 400,
      tries: 2,
      backoffMs: 1,
      ...changes,
    }).catch((reason) => reason);
    await hostile.allClosed();
    if (outcome instanceof Error) expect(readdirSync(directory)).toEqual([]);
    return { outcome, host: hostile.host, connections: hostile.connections(), requests: hostile.requests };
  } finally {
    await hostile.close();
  }
}

test.each<[HostileActName, DemoImportError["code"], number]>([
  ["switchProtocols", "not_http", 1],
  ["switchToNothing", "not_http", 1],
  ["endlessInformation", "not_http", 1],
  ["endlessHeaders", "not_http", 1],
  ["hugeHeader", "not_http", 1],
  ["noHttp", "not_http", 1],
  ["twoLengths", "not_http", 1],
  ["brokenChunk", "not_http", 1],
  ["endlessChunkExtension", "not_http", 1],
  ["byteAChunk", "not_http", 1],
  ["silence", "timeout", 2],
  ["closeAfterHead", "connection_failed", 2],
  ["hangUp", "connection_failed", 2],
  ["reset", "connection_failed", 2],
  ["resetInBody", "cut_off", 2],
  ["promiseMore", "cut_off", 3],
  ["byteAConnection", "cut_off", 2],
  ["wrongPart", "cut_off", 20],
  ["endlessRedirects", "too_many_redirects", 6],
  ["packedOddly", "not_a_demo", 1],
])("a hostile host gets its sentence and few requests: %s", async (name, code, maxConnections) => {
  const { outcome, host, connections } = await downloadFrom(hostileActs[name]);
  expect(outcome).toBeInstanceOf(DemoImportError);
  expect(outcome.code).toBe(code);
  expect(outcome.message).not.toMatch(/[{}]|undefined/);
  if (outcome.message.includes("127.0.0.1")) expect(outcome.message).toContain(host);
  expect(connections).toBeLessThanOrEqual(maxConnections);
});

test.each<HostileActName>(["switchProtocols", "endlessInformation", "silence", "byteAChunk", "closeAfterHead"])(
  "a download can be aborted whatever the host does: %s",
  async (name) => {
    const controller = new AbortController();
    const act: HostileAct = (socket, request) => {
      hostileActs[name](socket, request);
      controller.abort(new Error("enough"));
    };
    const { outcome } = await downloadFrom(act, { signal: controller.signal });
    expect(outcome).toMatchObject({ message: "enough" });
  },
);

test("a host that drips is stopped as too slow, however often a byte comes", async () => {
  const minSpeed = { bytes: 100_000, withinMs: 360 };
  for (const everyMs of [5, 60]) {
    const { outcome, host, connections } = await downloadFrom(drip({ bytes: 1, everyMs }), { minSpeed });
    expect(outcome).toMatchObject({ code: "slow_host" });
    expect(outcome.message).toContain(`${host} sends too slowly`);
    expect(connections).toBe(1);
  }
});

test("a slow host that is quick enough gives its file", async () => {
  const act: HostileAct = (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${demoBytes.length}\r\n\r\n`);
    let sent = 0;
    const timer = setInterval(() => {
      socket.write(demoBytes.subarray(sent, sent + 4096));
      sent += 4096;
      if (sent >= demoBytes.length) clearInterval(timer);
    }, 40);
  };
  const { outcome } = await downloadFrom(act, { minSpeed: { bytes: 1024, withinMs: 360 }, idleMs: 10_000 });
  expect(outcome).toMatchObject({ bytes: demoBytes.length });
});

test("a host that says nothing is not called slow, and one in trouble not silent", async () => {
  const changes = { minSpeed: { bytes: 1000, withinMs: 240 }, idleMs: 60_000 };
  expect((await downloadFrom(hostileActs.silence, changes)).outcome).toMatchObject({ code: "timeout" });
  const busy: HostileAct = (socket) => socket.end("HTTP/1.1 503 Busy\r\nRetry-After: 10\r\nContent-Length: 0\r\n\r\n");
  const { outcome } = await downloadFrom(busy, changes);
  expect(outcome).toMatchObject({ code: "server_error" });
  expect(outcome.message).toContain("503");
});

test("the whole of a download has an end", async () => {
  const unhurried = { minSpeed: { bytes: 1, withinMs: 600_000 }, totalMs: 300 };
  const { outcome } = await downloadFrom(drip({ bytes: 1, everyMs: 20 }), unhurried);
  expect(outcome).toMatchObject({ code: "slow_host" });
});

test("a download may take longer by the size of its file, and no longer than that", async () => {
  // Two minutes, plus a second for each 64 KiB.
  const bytes = 100 * 64 * 1024;
  let drip: NodeJS.Timeout | undefined;
  const act: HostileAct = (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${bytes}\r\n\r\n`);
    socket.write(demoBytes.subarray(0, 1000));
    drip = setInterval(() => socket.write("x"), 10);
    socket.on("close", () => clearInterval(drip));
  };
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  try {
    let received = 0;
    let outcome: DemoImportError | undefined;
    const patient = { minSpeed: { bytes: 1, withinMs: 600_000 }, idleMs: 10_000_000, maxBytes: 2 * bytes };
    const downloading = downloadFrom(act, {
      ...patient,
      onProgress: (_, { receivedBytes }) => {
        received = receivedBytes;
      },
    }).then((ended) => {
      outcome = ended.outcome;
    });
    const moreComes = async () => {
      const before = received;
      while (received === before && !outcome) {
        vi.advanceTimersByTime(1);
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    await moreComes();
    vi.advanceTimersByTime(210_000);
    await moreComes();
    expect(outcome).toBeUndefined();
    vi.advanceTimersByTime(11_000);
    await moreComes();
    await downloading;
    expect(outcome).toMatchObject({ code: "slow_host" });
  } finally {
    vi.useRealTimers();
    clearInterval(drip);
  }
});

test("a file in pieces takes twenty connections at most, those of redirects included", async () => {
  const inPieces: HostileAct = (socket, request) => {
    const from = Number(/^range: bytes=(\d+)-/im.exec(request)?.[1] ?? 0);
    const total = demoBytes.length;
    const status = from ? `206 OK\r\nContent-Range: bytes ${from}-${total - 1}/${total}` : "200 OK";
    socket.write(`HTTP/1.1 ${status}\r\nETag: "1"\r\nContent-Length: ${total - from}\r\n\r\n`);
    const end = from + Math.ceil(total / 15);
    // Gives the client time to read before it notices the end.
    socket.write(demoBytes.subarray(from, end), () => setTimeout(() => socket.end(), 50));
  };
  const direct = await downloadFrom(inPieces, { tries: 4, idleMs: 10_000 });
  expect(direct.outcome).toMatchObject({ bytes: demoBytes.length });
  expect(direct.connections).toBeGreaterThanOrEqual(15);
  const redirected = await downloadFrom(
    (socket, request) => {
      if (request.startsWith("GET /piece ")) inPieces(socket, request);
      else socket.end("HTTP/1.1 302 Found\r\nLocation: /piece\r\n\r\n");
    },
    { tries: 4, idleMs: 10_000 },
  );
  expect(redirected.outcome).toMatchObject({ code: "cut_off" });
  expect(redirected.connections).toBe(20);
});

test("what follows the announced length is not the file", async () => {
  const { outcome } = await downloadFrom(hostileActs.promiseLess);
  expect(outcome).toMatchObject({ bytes: 60_000 });
});

test("a file packed though nobody asked is the packed file", async () => {
  const directory = mkdtempSync(join(scratch, "job-"));
  const hostile = await startHostileHost(hostileActs.packedAnyway);
  const { path } = await downloadDemo(hostile.url, { directory, allowHosts: [hostile.host], maxBytes: 10_000_000 });
  expect(gunzipSync(readFileSync(path)).equals(demoBytes)).toBe(true);
  await hostile.close();
});

test.each<HostileActName>(["splitRequest", "foldedLocation"])(
  "a redirect adds no header to our request: %s",
  async (name) => {
    const { requests } = await downloadFrom(hostileActs[name]);
    for (const request of requests) expect(request).not.toMatch(/^\s*X-Injected/im);
  },
);

test("a port that nothing listens on refuses, and one that swallows the handshake fails in time", async () => {
  const silent = createServer((socket) => socket.on("error", () => {}));
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const { port } = silent.address() as { port: number };
  const ask = (address: string) =>
    downloadDemo(address, {
      directory: mkdtempSync(join(scratch, "job-")),
      allowHosts: [new URL(address).host],
      maxBytes: 1,
      connectMs: 150,
      backoffMs: 1,
    }).catch((reason) => reason);
  expect(await ask("http://127.0.0.1:1/x.dem")).toMatchObject({
    code: "connection_refused",
    message: expect.stringContaining("127.0.0.1:1 refuses connections"),
  });
  let connections = 0;
  silent.on("connection", () => connections++);
  expect(await ask(`https://127.0.0.1:${port}/x.dem`)).toMatchObject({
    code: "host_unreachable",
    message: expect.stringContaining("cannot be reached"),
  });
  expect(connections).toBe(2);
  silent.close();
});

test("a secure connection is not made with what speaks no TLS", async () => {
  for (const name of ["noHttp", "garbage"] as const) {
    const hostile = await startHostileHost(hostileActs[name], { atOnce: true });
    const address = hostile.url.replace("http:", "https:");
    const directory = mkdtempSync(join(scratch, "job-"));
    await expect(downloadDemo(address, { directory, allowHosts: [hostile.host], maxBytes: 1 })).rejects.toMatchObject({
      code: "no_secure_connection",
    });
    await hostile.allClosed();
    expect(hostile.connections()).toBe(1);
    await hostile.close();
  }
});

const serveDemo: HostileAct = (socket) => {
  socket.end(Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${demoBytes.length}\r\n\r\n`), demoBytes]));
};

test("a certificate that signs itself has its sentence, at the first try", async () => {
  const certificate = makeCertificate({ names: ["127.0.0.1"] });
  const { outcome, connections } = await downloadFrom(serveDemo, {}, { certificate });
  expect(outcome).toMatchObject({ code: "bad_certificate" });
  expect(outcome.message).toContain("its certificate is self-signed");
  expect(connections).toBe(1);
});

test("an expired certificate and one of another name say so, and a good one is none of that", async () => {
  const day = 86_400_000;
  const certificates = {
    good: makeCertificate({ names: ["demos.example"] }),
    expired: makeCertificate({
      names: ["demos.example"],
      notBefore: new Date(Date.now() - 3 * day),
      notAfter: new Date(Date.now() - 2 * day),
    }),
    early: makeCertificate({
      names: ["demos.example"],
      notBefore: new Date(Date.now() + 2 * day),
      notAfter: new Date(Date.now() + 3 * day),
    }),
    stranger: makeCertificate({ names: ["somebody-else.example"] }),
  };
  const trusted = join(scratch, "trusted.pem");
  writeFileSync(
    trusted,
    Object.values(certificates)
      .map(({ cert }) => cert)
      .join(""),
  );
  const hosts = await Promise.all(
    Object.values(certificates).map((certificate) => startHostileHost(serveDemo, { certificate })),
  );
  const addresses = hosts.map(({ host }) => `https://demos.example:${host.split(":")[1]}/x.dem`);
  const program = programOf(new URL("../testing/download-securely.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [...program, scratch, ...addresses], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: trusted },
  });
  const sentence = (reason: string) =>
    `The connection to HOST is not safe: its certificate ${reason}. Get another link, or download the demo and upload the file.`;
  expect(JSON.parse(stdout)).toEqual([
    `${demoBytes.length} bytes`,
    sentence("has expired"),
    sentence("is not valid yet"),
    sentence("belongs to another name"),
  ]);
  for (const host of hosts) await host.close();
});

test.each([
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "bad_certificate"],
  ["CERT_REVOKED", "bad_certificate"],
  ["ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE", "no_secure_connection"],
  ["EHOSTUNREACH", "host_unreachable"],
  ["ENETUNREACH", "host_unreachable"],
  ["ECONNRESET", "connection_failed"],
])("%s is explained as %s", (code, explained) => {
  const cause = Object.assign(new Error(code), { code });
  expect(explainConnection("demos.example", new ConnectionError(cause)).problem).toBe(explained);
});
