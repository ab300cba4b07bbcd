import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer as createHttpServer, type Server as HttpServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { hostname } from "node:os";
import { join } from "node:path";
import { createServer as createTlsServer } from "node:tls";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import type { Match, ProcessingState } from "../../../contract/schemas/matches.ts";
import { demoBytes, type HostileAct, hostileActs, startHostileHost } from "../../services/hostile-hosts.ts";
import { fixtureDemo, startDemoShelf } from "../demo-shelf.ts";
import type { FaultPart, FaultRun } from "../fault-run.ts";
import { Judge } from "../judgement.ts";
import {
  importEnded,
  importedMatch,
  isSentence,
  type Player,
  signedInPlayer,
  stagedProduct,
  withoutLimits,
} from "../staged-product.ts";

export const hosts: FaultPart = {
  name: "hosts",
  summary: "demo hosts that lie, trickle, hang and redirect; addresses that lead inside",
  async run(run) {
    const sentences = new Judge("a hostile demo host ends in a sentence, within five minutes");
    const goesOn = new Judge("an import from a sound host goes on beside and after them");
    const inside = new Judge("no demo address leads inside");
    const shelf = await startDemoShelf();
    run.atEnd(() => shelf.close());
    const canary = await startCanary(run);
    const acts = await hostileTargets(run, canary.port);
    const server = await stagedProduct(run, {
      ...withoutLimits,
      IMPORT_ALLOW_HOSTS: [shelf.host, ...acts.map(({ host }) => host)].join(","),
      // Some of them take as long as a download may take; they all begin at once.
      IMPORT_WORKERS: "64",
      RENDER_WORKERS: "0",
      MAX_DOWNLOAD_BYTES: String(16 * 1024 ** 2),
      FAULTS_HOSTS: JSON.stringify(dnsAnswers),
      NODE_OPTIONS: [process.env.NODE_OPTIONS, `--import=${resolver}`].filter(Boolean).join(" "),
    });
    const players: Player[] = [];
    const nextPlayer = async () => {
      // Three imports a player: one may have four under way.
      if (players.length === 0 || importsMade % 3 === 0) players.push(await signedInPlayer(server.url));
      importsMade++;
      return players.at(-1)!;
    };
    let importsMade = 0;

    const hostile = acts.map(async ({ name, url }) => {
      const began = performance.now();
      const { status, error } = await attempt(await nextPlayer(), url);
      const seconds = ((performance.now() - began) / 1000).toFixed(0);
      sentences.check(status === "failed" && isSentence(error), `${name}: ${status} after ${seconds} s: ${error}`);
    });
    const sound = await signedInPlayer(server.url, "sound");
    const imported = importedMatch(sound.visitor, shelf.put("reel.dem.gz", fixtureDemo("highlights-reel.dem.gz")));
    await goesOn_(goesOn, imported, "beside them");
    await Promise.all(hostile);
    run.say(`${acts.length} hosts`);
    const again = importedMatch(sound.visitor, shelf.put("wingman.dem.gz", fixtureDemo("cases/wingman.dem.gz")));
    await goesOn_(goesOn, again, "after them");

    const addresses = insideAddresses(canary.port);
    for (const address of run.isShort ? run.random.sample(addresses, 20) : addresses) {
      const { status, error } = await attempt(await nextPlayer(), address);
      const isRefused = (status === "refused" || status === "failed") && isSentence(error);
      inside.check(
        isRefused && canary.hits() === 0,
        `${address}: ${status}: ${error}, ${canary.hits()} requests inside`,
      );
    }
    inside.check(canary.hits() === 0, `${canary.hits()} requests reached a server that is not allowed`);
    goesOn.check(server.isRunning(), "the server has ended");
    return [sentences.judgement, inside.judgement, goesOn.judgement];
  },
};

const resolver = fileURLToPath(new URL("../resolver.mjs", import.meta.url));

async function goesOn_(judge: Judge, imported: Promise<unknown>, when: string): Promise<void> {
  const fault = await imported.then(
    () => null,
    (error: Error) => error.message,
  );
  judge.check(fault === null, `${when}: ${fault}`);
}

/** Imports what is at an address. @returns how it ended, and what its player reads */
async function attempt({ visitor }: Player, demoUrl: string): Promise<{ status: string; error: string | null }> {
  const response = await visitor.request("POST", "/api/matches/upload-demo/", { demo_url: demoUrl });
  const answer = (await response.json()) as Match & { detail?: string };
  if (!response.ok)
    return { status: response.status === 400 ? "refused" : String(response.status), error: answer.detail ?? null };
  const { status, error }: Pick<ProcessingState, "status" | "error"> = await importEnded(
    visitor,
    answer.match_id,
    300,
  ).catch((late: Error) => ({ status: "queued" as const, error: late.message }));
  return { status, error };
}

/* Hosts */

interface Target {
  name: string;
  host: string;
  url: string;
}

const lines = (...text: string[]) => `HTTP/1.1 ${text.join("\r\n")}\r\n\r\n`;
const ok = (...headers: string[]) => lines("200 OK", "Content-Type: application/octet-stream", ...headers);
const say =
  (...parts: (string | Buffer)[]): HostileAct =>
  (socket) => {
    for (const part of parts) socket.write(part);
    socket.end();
  };

/** Writes a piece again and again. */
function trickle(
  socket: Socket,
  first: string | Buffer,
  piece: (count: number) => string | Buffer,
  everyMs: number,
): void {
  socket.write(first);
  let count = 0;
  const timer = setInterval(() => socket.write(piece(count++)), everyMs);
  socket.on("close", () => clearInterval(timer));
}

const gzipBomb = gzipSync(Buffer.alloc(200 * 1024 ** 2));

/** Acts beside those of `hostileActs`; the slow ones take as long as the product lets them. */
const quickActs: Record<string, HostileAct> = {
  "closes at once": (socket) => socket.destroy(),
  "closes within the head": say("HTTP/1.1 200 OK\r\nContent-Le"),
  "closes within the demo": say(ok("Content-Length: 999999"), demoBytes),
  "answers nothing like HTTP": say("220 ftp.example ready\r\n"),
  "answers HTTP/0.9": say(demoBytes),
  "answers a status of 0": say(lines("0 Nothing")),
  "answers a status of 999": say(lines("999 What")),
  "answers 204": say(lines("204 No Content")),
  "answers 205": say(lines("205 Reset Content", "Content-Length: 0")),
  "answers 304": say(lines("304 Not Modified")),
  "answers 401": say(lines("401 Unauthorized", 'WWW-Authenticate: Basic realm="x"', "Content-Length: 0")),
  "answers 404": say(lines("404 Not Found", "Content-Length: 0")),
  "answers 410": say(lines("410 Gone", "Content-Length: 0")),
  "answers 451": say(lines("451 Unavailable", "Content-Length: 0")),
  "promises more than it sends": say(ok("Content-Length: 99999999999999999999"), demoBytes),
  "sends more than it promises": say(ok("Content-Length: 100"), demoBytes),
  "sends a negative length": say(ok("Content-Length: -1"), demoBytes),
  "sends two lengths": say(ok("Content-Length: 10", "Content-Length: 20"), demoBytes),
  "sends length and chunks": say(ok("Content-Length: 10", "Transfer-Encoding: chunked"), "5\r\nhello\r\n0\r\n\r\n"),
  "sends broken chunks": say(ok("Transfer-Encoding: chunked"), "zz\r\nhello\r\n"),
  "sends a huge chunk": say(ok("Transfer-Encoding: chunked"), "ffffffffffffffff\r\nhello\r\n"),
  "sends a zero byte in a header": say("HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\n", demoBytes),
  "sends a folded header": say("HTTP/1.1 200 OK\r\nX: a\r\n b\r\n\r\n", demoBytes),
  "sends 100,000 cookies": say(`HTTP/1.1 200 OK\r\n${"Set-Cookie: a=b\r\n".repeat(100_000)}\r\n`, demoBytes),
  "calls a page a demo": say(ok(), "<!doctype html><title>Sign in</title>"),
  "sends a page": say(lines("200 OK", "Content-Type: text/html"), "<html><body>Please wait…"),
  "sends nothing": say(ok("Content-Length: 0")),
  "sends noise": say(ok(), Buffer.from(Array.from({ length: 65536 }, (_, at) => (at * 197 + (at >> 8)) & 255))),
  "sends a zip": say(ok(), "PK\x03\x04", Buffer.alloc(1000)),
  "sends a gzip bomb": say(ok(), gzipBomb),
  "packs on the way": say(ok("Content-Encoding: gzip"), gzipBomb),
  "sends another range": say(
    lines("206 Partial Content", "Content-Range: bytes 5-10/11", "Content-Length: 6"),
    "abcdef",
  ),
  "sends many ranges": say(
    lines("206 Partial Content", "Content-Type: multipart/byteranges; boundary=x"),
    "--x\r\n\r\n",
  ),
  "says the range is wrong": say(lines("416 Range Not Satisfiable", "Content-Range: bytes */0", "Content-Length: 0")),
  "redirects to nothing": say(lines("302 Found", "Content-Length: 0")),
  "redirects to itself": say(lines("302 Found", "Location: /match.dem", "Content-Length: 0")),
  "redirects to a file": say(lines("302 Found", "Location: file:///etc/passwd", "Content-Length: 0")),
  "redirects to ftp": say(lines("302 Found", "Location: ftp://127.0.0.1/x", "Content-Length: 0")),
  "redirects to nonsense": say(lines("302 Found", "Location: http://[", "Content-Length: 0")),
  "redirects without end": (socket, request) =>
    say(
      lines(
        "302 Found",
        `Location: /${(request.match(/^GET \/(\d*)/)?.[1]?.length ?? 0) + Math.random()}`,
        "Content-Length: 0",
      ),
    )(socket, request),
  "redirects to an address of 100,000 characters": say(lines("302 Found", `Location: /${"x".repeat(100_000)}`)),
};

const slowActs: Record<string, HostileAct> = {
  "sends a byte a second": (socket) => trickle(socket, Buffer.concat([Buffer.from(ok()), demoBytes]), () => "x", 1000),
  "sends a byte in 25 seconds": (socket) =>
    trickle(socket, Buffer.concat([Buffer.from(ok()), demoBytes]), () => "x", 25_000),
  "sends a header in 5 seconds": (socket) =>
    trickle(socket, "HTTP/1.1 200 OK\r\n", (count) => `X-${count}: a\r\n`, 5000),
  "sends a byte a connection": (socket, request) => {
    const from = Number(/range: bytes=(\d+)-/i.exec(request)?.[1] ?? 0);
    const size = 10_000_000;
    const status = from > 0 ? "206 Partial Content" : "200 OK";
    const range = `Content-Range: bytes ${from}-${size - 1}/${size}`;
    say(
      lines(status, ...(from > 0 ? [range] : []), 'ETag: "x"', `Content-Length: ${size - from}`),
      demoBytes.subarray(from, from + 1),
    )(socket, request);
  },
  "begins and stands still": (socket) =>
    socket.write(Buffer.concat([Buffer.from(ok("Content-Length: 9999999")), demoBytes])),
  "answers 503 each time": say(lines("503 Busy", "Content-Length: 0")),
  "answers 503, again in 300 years": say(lines("503 Busy", "Retry-After: 9999999999", "Content-Length: 0")),
  "answers 429 each time": say(lines("429 Slow down", "Retry-After: 1", "Content-Length: 0")),
  "says 408 without end": say(lines("408 Timeout", "Content-Length: 0")),
  "sends without end": (socket) => {
    socket.write(ok());
    const more = () => {
      if (!socket.destroyed) socket.write(demoBytes, () => setImmediate(more));
    };
    more();
  },
  "sends chunks without end": (socket) => trickle(socket, ok("Transfer-Encoding: chunked"), () => "1\r\nx\r\n", 100),
};

async function hostileTargets(run: FaultRun, canaryPort: number): Promise<Target[]> {
  const acts: [string, HostileAct, string?][] = [
    ...Object.entries(quickActs),
    ...insideAddresses(canaryPort).map((address): [string, HostileAct] => [
      `redirects to ${address}`,
      say(lines("302 Found", `Location: ${address}`, "Content-Length: 0")),
    ]),
    ...Object.entries(quickActs)
      .slice(0, 6)
      .map(([name, act]): [string, HostileAct, string] => [`https: ${name}`, act, "https"]),
  ];
  const chosen = run.isShort
    ? run.random.sample(acts, 25)
    : [...acts, ...Object.entries(slowActs), ...Object.entries(hostileActs)];
  const targets: Target[] = [];
  for (const [name, act, protocol] of chosen) {
    const { host, url, close } = await startHostileHost(act);
    run.atEnd(close);
    targets.push({ name, host, url: protocol ? url.replace("http:", `${protocol}:`) : url });
  }
  const tls = await startSelfSigned(run);
  return tls ? [...targets, tls] : targets;
}

/** A host whose certificate nobody vouches for. null where there is no openssl to make one. */
async function startSelfSigned(run: FaultRun): Promise<Target | null> {
  const [key, cert] = [join(run.folder, "key.pem"), join(run.folder, "cert.pem")];
  const words = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost -keyout ${key} -out ${cert}`;
  if (spawnSync("openssl", words.split(" "), { stdio: "ignore" }).status !== 0) return null;
  const server = createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) }, (socket) => {
    socket.on("error", () => {});
    socket.end(Buffer.concat([Buffer.from(ok()), demoBytes]));
  });
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  run.atEnd(() => server.close());
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { name: "has a certificate of its own making", host, url: `https://${host}/match.dem` };
}

/* Inside */

/** Names as an attacker's DNS server answers them. */
const dnsAnswers: Record<string, string[]> = {
  "inside.example": ["127.0.0.1"],
  "inside-six.example": ["::1"],
  "mapped.example": ["::ffff:127.0.0.1"],
  "private.example": ["10.0.0.1"],
  "cloud.example": ["169.254.169.254"],
  // One of them is public: which one is taken must not be left to chance.
  "mixed.example": ["93.184.215.14", "127.0.0.1"],
  "mixed-six.example": ["2606:2800:21f:cb07:6820:80da:af6b:8b2c", "::1"],
  "nobody.example": ["0.0.0.0"],
  "metadata.google.internal": ["169.254.169.254"],
};

/** Ways to write an address that is not of the public internet, most of them this machine's own. */
function insideAddresses(port: number): string[] {
  const ofThisMachine = [
    "127.0.0.1",
    "127.1",
    "127.0.1",
    "127.127.127.127",
    "2130706433",
    "0x7f000001",
    "0x7f.0.0.1",
    "0177.0.0.1",
    "00000177.0.0.1",
    "017700000001",
    "127.0.0.1.",
    "①②⑦.0.0.1",
    "127。0。0。1",
    "%31%32%37.0.0.1",
    "localhost",
    "LOCALHOST",
    "localhost.",
    "loc%61lhost",
    "ｌｏｃａｌｈｏｓｔ",
    "x.localhost",
    "0.0.0.0",
    "0",
    "[::1]",
    "[::]",
    "[0:0:0:0:0:0:0:1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[64:ff9b::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "[::ffff:0:127.0.0.1]",
    "ip6-localhost",
    hostname(),
    ...Object.keys(dnsAnswers),
  ].map((host) => `http://${host}:${port}/match.dem`);
  const elsewhere = [
    "10.0.0.1",
    "10.255.255.255",
    "172.16.0.1",
    "172.31.255.254",
    "192.168.0.1",
    "100.64.0.1",
    "169.254.169.254",
    "[fd00:ec2::254]",
    "168.63.129.16",
    "192.0.0.192",
    "192.0.2.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "[fe80::1]",
    "[fc00::1]",
    "[ff02::1]",
    "[2001:db8::1]",
    "[2001::1]",
    "[100::1]",
    "[64:ff9b::10.0.0.1]",
    "[::ffff:169.254.169.254]",
  ].map((host) => `http://${host}/latest/meta-data/`);
  const written = [
    `http://user@127.0.0.1:${port}/`,
    `http://127.0.0.1:${port}#@example.com/`,
    `http://example.com@127.0.0.1:${port}/`,
    `http://127.0.0.1\\@example.com:${port}/`,
    `https://127.0.0.1:${port}/`,
    `//127.0.0.1:${port}/`,
    `http:127.0.0.1:${port}/`,
    `http:\\\\127.0.0.1:${port}\\x`,
    `http://127.0.0.1:${port}\t/`,
    "file:///etc/passwd",
    "ftp://127.0.0.1/x",
    "gopher://127.0.0.1:6379/_x",
    "data:application/octet-stream,PBDEMS2",
    "javascript:1",
    "unix:/run/x.sock",
    "blob:http://127.0.0.1/x",
  ];
  return [...ofThisMachine, ...elsewhere, ...written];
}

/** A server of this machine that must not be asked: it listens on one port of both loopback addresses. */
async function startCanary(run: FaultRun): Promise<{ port: number; hits(): number }> {
  let hits = 0;
  const listen = (host: string, port: number) =>
    new Promise<HttpServer>((resolve, reject) => {
      const server = createHttpServer((_, response) => {
        hits++;
        response.end(demoBytes);
      });
      server.once("error", reject);
      server.listen(port, host, () => resolve(server));
    });
  const four = await listen("127.0.0.1", 0);
  run.atEnd(() => four.close());
  const { port } = four.address() as AddressInfo;
  // Not every machine has IPv6.
  const six = await listen("::1", port).catch(() => null);
  run.atEnd(() => six?.close());
  return { port, hits: () => hits };
}
