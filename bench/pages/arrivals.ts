/** How soon a page shows its main content, and when React has hydrated it, in a real Chromium over a phone's connection. */
import type { Page } from "playwright";
import type { SeededProduct } from "./crowded-product.ts";
import { cookiesOf, launchChromium, median, phone, slowdown, slowed } from "./phone.ts";
import { startSlowLine } from "./slow-line.ts";

const rounds = Number(/--rounds=(\d+)/.exec(process.argv.join(" "))?.[1] ?? 7);

/** Milliseconds since the start of the navigation. */
interface Arrival {
  first: number;
  largest: number;
  takenOver: number;
}

/** Prints two median rows for each page: one "here" and one over slow 4G with a slower processor. Nothing is cached between pages. */
export async function measureArrivals({ url, cookie, matchId, clipId, steamId }: SeededProduct): Promise<void> {
  const browser = await launchChromium();
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
          await context.addCookies(cookiesOf(cookie).map((one) => ({ ...one, domain: "localhost", path: "/" })));
          const page = await context.newPage();
          await slowed(context, page, rate);
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
  // Leaves time for the last paints of a page's beginning.
  await page.waitForTimeout(500);
  return page.evaluate(() => ({
    ...(window as unknown as { seen: { takenOver: number; largest: number } }).seen,
    first: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN,
  }));
}
