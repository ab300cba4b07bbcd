/** How soon a page shows what it is about, and when React has taken it over, in a real Chromium over a phone's line. */
import { existsSync } from "node:fs";
import { chromium, type Page } from "playwright";
import { launchOptions } from "../../tests/services/browser.ts";
import type { SeededProduct } from "./crowded-product.ts";
import { startSlowLine } from "./slow-line.ts";

const phone = { width: 390, height: 844 };
const slowdown = 4;
const rounds = Number(/--rounds=(\d+)/.exec(process.argv.join(" "))?.[1] ?? 7);
const median = (values: number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** Milliseconds from the beginning of the navigation. */
interface Arrival {
  first: number;
  largest: number;
  takenOver: number;
}

/** Prints, for each of some pages, a median row "here" and one over slow 4G with a slower processor. Nothing is kept from page to page. */
export async function measureArrivals({ url, cookie, matchId, clipId, steamId }: SeededProduct): Promise<void> {
  const browser = await chromium.launch({
    ...launchOptions,
    executablePath:
      process.env.CHROMIUM_PATH ??
      ["/usr/bin/chromium", "/usr/bin/chromium-headless-shell"].find(existsSync) ??
      chromium.executablePath(),
  });
  const line = await startSlowLine(Number(new URL(url).port));
  console.log(`\nArrivals at 390 × 844, ms: first paint, largest paint, taken over; median of ${rounds}`);
  try {
    for (const [place, port, rate] of [
      ["here", Number(new URL(url).port), 1],
      [`slow 4G, processor ${slowdown} × slower`, line.port, slowdown],
    ] as const) {
      for (const path of ["/", `/clips/${clipId}`, `/users/${steamId}/clips`, "/matches", `/match/${matchId}`]) {
        const arrivals: Arrival[] = [];
        for (let round = 0; round < rounds; round++) {
          const context = await browser.newContext({ viewport: phone, deviceScaleFactor: 1 });
          const cookies = cookie.split("; ").map((pair) => /^([^=]*)=(.*)$/.exec(pair) ?? []);
          await context.addCookies(
            cookies.map(([, name = "", value = ""]) => ({ name, value, domain: "localhost", path: "/" })),
          );
          const page = await context.newPage();
          const session = await context.newCDPSession(page);
          await session.send("Emulation.setCPUThrottlingRate", { rate });
          arrivals.push(await arrive(page, `http://localhost:${port}${path}`));
          await context.close();
        }
        const figures = (["first", "largest", "takenOver"] as const).map((key) =>
          median(arrivals.map((arrival) => arrival[key]))
            .toFixed(0)
            .padStart(7),
        );
        console.log(`  ${place.padEnd(36)} ${path.replace(/[^/]*\d[^/]*/, "…").padEnd(20)} ${figures.join("")}`);
      }
    }
  } finally {
    line.close();
    await browser.close();
  }
}

async function arrive(page: Page, address: string): Promise<Arrival> {
  await page.addInitScript(() => {
    const seen = { takenOver: 0, largest: 0 };
    Object.assign(window, { seen });
    new PerformanceObserver((list) => {
      for (const { startTime } of list.getEntries()) seen.largest = startTime;
    }).observe({ type: "largest-contentful-paint", buffered: true });
    const timer = setInterval(() => {
      if (!Object.keys(document.body ?? {}).some((key) => key.startsWith("__react"))) return;
      seen.takenOver = performance.now();
      clearInterval(timer);
    }, 5);
  });
  await page.goto(address);
  await page.waitForFunction(() => (window as unknown as { seen: { takenOver: number } }).seen.takenOver > 0);
  // What is painted last of a page's beginning.
  await page.waitForTimeout(500);
  return page.evaluate(() => ({
    ...(window as unknown as { seen: { takenOver: number; largest: number } }).seen,
    first: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN,
  }));
}
