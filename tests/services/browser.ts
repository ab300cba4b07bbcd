import { mkdirSync } from "node:fs";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright";
import { expect } from "vitest";

/** A real visitor's: isbot takes headless Chromium's own for a bot. */
const userAgent =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

export const phone = { width: 390, height: 844 };
export const laptop = { width: 1280, height: 800 };

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM_PATH || undefined,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

export interface Visitor {
  context: BrowserContext;
  page: Page;
  /** What went wrong in the page's console so far: every entry fails the test that asks. */
  problems: string[];
}

/** A new visitor with an empty cookie jar. */
export async function newVisitor(
  browser: Browser,
  baseURL: string,
  options: { javaScript?: boolean; viewport?: { width: number; height: number } } = {},
): Promise<Visitor> {
  const context = await browser.newContext({
    baseURL,
    userAgent,
    javaScriptEnabled: options.javaScript ?? true,
    viewport: options.viewport ?? laptop,
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(`${message.text()} (${message.location().url})`);
  });
  return { context, page, problems };
}

/** Signs in through the local identity provider as a person does. */
export async function signIn(page: Page, steamId: string, name: string): Promise<void> {
  await page.goto("/");
  await page.getByRole("button", { name: "Sign in through Steam" }).first().click();
  await page.locator('input[name="steam_id"]').fill(steamId);
  await page.locator('input[name="persona_name"]').fill(name);
  await page.locator('form button[type="submit"], form button:not([type])').first().click();
  await page.waitForURL((url) => url.pathname === "/");
  await expect.poll(() => page.getByRole("banner").textContent()).toContain(name);
}

/** Keeps a screenshot as test output. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  mkdirSync("test-results/screens", { recursive: true });
  await page.screenshot({ path: `test-results/screens/${name}.png`, fullPage: true });
}
