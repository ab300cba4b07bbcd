/** Pages: requests per second compared with a bare Remix route, JavaScript per route, and Lighthouse. See README.md. */
import "./production.ts";
import { execFile, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright";
import { build, isBuilt } from "../../scripts/build.mjs";
import { launchOptions } from "../../tests/services/browser.ts";
import { measureArrivals } from "./arrivals.ts";
import { type SeededProduct, startSeededProduct } from "./crowded-product.ts";
import { measureMatchPage } from "./match-page.ts";
import { cookiesOf, median } from "./phone.ts";

const root = new URL("../../", import.meta.url).pathname;
const secondsPerRun = 6;
const rounds = 3;

if (!isBuilt(root)) await build(root);
if (process.argv.includes("--match-page-only")) {
  await measureMatchPage();
  process.exit(0);
}
const product = await startSeededProduct({ clips: 1000 });
try {
  const part = { "--arrivals-only": measureArrivals, "--scripts-only": javaScriptPerRoute };
  const [only] = Object.entries(part).filter(([name]) => process.argv.includes(name));
  if (only) {
    await only[1](product);
    await product.close();
    process.exit(0);
  }
  if (!process.argv.includes("--lighthouse-only")) await requestsPerSecond(product);
  if (!process.argv.includes("--lighthouse-only")) await javaScriptPerRoute(product);
  if (!process.argv.includes("--no-lighthouse")) await lighthouse(product);
  await measureArrivals(product);
} finally {
  await product.close();
}
await measureMatchPage();
process.exit(0);

/** Twenty connections for some seconds each, alternating between product and baseline, several rounds. */
async function requestsPerSecond({ url, bareUrl, clipId, cookie }: SeededProduct): Promise<void> {
  const targets: Record<string, [address: string, cookie?: string]> = {
    "bare route": [`${bareUrl}/bare`],
    "bare route, shared": [`${bareUrl}/`],
    Home: [`${url}/`],
    "Clip view": [`${url}/clips/${clipId}`],
    // A signed-in player's page is not shared: each answer is rendered.
    "Home, signed in": [`${url}/`, cookie],
    "Clip view, signed in": [`${url}/clips/${clipId}`, cookie],
  };
  const figures = new Map<string, number[]>(Object.keys(targets).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, target] of Object.entries(targets)) {
      figures.get(name)?.push(await load(...target));
    }
  }
  const [baseline, shared] = ["bare route", "bare route, shared"].map((name) => median(figures.get(name) ?? []));
  console.log("requests a second, ÷ bare route, ÷ bare route shared (1,000 clips, 20 connections, median of three)");
  for (const [name, values] of figures) {
    const ratios = [baseline, shared].map((base = Number.NaN) => (median(values) / base).toFixed(2).padStart(8));
    console.log(`  ${name.padEnd(24)} ${median(values).toFixed(0).padStart(6)} ${ratios.join(" ")}`);
  }
}

/** The load comes from a separate process, so that server and client do not share a core's time unnoticed. */
async function load(address: string, cookie = ""): Promise<number> {
  const child = spawn(
    process.execPath,
    ["--import", "tsx", `${root}bench/pages/load.ts`, address, String(secondsPerRun), cookie],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  await new Promise((resolve) => child.once("exit", resolve));
  return Number(output);
}

/** Adds up the scripts in a page's HTML: module preloads and scripts, including inline ones, gzip level 9. */
async function javaScriptPerRoute({ url, cookie, steamId, matchId, clipId }: SeededProduct): Promise<void> {
  const routes = [
    "/",
    "/matches",
    `/match/${matchId}`,
    "/clips",
    `/users/${steamId}/clips`,
    `/clips/${clipId}`,
    "/imprint",
    "/privacy",
    "/terms",
  ];
  console.log("\nJavaScript a route, KB gzip");
  for (const route of routes) {
    const html = await (await fetch(url + route, { headers: { Cookie: cookie } })).text();
    const files = new Set(
      [...html.matchAll(/(?:href|src|from|import)[="'\s(]+(\/assets\/[\w.-]+\.js)/g)].map(([, path]) => path),
    );
    const inline = [...html.matchAll(/<script(?![^>]*ld\+json)[^>]*>([\s\S]+?)<\/script>/g)]
      // Loader data also travels in scripts, but is not JavaScript.
      .map(([, text = ""]) => (text.includes("streamController.enqueue") ? "" : text))
      .join("");
    const external = [...files].reduce(
      (sum, path) => sum + gzipSync(readFileSync(`${root}build/client${path}`), { level: 9 }).length,
      0,
    );
    const total = external + (inline ? gzipSync(inline).length : 0);
    console.log(`  ${route.padEnd(32)} ${(total / 1024).toFixed(2).padStart(7)}   in ${files.size} files`);
  }
}

/** Lighthouse's mobile preset (simulated slow 4G, 4× CPU), median of three runs. */
async function lighthouse({ url, cookie, steamId, matchId, clipId }: SeededProduct): Promise<void> {
  const executable = process.env.CHROMIUM_PATH ?? ["/usr/bin/chromium", "/usr/bin/google-chrome"].find(existsSync);
  console.log("\nLighthouse, mobile: performance, accessibility, best practices, SEO, layout shift (median of three)");
  const only = new RegExp(
    /^--only=(.*)$/.exec(process.argv.find((word) => word.startsWith("--only=")) ?? "")?.[1] ?? "",
  );
  const routes = [
    "/",
    `/clips/${clipId}`,
    `/users/${steamId}/clips`,
    "/matches",
    `/match/${matchId}`,
    `/matches/${matchId}/replay`,
  ];
  for (const route of routes.filter((path) => only.test(path))) {
    const signedIn = route.startsWith("/match");
    const runs: Record<string, number>[] = [];
    for (let round = 0; round < rounds; round++) {
      const run = () => lighthouseRun(url + route, signedIn ? cookie : "", executable);
      // On a busy machine it occasionally loses a trace and says: "Please run Lighthouse again."
      runs.push(await run().catch(run));
    }
    const column = (name: string) => median(runs.map((run) => run[name] ?? Number.NaN));
    console.log(
      `  ${route.padEnd(32)} ${["performance", "accessibility", "best-practices", "seo"].map((name) => Math.round(column(name) * 100)).join("  ")}  ${column("shift").toFixed(3)}`,
    );
  }
}

/**
 * A separate Chromium that has the cookie like that of a signed-in player. Lighthouse's header for every request is not sent by workers,
 * whose requests would be refused.
 */
async function withBrowser<Result>(
  address: string,
  cookie: string,
  executable: string | undefined,
  use: (port: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "clutchcast-lighthouse-"));
  const browser = spawn(
    executable ?? chromium.executablePath(),
    [
      "--headless=new",
      ...(launchOptions.args ?? []),
      "--remote-debugging-port=0",
      `--user-data-dir=${folder}`,
      "about:blank",
    ],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  try {
    const port = await new Promise<string>((resolve, reject) => {
      let said = "";
      browser.stderr.on("data", (data) => {
        said += data;
        const [, found] = /DevTools listening on ws:\/\/[^:]+:(\d+)\//.exec(said) ?? [];
        if (found) resolve(found);
      });
      browser.once("exit", () => reject(new Error(`Chromium ended: ${said}`)));
      browser.once("error", reject);
    });
    if (cookie) {
      const control = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
      const url = new URL(address).origin;
      await control.contexts()[0]?.addCookies(cookiesOf(cookie).map((one) => ({ ...one, url })));
      await control.close();
    }
    return await use(port);
  } finally {
    const ended = new Promise((resolve) => browser.once("close", resolve));
    if (browser.exitCode === null && browser.kill()) await ended;
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function lighthouseRun(
  address: string,
  cookie: string,
  executable: string | undefined,
): Promise<Record<string, number>> {
  // Not spawnSync: the measured server runs in this process.
  const { stdout } = await withBrowser(address, cookie, executable, (port) =>
    promisify(execFile)(
      "npx",
      ["--yes", "lighthouse@12", address, "--quiet", "--output=json", `--port=${port}`, "--disable-storage-reset"],
      { maxBuffer: 1 << 28 },
    ),
  );
  const report = JSON.parse(stdout);
  const scores = Object.fromEntries(
    Object.entries<{ score: number }>(report.categories).map(([name, { score }]) => [name, score]),
  );
  if (process.argv.includes("--why")) printTimes(report.audits);
  for (const { id, score, title } of Object.values<{ id: string; score: number | null; title: string }>(
    report.audits,
  )) {
    const matters = Object.values<{ auditRefs: { id: string; weight: number }[] }>(report.categories).some(
      ({ auditRefs }) => auditRefs.some((reference) => reference.id === id && reference.weight > 0),
    );
    if (process.argv.includes("--why") && matters && score !== null && score < 0.9)
      console.log(`    ${id} ${score}: ${title}`);
  }
  return { ...scores, shift: report.audits["cumulative-layout-shift"].numericValue };
}

interface Audit {
  numericValue: number;
  details: { items: { url: string; transferSize: number; priority: string; networkEndTime: number }[] };
}

/** Simulated milliseconds, and the loaded files: kilobytes, priority, name. */
function printTimes(audits: Record<string, Audit>): void {
  const names = ["first-contentful-paint", "largest-contentful-paint", "total-blocking-time", "speed-index"];
  console.log(`    ${names.map((name) => `${name} ${audits[name]?.numericValue.toFixed(0)}`).join(", ")}`);
  for (const { url, transferSize, priority } of audits["network-requests"]?.details.items ?? [])
    console.log(`      ${(transferSize / 1024).toFixed(1).padStart(7)} ${priority.padEnd(8)} ${new URL(url).pathname}`);
}
