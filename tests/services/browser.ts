import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { AxeBuilder } from "@axe-core/playwright";
import type { Browser, BrowserContext, LaunchOptions, Locator, Page } from "playwright";
import type { ApiVisitor } from "./api-visitor.ts";

/** A real visitor's user agent: isbot takes that of headless Chromium for a bot. */
const userAgent =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

export const phone = { width: 390, height: 844 };
export const tablet = { width: 768, height: 1024 };
export const laptop = { width: 1280, height: 800 };

/** Windows that every page must fit: the narrowest supported one, phone, laptop at a zoom of 200 %, tablet, laptop, desktop. */
export const everyWindow = [
  { width: 320, height: 640 },
  phone,
  { width: laptop.width / 2, height: laptop.height / 2 },
  tablet,
  laptop,
  { width: 1920, height: 1080 },
] as const;

/** Options for starting the browser; `npm test` finds or installs one, and sets the variable if it is not Playwright's own. */
export const launchOptions: LaunchOptions = {
  ...(process.env.CHROMIUM_PATH ? { executablePath: process.env.CHROMIUM_PATH } : {}),
  args: [
    // Draws letters like a full browser; the headless shell alone would snap them to pixels.
    "--font-render-hinting=none",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    // Pages share processes, as in browsers on phones. A separate process for every page took a third of the pages' cost.
    "--disable-site-isolation-trials",
    "--renderer-process-limit=2",
  ],
};

export interface VisitorOptions {
  javaScript?: boolean;
  viewport?: { width: number; height: number };
  as?: ApiVisitor | undefined;
  /** Whether the visitor's system allows motion; that of other visitors asks for reduced motion. */
  seesMotion?: boolean;
}

export interface Visitor {
  context: BrowserContext;
  page: Page;
  /** Problems in the page's console so far: every entry fails the test that checks. */
  problems: string[];
}

/**
 * Remix 2.17.5 prints an error when a page is left, or requests again, before a response was read to its end (`fetchAndDecode`), which is
 * no fault. Chromium's wording depends on where the response was.
 */
const abandonedAnswer = /^AbortError: (BodyStreamBuffer was aborted|signal is aborted without reason)/;

/** A new visitor with an empty cookie jar, or with the session of a player who has already signed in. */
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

/** Replaces the cookies of a context by those of a player, or by none. */
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

/** Waits until React has hydrated the page. A click before that is handled by the browser alone. */
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

/** The name that players would give to the colour of an element's text or line. */
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

/** Holds matching requests until the returned function is called. */
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

/** Violations that axe finds on the current page, one line each; no rule is left out. Without frames of other sites (legacy mode). */
export async function axeViolations(page: Page): Promise<string[]> {
  // Otherwise the builder would send half a megabyte twice for every check.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axeSource);
  const isAlone = page.frames().length === 1;
  // Only violations need details of every element.
  const axe = new AxeBuilder({ page, ...(isAlone ? { axeSource: "void 0" } : {}) }).options({
    resultTypes: ["violations"],
  });
  const { violations } = await axe.setLegacyMode().analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
}

/** Elements that extend beyond the window's right edge and make the page scroll sideways; empty if the page fits. */
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

/** Saves a screenshot as test output when SCREENSHOTS is set. Each takes a third of a second. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  if (!process.env.SCREENSHOTS) return;
  mkdirSync("test-results/screens", { recursive: true });
  await page.screenshot({ path: `test-results/screens/${name}.png`, fullPage: true });
}
