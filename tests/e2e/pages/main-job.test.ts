import type { Page } from "playwright/test";
import { keepScreenshot, laptop, phone, signIn } from "../../services/browser.ts";
import { type DemoHost, startDemoHost } from "../../services/demo-host.ts";
import { frameworkComplaint } from "../../services/framework-complaint.ts";
import { type Product, startProduct } from "../../services/product.ts";
import { uniqueSteamId } from "../../services/unique.ts";
import { test as browserTest, expect } from "../fixtures.ts";

interface ForThisFile {
  demos: DemoHost;
  /** In a separate process, as run by `npm start`. */
  started: Product;
}

const test = browserTest.extend<object, ForThisFile>({
  demos: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from this pattern what a fixture needs.
    async ({}, use) => {
      const demos = await startDemoHost();
      await use(demos);
      await demos.close();
    },
    { scope: "worker" },
  ],
  started: [
    async ({ demos }, use) => {
      const started = await startProduct({ IMPORT_ALLOW_HOSTS: demos.host }, { isFirstStart: true });
      await use(started);
      await started.stop();
    },
    { scope: "worker" },
  ],
  address: ({ started }, use) => use(started.url),
});

/** Ticks only highlights of these kinds. The reel has one of each, of four seconds. */
async function chooseHighlights(page: Page, kinds: string[]): Promise<void> {
  const cards = await page.locator('label:has(input[name="highlight"])').all();
  expect(cards).not.toHaveLength(0);
  for (const card of cards) {
    const kind = await card.locator(".font-display").first().textContent();
    await card.locator("input").setChecked(kinds.includes(kind?.trim() ?? ""));
  }
  await expect(page.locator('input[name="highlight"]:checked')).toHaveCount(kinds.length);
}

test("A newcomer signs in, imports a match, ticks three highlights and shares the video", async ({ visit, demos }) => {
  const { page, problems } = await visit({ viewport: laptop });
  await signIn(page, uniqueSteamId(), "Newcomer");
  await page.getByRole("link", { name: "My Matches" }).first().click();
  await expect(page.getByText("No matches available. Import recent matches or upload demos directly.")).toBeVisible();
  await keepScreenshot(page, "matches-empty-1280");

  await page.locator('input[name="demo_url"]').fill(demos.url("highlights-reel.dem.gz"));
  await page.locator('form:has(input[name="demo_url"]) button[type="submit"]').click();
  await expect(page.getByText("Demo uploaded successfully!")).toBeVisible();
  await expect(page.getByText(/\d+ Highlights/).first()).toBeVisible({ timeout: 60_000 });
  await keepScreenshot(page, "matches-imported-1280");
  await page.getByRole("link", { name: "View Details" }).first().click();
  await page.waitForURL(/\/match(es)?\/[^/]+$/);
  await expect(page.getByRole("heading", { name: /Match Highlights \(\d+\)/ })).toBeVisible();
  await expect(page.getByRole("button", { name: /^Create Clip/ })).toBeVisible();
  await page.getByRole("button", { name: "None", exact: true }).click();
  await chooseHighlights(page, ["No Scope", "Nade Kill", "One Tap"]);
  await keepScreenshot(page, "match-selected-1280");
  await page.getByRole("button", { name: "Create Clip (3 active)" }).click();
  await expect(page.getByText(/Queued|Processing/).first()).toBeVisible();
  await keepScreenshot(page, "match-rendering-1280");
  await expect(page.locator("video").first()).toBeVisible({ timeout: 180_000 });

  await page.locator('a[href^="/clips/"]').first().click();
  await page.waitForURL(/\/clips\/\d+$/);
  // Not that of the match's card, which stays for a moment after the address has changed.
  const played = await page.locator(".watch video").evaluate(async (video: HTMLVideoElement) => {
    video.muted = true;
    await video.play();
    await new Promise((resolve) => setTimeout(resolve, 1500));
    return { at: video.currentTime, width: video.videoWidth, height: video.videoHeight };
  });
  expect(played.at).toBeGreaterThan(0.3);
  expect(played).toMatchObject({ width: 1280, height: 720 });
  await keepScreenshot(page, "clip-1280");
  expect(problems).toEqual([]);

  const stranger = await visit({ viewport: phone });
  await stranger.page.goto(page.url());
  await expect(stranger.page.locator("video")).toBeVisible();
  await expect(stranger.page).toHaveTitle(/Dust II Round 3-9 - 3 Highlights/);
  await expect(stranger.page.getByText("by Newcomer").first()).toBeVisible();
  await keepScreenshot(stranger.page, "clip-stranger-390");
  await stranger.page.goto("/");
  await expect(stranger.page.getByRole("heading", { name: "Top Highlights" })).toBeVisible();
  await keepScreenshot(stranger.page, "home-390");
  expect(stranger.problems).toEqual([]);
});

test("The same works with JavaScript off", { tag: "@long" }, async ({ visit, demos, started }) => {
  const { page, context } = await visit({ javaScript: false, viewport: phone });
  await signIn(page, uniqueSteamId(), "Без скрипта");
  await page.goto("/matches");
  await page.locator('input[name="demo_url"]').fill(demos.url("highlights-reel.dem.gz"));
  await page.locator('form:has(input[name="demo_url"]) button[type="submit"]').click();
  await expect
    .poll(
      async () => {
        await page.goto("/matches");
        return page.getByText(/\d+ Highlights/).count();
      },
      { timeout: 60_000, intervals: [1000] },
    )
    .toBeGreaterThan(0);
  await keepScreenshot(page, "matches-no-js-390");
  await page.getByRole("link", { name: "View Details" }).first().click();
  // Clicks do not wait for the page they open, nor does `all` for its results.
  await page.waitForURL(/\/match(es)?\/[^/]+$/);
  await chooseHighlights(page, ["Knife Kill", "Ninja Defuse"]);
  await page
    .getByRole("button", { name: /^Create Clip/ })
    .first()
    .click();
  await expect(page.getByText(/Queued|Processing/).first()).toBeVisible();
  await keepScreenshot(page, "match-no-js-390");
  const matchPage = page.url();
  await expect
    .poll(
      async () => {
        await page.goto(matchPage);
        return page.locator("video").count();
      },
      { timeout: 180_000, intervals: [2000] },
    )
    .toBeGreaterThan(0);
  await page.locator('a[href^="/clips/"]').first().click();
  await expect(page.locator("video")).toBeVisible();
  await page.getByRole("button", { name: /like/i }).first().click();
  await expect(page.locator("video")).toBeVisible();
  await keepScreenshot(page, "clip-no-js-390");
  await page.getByRole("button", { name: "Logout" }).first().click();
  await expect(page.getByRole("button", { name: "Sign in through Steam" }).first()).toBeVisible();
  await context.close();
  expect(started.output()).not.toMatch(frameworkComplaint);
});
