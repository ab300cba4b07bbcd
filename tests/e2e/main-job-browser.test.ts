import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { keepScreenshot, laptop, launchBrowser, newVisitor, phone, signIn } from "../services/browser.ts";
import { type DemoHost, startDemoHost } from "../services/demo-host.ts";
import { frameworkComplaint } from "../services/framework-complaint.ts";
import { type Product, startProduct } from "../services/product.ts";

let browser: Browser;
let demos: DemoHost;
let product: Product;

beforeAll(async () => {
  demos = await startDemoHost();
  [product, browser] = await Promise.all([startProduct({ IMPORT_ALLOW_HOSTS: demos.host }), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
  await demos?.close();
});

/** Ticks exactly these many highlights, whatever was ticked before. */
async function chooseHighlights(page: Page, count: number): Promise<void> {
  const boxes = page.locator('input[type="checkbox"][name="highlight"]');
  const all = await boxes.count();
  for (let index = 0; index < all; index++) {
    await boxes.nth(index).setChecked(index < count, { force: true });
  }
}

test("A newcomer signs in, imports a match, ticks three highlights and shares the video", async () => {
  const { page, context, problems } = await newVisitor(browser, product.url, { viewport: laptop });
  await signIn(page, "76561199999900010", "Newcomer");
  await page.getByRole("link", { name: "My Matches" }).first().click();
  await page.getByText("No matches available. Import recent matches or upload demos directly.").waitFor();
  await keepScreenshot(page, "matches-empty-1280");

  await page.locator('input[name="demo_url"]').fill(demos.url("highlights-reel.dem.gz"));
  await page.locator('form:has(input[name="demo_url"]) button[type="submit"]').click();
  await page.getByText("Demo uploaded successfully!").waitFor();
  await page
    .getByText(/\d+ Highlights/)
    .first()
    .waitFor({ timeout: 60_000 });
  await keepScreenshot(page, "matches-imported-1280");
  await page.getByRole("link", { name: "View Details" }).first().click();
  await page.waitForURL(/\/match(es)?\/[^/]+$/);
  await page.getByRole("heading", { name: /Match Highlights \(\d+\)/ }).waitFor();
  await expect.poll(() => page.getByRole("button", { name: /^Create Clip/ }).isVisible()).toBe(true);
  await page.getByRole("button", { name: "None", exact: true }).click();
  await chooseHighlights(page, 3);
  await keepScreenshot(page, "match-selected-1280");
  await page.getByRole("button", { name: "Create Clip (3 active)" }).click();
  await page
    .getByText(/Queued|Processing/)
    .first()
    .waitFor();
  await keepScreenshot(page, "match-rendering-1280");
  await page.locator("video").first().waitFor({ timeout: 180_000 });

  await page.locator('a[href^="/clips/"]').first().click();
  await page.waitForURL(/\/clips\/\d+$/);
  const played = await page
    .locator("video")
    .first()
    .evaluate(async (video: HTMLVideoElement) => {
      video.muted = true;
      await video.play();
      await new Promise((resolve) => setTimeout(resolve, 1500));
      return { at: video.currentTime, width: video.videoWidth, height: video.videoHeight };
    });
  expect(played.at).toBeGreaterThan(0.3);
  expect(played).toMatchObject({ width: 1280, height: 720 });
  await keepScreenshot(page, "clip-1280");
  expect(problems).toEqual([]);

  const stranger = await newVisitor(browser, product.url, { viewport: phone });
  await stranger.page.goto(page.url());
  await stranger.page.locator("video").waitFor();
  expect(await stranger.page.title()).toContain("Dust II Round 1-3 - 3 Highlights");
  await stranger.page.getByText("by Newcomer").first().waitFor();
  await keepScreenshot(stranger.page, "clip-stranger-390");
  await stranger.page.goto("/");
  await stranger.page.getByRole("heading", { name: "Top Highlights" }).waitFor();
  await keepScreenshot(stranger.page, "home-390");
  expect(stranger.problems).toEqual([]);
  await stranger.context.close();
  await context.close();
});

test("The same works with JavaScript off", async () => {
  const { page, context } = await newVisitor(browser, product.url, { javaScript: false, viewport: phone });
  await signIn(page, "76561199999900011", "Без скрипта");
  await page.goto("/matches");
  await page.locator('input[name="demo_url"]').fill(demos.url("highlights-reel.dem.gz"));
  await page.locator('form:has(input[name="demo_url"]) button[type="submit"]').click();
  await expect
    .poll(
      async () => {
        await page.goto("/matches");
        return page.getByText(/\d+ Highlights/).count();
      },
      { timeout: 60_000, interval: 1000 },
    )
    .toBeGreaterThan(0);
  await keepScreenshot(page, "matches-no-js-390");
  await page.getByRole("link", { name: "View Details" }).first().click();
  await chooseHighlights(page, 2);
  await page
    .getByRole("button", { name: /^Create Clip/ })
    .first()
    .click();
  await page
    .getByText(/Queued|Processing/)
    .first()
    .waitFor();
  await keepScreenshot(page, "match-no-js-390");
  const matchPage = page.url();
  await expect
    .poll(
      async () => {
        await page.goto(matchPage);
        return page.locator("video").count();
      },
      { timeout: 180_000, interval: 2000 },
    )
    .toBeGreaterThan(0);
  await page.locator('a[href^="/clips/"]').first().click();
  await page.locator("video").waitFor();
  await page.getByRole("button", { name: /like/i }).first().click();
  await page.locator("video").waitFor();
  await keepScreenshot(page, "clip-no-js-390");
  await page.getByRole("button", { name: "Logout" }).first().click();
  await page.getByRole("button", { name: "Sign in through Steam" }).first().waitFor();
  await context.close();
  expect(product.output()).not.toMatch(frameworkComplaint);
});
