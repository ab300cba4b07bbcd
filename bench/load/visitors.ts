/**
 * A separate process that acts as many visitors at once. Its argument is a `VisitorLoad` as JSON; it prints `LoadFigures` as JSON. Behind
 * the proxy that the server trusts, each visitor has their own network.
 */
import { Agent, request } from "node:http";
import { monitorEventLoopDelay } from "node:perf_hooks";

export interface VisitorLoad {
  url: string;
  visitors: number;
  /** SIGTERM also stops them. */
  seconds: number;
  /** Mean time between two pages of a visitor; each pause is half to one and a half of it. */
  thinkMs: number;
  /** Paths of pages, each equally likely; a path listed twice is twice as likely. */
  pages: string[];
  /** Files that a page loads: requested after every page, not timed. */
  files: { path: string; range?: string }[];
  /** Cookies of signed-in visitors; the first visitors get them. */
  cookies: string[];
  /** Whether to send X-Forwarded-For. */
  isProxied: boolean;
}

export interface LoadFigures {
  pages: number;
  /** Milliseconds until a page was complete. */
  p50: number;
  p99: number;
  max: number;
  /** Number of errors by kind. */
  errors: Record<string, number>;
  /** 99th percentile of this process's own delay in milliseconds, which the machine adds. */
  ownDelayP99: number;
}

const userAgent =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
const answerWithinMs = 30_000;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const load = JSON.parse(process.argv[2] ?? "{}") as VisitorLoad;
const times: number[] = [];
const errors: Record<string, number> = {};
const own = monitorEventLoopDelay({ resolution: 5 });
own.enable();

function ask(path: string, agent: Agent, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(load.url + path, { agent, headers, timeout: answerWithinMs }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode ?? 0));
      response.on("error", reject);
    });
    sent.on("timeout", () => sent.destroy(new Error("no answer in 30 s")));
    sent.on("error", reject);
    sent.end();
  });
}

let until = performance.now() + load.seconds * 1000;
process.on("SIGTERM", () => {
  until = 0;
});

async function visit(number: number): Promise<void> {
  // Like a browser: a few connections, kept open.
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  const cookie = load.cookies[number];
  const headers: Record<string, string> = {
    "User-Agent": userAgent,
    "Accept-Encoding": "gzip",
    ...(cookie ? { Cookie: cookie } : {}),
    ...(load.isProxied ? { "X-Forwarded-For": `30.${number >> 8}.${number & 255}.1` } : {}),
  };
  const fail = (what: string) => {
    errors[what] = (errors[what] ?? 0) + 1;
  };
  await pause(Math.random() * load.thinkMs);
  while (performance.now() < until) {
    const page = load.pages[Math.floor(Math.random() * load.pages.length)] ?? "/";
    const began = performance.now();
    try {
      const status = await ask(page, agent, headers);
      times.push(performance.now() - began);
      if (status !== 200) fail(`${page} answered ${status}`);
      for (const { path, range } of load.files) {
        const answered = await ask(path, agent, range ? { ...headers, Range: range } : headers);
        if (answered !== 200 && answered !== 206) fail(`${path} answered ${answered}`);
      }
    } catch (error) {
      fail(error instanceof Error ? error.message : String(error));
    }
    await pause(load.thinkMs * (0.5 + Math.random()));
  }
  agent.destroy();
}

await Promise.all(Array.from({ length: load.visitors }, (_, number) => visit(number)));
times.sort((a, b) => a - b);
const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
const figures: LoadFigures = {
  pages: times.length,
  p50: at(0.5),
  p99: at(0.99),
  max: at(1),
  errors,
  ownDelayP99: own.percentile(99) / 1e6,
};
process.stdout.write(JSON.stringify(figures), () => process.exit(0));
