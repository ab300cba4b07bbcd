/**
 * The match page in a real Chromium: how soon the effects of presses are visible with 65 cards, and how soon and how smoothly a preview
 * plays.
 */
import "./production.ts";
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { sql } from "kysely";
import type { Browser, Page } from "playwright";
import { hydrated } from "../../tests/services/browser.ts";
import { type SeededProduct, startSeededProduct } from "../../tests/services/seeded-product.ts";
import { launchChromium, median, phone, slowdown, slowed } from "./phone.ts";
import { startSlowLine } from "./slow-line.ts";

const root = new URL("../../", import.meta.url).pathname;
const laptop = { width: 1280, height: 800 };
const rounds = Number(/--rounds=(\d+)/.exec(process.argv.join(" "))?.[1] ?? 5);

/** Prints both tables. @throws Error when the seeded match has no pictures, without which there is no preview */
export async function measureMatchPage(): Promise<void> {
  const product = await startSeededProduct({
    demo: "match-de_mirage.dem.bz2",
    maker: { steamId: "76561199999900040", name: "Bench" },
    withPictures: true,
  });
  const browser = await launchChromium();
  try {
    const words = process.argv.slice(2);
    if (!words.includes("--no-presses")) await presses(browser, product);
    if (!words.includes("--no-preview")) await previews(browser, product);
  } finally {
    await browser.close();
    await product.close();
  }
}

async function contextOf(browser: Browser, product: SeededProduct, url: string, viewport: typeof phone) {
  const context = await browser.newContext({ baseURL: url, viewport, deviceScaleFactor: 1 });
  const { hostname } = new URL(url);
  const cookies = [...product.maker.visitor.cookies].map(([name, value]) => ({
    ...{ name, value, domain: hostname, path: "/" },
  }));
  await context.addCookies(cookies);
  return context;
}

/** Fills the match up to 65 highlights. */
async function crowd({ services: { database }, demoSha256 }: SeededProduct): Promise<void> {
  await sql`
    INSERT INTO highlights (demo_sha256, type, round, player, kills_count, score, reason, start_tick, end_tick, moments)
    SELECT demo_sha256, type, round, player, kills_count, score - 1, reason, start_tick, end_tick, moments
    FROM highlights WHERE demo_sha256 = ${demoSha256} AND is_listed ORDER BY id
    LIMIT greatest(0, 65 - (SELECT count(*) FROM highlights WHERE demo_sha256 = ${demoSha256} AND is_listed))`.execute(
    database,
  );
}

/** Presses of a player, in this order; each is timed from the press to the frame that shows its effect (Event Timing, in steps of 8 ms). */
const pressed = [
  "tick one",
  "untick one",
  "All",
  "None",
  "Special Kills",
  "Multikills",
  "a player",
  "None again",
  "By round",
  "Best first",
];

async function presses(browser: Browser, product: SeededProduct): Promise<void> {
  await crowd(product);
  console.log(
    `\nPresses on a match page with 65 cards, processor ${slowdown} × slower: ms to the next frame, median and worst of ${rounds}`,
  );
  for (const [name, viewport] of Object.entries({ "1280 × 800": laptop, "390 × 844": phone })) {
    const found = new Map<string, number[]>(pressed.map((each) => [each, []]));
    for (let round = 0; round < rounds; round++) {
      const context = await contextOf(browser, product, product.url, viewport);
      const page = await context.newPage();
      await page.goto(`/matches/${product.matchId}`, { waitUntil: "networkidle" });
      await hydrated(page);
      if (viewport === phone) await page.locator("label, button", { hasText: "Filters" }).click();
      await slowed(context, page, slowdown);
      await page.evaluate(() => {
        const seen: { name: string; duration: number }[] = [];
        Object.assign(globalThis, { seen });
        new PerformanceObserver((list) => {
          for (const { name: kind, duration } of list.getEntries()) seen.push({ name: kind, duration });
        }).observe({ type: "event", durationThreshold: 16 } as PerformanceObserverInit);
      });
      const filters = page.getByRole("complementary", { name: "Filters" });
      const targets = {
        "tick one": page.locator("input[name=highlight]").first(),
        "untick one": page.locator("input[name=highlight]").first(),
        All: filters.getByRole("button", { name: "All", exact: true }),
        None: filters.getByRole("button", { name: "None", exact: true }),
        "Special Kills": filters.getByRole("button", { name: /^Special Kills/ }),
        Multikills: filters.getByRole("button", { name: /^Multikills/ }),
        "a player": filters.locator('button[value^="player:"]').first(),
        "None again": filters.getByRole("button", { name: "None", exact: true }),
        "By round": page.getByRole("button", { name: "By round" }),
        "Best first": page.getByRole("button", { name: "Best first" }),
      };
      for (const [what, target] of Object.entries(targets)) {
        await target.scrollIntoViewIfNeeded();
        await page.waitForTimeout(400);
        await page.evaluate(() => {
          (globalThis as unknown as { seen: unknown[] }).seen.length = 0;
        });
        await target.click();
        await page.waitForTimeout(800);
        const longest = await page.evaluate(() =>
          Math.max(
            0,
            ...(globalThis as unknown as { seen: { duration: number }[] }).seen.map(({ duration }) => duration),
          ),
        );
        found.get(what)?.push(longest);
      }
      await context.close();
    }
    console.log(`  ${name}`);
    for (const [what, values] of found)
      console.log(
        `    ${what.padEnd(16)} ${String(median(values)).padStart(5)} ${String(Math.max(...values)).padStart(6)}`,
      );
  }
}

/** Records the messages from stages to their page, with the time. */
function hearStages() {
  const heard: { at: number; type: string; frame?: number; painted?: number; isPlaying?: boolean }[] = [];
  Object.assign(globalThis, { heard });
  const Plain = globalThis.Worker;
  globalThis.Worker = class extends Plain {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, options);
      this.addEventListener("message", ({ data }) => heard.push({ at: performance.now(), ...data }));
    }
  };
}

interface Played {
  firstFrameMs: number;
  framesPerSecond: number;
  scripts: Map<string, number>;
  bytes: Map<string, number>;
}

/** Opens the first highlight's preview and lets it play for some seconds. */
async function playOnce(page: Page, matchId: string, seconds: number, pointedMs: number): Promise<Played> {
  const scripts = new Map<string, number>();
  const bytes = new Map<string, number>();
  await page.goto(`/matches/${matchId}`, { waitUntil: "networkidle", timeout: 90_000 });
  await hydrated(page);
  const button = page.getByRole("button", { name: /^Preview .+, round/ }).first();
  await button.scrollIntoViewIfNeeded();
  await page.waitForLoadState("networkidle");
  page.on("response", (response) => {
    const { pathname } = new URL(response.url());
    if (pathname.endsWith(".js"))
      scripts.set(pathname, gzipSync(readFileSync(`${root}build/client${pathname}`), { level: 9 }).length);
    void response.body().then(
      (body) => bytes.set(pathname.split("/").at(-1) ?? "", body.length),
      () => {},
    );
  });
  if (pointedMs > 0) {
    await button.hover();
    await page.waitForTimeout(pointedMs);
  }
  const firstFrameMs = await button.evaluate(async (pressedButton: HTMLButtonElement) => {
    const start = performance.now();
    pressedButton.click();
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, 4));
      if (document.querySelector("canvas[data-ready]")) break;
      if (document.querySelector(".preview-place [role=alert]")) throw new Error("The preview failed.");
    }
    // The frame in which the canvas becomes visible.
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    return performance.now() - start;
  });
  // Whatever follows the first frame (finer floors, sound) is not part of playing.
  await page.waitForTimeout(1500);
  const rate = () =>
    page.evaluate(() => {
      const { heard } = globalThis as unknown as { heard: { at: number; type: string; painted?: number }[] };
      return heard.filter(({ type }) => type === "frame").at(-1) ?? null;
    });
  const before = await rate();
  await page.waitForTimeout(seconds * 1000);
  const after = await rate();
  const framesPerSecond =
    before && after ? (((after.painted ?? 0) - (before.painted ?? 0)) * 1000) / (after.at - before.at) : Number.NaN;
  return { firstFrameMs, framesPerSecond, scripts, bytes };
}

async function previews(browser: Browser, product: SeededProduct): Promise<void> {
  const { rows } = await sql<{ key: string | null }>`
    SELECT pictures_key AS key FROM demos WHERE sha256 = ${product.demoSha256}`.execute(product.services.database);
  if (!rows[0]?.key) throw new Error("The seeded match has no pictures: there is no preview to measure.");
  console.log(
    `\nPreview of a highlight: ms from the press to its first frame, frames a second at 1280 × 720, median of ${rounds}`,
  );
  const line = await startSlowLine(Number(new URL(product.url).port));
  const cases = [
    { name: "here", port: Number(new URL(product.url).port), rate: 1, isOnPage: false, pointedMs: 0 },
    { name: `slow 4G, page ${slowdown} × slower`, port: line.port, rate: slowdown, isOnPage: false, pointedMs: 0 },
    // With a pointer, as on a desktop.
    { name: "the same, pointed at 0.4 s before", port: line.port, rate: slowdown, isOnPage: false, pointedMs: 400 },
    // The browser's throttle does not affect workers; when drawing on the page, everything is slowed down.
    {
      name: `slow 4G, page and drawing ${slowdown} × slower`,
      port: line.port,
      rate: slowdown,
      isOnPage: true,
      pointedMs: 0,
    },
  ];
  let last: Played | undefined;
  try {
    for (const { name, port, rate, isOnPage, pointedMs } of cases) {
      const played: Played[] = [];
      for (let round = 0; round < rounds; round++) {
        const context = await contextOf(browser, product, `http://localhost:${port}`, laptop);
        const page = await context.newPage();
        await page.addInitScript(hearStages);
        if (isOnPage) await page.addInitScript("delete HTMLCanvasElement.prototype.transferControlToOffscreen");
        if (rate > 1) await slowed(context, page, rate);
        played.push(await playOnce(page, product.matchId, rate > 1 ? 1 : 4, pointedMs));
        await context.close();
      }
      const [first, frames] = (["firstFrameMs", "framesPerSecond"] as const).map((key) =>
        median(played.map((each) => each[key])),
      );
      console.log(
        `  ${name.padEnd(40)} ${(first ?? 0).toFixed(0).padStart(6)} ms ${rate > 1 ? "" : `${(frames ?? 0).toFixed(1)} frames a second`}`,
      );
      if (rate === 1) last = played.at(-1);
    }
  } finally {
    line.close();
  }
  const total = [...(last?.scripts.values() ?? [])].reduce((sum, size) => sum + size, 0);
  console.log(`  scripts loaded on demand: ${(total / 1024).toFixed(1)} KB gzip`);
  for (const [path, size] of last?.scripts ?? []) console.log(`    ${(size / 1024).toFixed(1).padStart(6)} ${path}`);
  console.log(
    `  everything: ${[...(last?.bytes ?? [])].map(([name, size]) => `${name} ${(size / 1024).toFixed(0)} KB`).join(", ")}`,
  );
}
