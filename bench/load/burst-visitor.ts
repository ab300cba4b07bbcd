/**
 * A separate process that sends a minute's requests at once, as one packet on each of six connections, and measures how long others wait
 * meanwhile. Its argument is a `Burst` as JSON; it prints `BurstFigures` as JSON.
 */
import { request } from "node:http";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

export interface Burst {
  /** Port of the server on this machine. */
  port: number;
  /** Paths to request, each once. */
  paths: string[];
  cookie: string;
}

export interface BurstFigures {
  /** Milliseconds until the last answer. */
  tookMs: number;
  /** Number of answers by status. */
  statuses: Record<string, number>;
  /** The longest wait for /healthz, and for Home from another network, in milliseconds. */
  healthMs: number;
  otherMs: number;
}

const connections = 6;
const { port, paths, cookie } = JSON.parse(process.argv[2] ?? "{}") as Burst;
/** All addresses of 127.0.0.0/8 belong to this machine, and each is its own network to the server. */
const networks = { burst: "127.0.0.1", other: "127.0.0.2", monitor: "127.0.0.3" };

function timed(path: string, localAddress: string): Promise<number> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const host = { host: "127.0.0.1", port, headers: { Host: `localhost:${port}` }, agent: false as const };
    request({ ...host, path, localAddress }, (response) => {
      response.resume();
      response.on("end", () => resolve(performance.now() - began));
    })
      .on("error", reject)
      .end();
  });
}

async function longestUntil(over: AbortSignal, path: string, network: string, everyMs: number): Promise<number> {
  let longest = 0;
  while (!over.aborted) {
    longest = Math.max(longest, await timed(path, network));
    await pause(everyMs);
  }
  return longest;
}

/** @returns the statuses of the answers, once all have arrived or the connection has broken */
function sendAtOnce(ownPaths: string[]): Promise<string[]> {
  const head = `Host: localhost:${port}\r\n${cookie ? `Cookie: ${cookie}\r\n` : ""}`;
  const requests = ownPaths.map((path, index) => {
    const isLast = index === ownPaths.length - 1;
    return `GET ${path} HTTP/1.1\r\n${head}${isLast ? "Connection: close\r\n" : ""}\r\n`;
  });
  return new Promise((resolve, reject) => {
    let answers = "";
    const socket = connect({ host: "127.0.0.1", port, localAddress: networks.burst }, () =>
      socket.write(requests.join("")),
    );
    socket.setEncoding("latin1").on("data", (text: string) => {
      answers += text;
    });
    socket.on("error", reject);
    socket.on("close", () => resolve([...answers.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status = ""]) => status)));
  });
}

const over = new AbortController();
const waits = Promise.all([
  longestUntil(over.signal, "/healthz", networks.monitor, 20),
  longestUntil(over.signal, "/", networks.other, 100),
]);
const began = performance.now();
const share = Math.ceil(paths.length / connections);
const shares = Array.from({ length: connections }, (_, index) => paths.slice(index * share, (index + 1) * share));
const answered = (await Promise.all(shares.filter(({ length }) => length > 0).map(sendAtOnce))).flat();
const tookMs = performance.now() - began;
if (paths.length === 0) await pause(3000);
over.abort();
const [healthMs, otherMs] = await waits;
const statuses: Record<string, number> = {};
for (const status of answered) statuses[status] = (statuses[status] ?? 0) + 1;
process.stdout.write(JSON.stringify({ tookMs, statuses, healthMs, otherMs } satisfies BurstFigures));
