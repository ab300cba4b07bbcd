import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { AxeBuilder } from "@axe-core/playwright";
import type { Browser, BrowserContext, LaunchOptions, Locator, Page } from "playwright";
import type { ApiVisitor } from "./api-visitor.ts";

/** A real visitor's: isbot takes headless Chromium's own for a bot. */
const userAgent =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

export const phone = { width: 390, height: 844 };
export const tablet = { width: 768, height: 1024 };
export const laptop = { width: 1280, height: 800 };

/** Windows that every page fits: the narrowest that pages are asked to, phone, laptop at a zoom of 200 %, tablet, laptop, desktop. */
export const everyWindow = [
  { width: 320, height: 640 },
  phone,
  { width: laptop.width / 2, height: laptop.height / 2 },
  tablet,
  laptop,
  { width: 1920, height: 1080 },
] as const;

/** How the browser is started; `npm test` finds or installs one and sets the variable when it is not Playwright's own. */
export const launchOptions: LaunchOptions = {
  ...(process.env.CHROMIUM_PATH ? { executablePath: process.env.CHROMIUM_PATH } : {}),
  args: [
    // As a whole browser draws letters; the headless shell alone would press them into pixels.
    "--font-render-hinting=none",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    // As browsers on phones: pages share processes. A process of its own for every page was a third of what pages cost.
    "--disable-site-isolation-trials",
    "--renderer-process-limit=2",
  ],
};

export interface VisitorOptions {
  javaScript?: boolean;
  viewport?: { width: number; height: number };
  as?: ApiVisitor | undefined;
  /** Whose system has not asked for less of it, as that of other visitors has. */
  seesMotion?: boolean;
}

export interface Visitor {
  context: BrowserContext;
  page: Page;
  /** What went wrong in the page's console so far: every entry fails the test that asks. */
  problems: string[];
}

/**
 * Remix 2.17.5 prints what ends when a page is left, or asks anew, before the answer it asked for is read to its end (`fetchAndDecode`); nothing is
 * wrong then. Chromium words it by where the answer was.
 */
const abandonedAnswer = /^AbortError: (BodyStreamBuffer was aborted|signal is aborted without reason)/;

/** A new visitor with an empty cookie jar, or with the session of a player who has signed in already. */
export async function newVisitor(browser: Browser, baseURL: string, options: VisitorOptions = {}): Promise<Visitor> {
  const context = await browser.newContext({
    baseURL,
    userAgent,
    javaScriptEnabled: options.javaScript ?? true,
    viewport: options.viewport ?? laptop,
    reducedMotion: options.seesMotion ? "no-preference" : "reduce",
  });
  await setSession(context, baseURL, options.as);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => {
    if (abandonedAnswer.test(message.text())) return;
    if (message.type() === "error" || message.type() === "warning")
      problems.push(`${message.text()} (${message.location().url})`);
  });
  return { context, page, problems };
}

/** Makes the cookies of a context those of a player, or none. */
export async function setSession(context: BrowserContext, baseURL: string, as?: ApiVisitor): Promise<void> {
  await context.clearCookies();
  await context.addCookies([...(as?.cookies ?? [])].map(([name, value]) => ({ name, value, url: baseURL })));
}

/** Signs in through the local identity provider as a person does. */
export async function signIn(page: Page, steamId: string, name: string): Promise<void> {
  await page.goto("/");
  await page.getByRole("button", { name: "Sign in through Steam" }).first().click();
  await page.locator('input[name="steam_id"]').fill(steamId);
  await page.locator('input[name="persona_name"]').fill(name);
  await page.locator('form button[type="submit"], form button:not([type])').first().click();
  await page.waitForURL((url) => url.pathname === "/");
  await page.getByRole("banner").filter({ hasText: name }).waitFor();
}

/** Waits until React has taken the page over. A click before that goes the browser's own way. */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(() => Object.keys(document.body).some((key) => key.startsWith("__react")));
}

/** Requests whose address contains `part`, from now on, as "METHOD /path". */
export function requestsOf(page: Page, part: string): string[] {
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes(part)) asked.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  return asked;
}

/** The name players would give the colour that an element's text or line has. */
export async function colorName(element: Locator): Promise<string> {
  const color = await element.evaluate((found) => getComputedStyle(found).color);
  const [red = 0, green = 0, blue = 0] = (color.match(/\d+/g) ?? []).map(Number);
  const [max, min] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  if ((max - min) / max < 0.25) return "grey";
  const hues: Record<number, number> = {
    [blue]: 240 + (60 * (red - green)) / (max - min),
    [green]: 120 + (60 * (blue - red)) / (max - min),
    [red]: (60 * (green - blue)) / (max - min),
  };
  const hue = ((hues[max] ?? 0) + 360) % 360;
  const names = { 15: "red", 45: "orange", 70: "yellow", 170: "green", 260: "blue", 330: "purple", 360: "red" };
  return Object.entries(names).find(([end]) => hue <= Number(end))?.[1] ?? "";
}

/** Lets matching requests wait until the returned function is called. */
export async function holdRequests(page: Page, pattern: string | RegExp, method?: string): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(pattern, async (route) => {
    if (!method || route.request().method() === method) await held;
    await route.continue().catch(() => {});
  });
  return release;
}

const require = createRequire(import.meta.url);
const axeSource = readFileSync(
  createRequire(require.resolve("@axe-core/playwright")).resolve("axe-core/axe.min.js"),
  "utf8",
);

/** What axe finds on the page as it is now, one line each; no rule is left out. Without frames of other sites (legacy mode). */
export async function axeViolations(page: Page): Promise<string[]> {
  // The builder would send half a megabyte twice for every look.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axeSource);
  const isAlone = page.frames().length === 1;
  // Of what is in order it need not tell every element.
  const axe = new AxeBuilder({ page, ...(isAlone ? { axeSource: "void 0" } : {}) }).options({
    resultTypes: ["violations"],
  });
  const { violations } = await axe.setLegacyMode().analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
}

/** What stands beyond the window's right edge where the page can be scrolled to it; nothing where it fits. */
export function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    if (document.documentElement.scrollWidth <= innerWidth) return [];
    const isInScroller = (element: Element): boolean => {
      const { parentElement: around } = element;
      return around !== null && (getComputedStyle(around).overflowX !== "visible" || isInScroller(around));
    };
    const beyond = [...document.querySelectorAll("body *")].filter(
      (element) => element.getBoundingClientRect().right > innerWidth && !isInScroller(element),
    );
    return [`${document.documentElement.scrollWidth} px`, ...beyond.map(({ outerHTML }) => outerHTML.slice(0, 120))];
  });
}

/** Keeps a screenshot as test output when SCREENSHOTS is set: to be looked at, and a third of a second each. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  if (!process.env.SCREENSHOTS) return;
  mkdirSync("test-results/screens", { recursive: true });
  await page.screenshot({ path: `test-results/screens/${name}.png`, fullPage: true });
}
