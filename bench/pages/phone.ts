import { existsSync } from "node:fs";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright";
import { launchOptions } from "../../tests/services/browser.ts";

/** A phone's window in CSS pixels. */
export const phone = { width: 390, height: 844 };

/** How many times slower a phone's processor is than this one: Lighthouse's factor. */
export const slowdown = 4;

export const median = (values: number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** The machine's Chromium, otherwise Playwright's. */
export const launchChromium = (): Promise<Browser> =>
  chromium.launch({
    ...launchOptions,
    executablePath:
      process.env.CHROMIUM_PATH ??
      ["/usr/bin/chromium", "/usr/bin/chromium-headless-shell"].find(existsSync) ??
      chromium.executablePath(),
  });

/** @returns name and value of each cookie of a `Cookie` header */
export const cookiesOf = (header: string) =>
  header.split("; ").map((pair) => {
    const [, name = "", value = ""] = /^([^=]*)=(.*)$/.exec(pair) ?? [];
    return { name, value };
  });

/** Slows the page's own thread, but not its workers. */
export async function slowed(context: BrowserContext, page: Page, rate: number): Promise<void> {
  const session = await context.newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate });
}
