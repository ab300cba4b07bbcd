import type { Locator, Page } from "playwright";
import { axeViolations, hydrated, keepScreenshot, laptop, phone, requestsOf } from "../../services/browser.ts";
import { steamIds } from "../../services/populated-product.ts";
import { expect, test } from "../fixtures.ts";

const loopsOf = (place: Page | Locator) => place.locator('[aria-hidden="true"] > video');
const playing = (page: Page) =>
  loopsOf(page).evaluateAll((loops) => loops.filter((loop) => !(loop as HTMLVideoElement).paused).length);
const hero = (page: Page) => page.locator("figure");
const aMoment = (page: Page) => page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 800)));
/** In a carousel below the first screen. */
const below = (page: Page) => page.getByRole("region", { name: "Best Ninja Defuses" });

test("Home begins with a real clip that moves in silence while it is seen, and that is no view of it", async ({
  product,
  visit,
}) => {
  const { page, problems } = await visit({ seesMotion: true });
  const views = requestsOf(page, "/view");
  const files = requestsOf(page, "/video/clips/");
  await page.goto("/");
  await hydrated(page);
  const loop = loopsOf(hero(page));
  await expect.poll(() => loop.evaluate((video: HTMLVideoElement) => video.currentTime)).toBeGreaterThan(0.1);
  const facts = await loop.evaluate((video: HTMLVideoElement) => {
    const { muted, loop: repeats, playsInline, preload, tabIndex, duration } = video;
    return { muted, repeats, playsInline, preload, tabIndex, duration };
  });
  expect(facts).toMatchObject({ muted: true, repeats: true, playsInline: true, preload: "none", tabIndex: -1 });
  expect(Math.abs(facts.duration - 3)).toBeLessThan(0.05);
  await expect(hero(page).getByRole("link").first()).toHaveAttribute("href", /^\/clips\/\d+$/);
  await keepScreenshot(page, "home-loop");

  // A loop outside the window is not loaded; one that leaves it is paused.
  await expect(loopsOf(below(page))).toHaveCount(0);
  await below(page).scrollIntoViewIfNeeded();
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await expect(loopsOf(below(page))).toHaveCount(1);
  await expect.poll(() => loop.evaluate((video: HTMLVideoElement) => video.paused)).toBe(true);
  await expect.poll(() => playing(page)).toBeGreaterThan(0);
  expect(await playing(page)).toBeLessThanOrEqual(3);
  expect(files.filter((path) => !/(thumbnail\.jpg|loop\.mp4)$/.test(path))).toEqual([]);
  expect(views).toEqual([]);
  expect(await axeViolations(page)).toEqual([]);
  expect(problems).toEqual([]);
  expect(product.clipId).toBeGreaterThan(0);
});

test("No loop is loaded for who has asked for less motion or less data, nor without JavaScript", {
  tag: "@long",
}, async ({ visit }) => {
  const less = {
    "less motion": await visit(),
    "the browser's data saver": await visit({ seesMotion: true }),
    "its header alone": await visit({ seesMotion: true }),
    "no JavaScript": await visit({ seesMotion: true, javaScript: false }),
  };
  await less["the browser's data saver"].page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, "connection", { get: () => ({ saveData: true }) });
  });
  await less["its header alone"].context.setExtraHTTPHeaders({ "Save-Data": "on" });
  for (const [why, { page }] of Object.entries(less)) {
    const files = requestsOf(page, "loop.mp4");
    await page.goto("/");
    await expect(hero(page).locator("img"), why).toHaveAttribute("src", /thumbnail\.jpg/);
    await expect(hero(page).locator("img"), why).toHaveJSProperty("naturalWidth", 640);
    if (why !== "no JavaScript") {
      await hydrated(page);
      await aMoment(page);
      await expect(page.getByRole("button", { name: "Autoplay" })).not.toBeVisible();
    }
    await expect(loopsOf(page), why).toHaveCount(0);
    expect(files, why).toEqual([]);
  }
  // A later visitor, within the second for which a page is shared, is not affected.
  const next = await visit({ seesMotion: true });
  await next.page.goto("/");
  await expect(loopsOf(hero(next.page))).toHaveCount(1);
});

test("Clip cards move until the clip is played, and one button stops them all for good", { tag: "@long" }, async ({
  product,
  visit,
}) => {
  for (const viewport of [phone, laptop]) {
    const { page, problems } = await visit({ seesMotion: true, viewport, as: product.players.maker });
    const views = requestsOf(page, "/view");
    await page.goto("/clips");
    await hydrated(page);
    const card = page.locator("article").first();
    await card.scrollIntoViewIfNeeded();
    const loop = loopsOf(card);
    await expect.poll(() => loop.evaluate((video: HTMLVideoElement) => video.currentTime)).toBeGreaterThan(0.1);
    await keepScreenshot(page, `my-clips-loops-${viewport.width}`);
    // The player is above the loop, with its controls, and has its poster moved out of view.
    const player = card.locator("video[controls]");
    await expect(player).toHaveAttribute("poster", /thumbnail\.jpg/);
    await expect(player).not.toHaveCSS("object-position", /^50%/);
    expect(views).toEqual([]);

    const stop = page.getByRole("button", { name: "Autoplay" });
    await expect(stop).toHaveAttribute("aria-pressed", "true");
    await stop.click();
    await expect(loopsOf(page)).toHaveCount(0);
    await expect(player).toHaveCSS("object-position", /^50%/);
    await page.goto(`/users/${steamIds.maker}/clips`);
    await hydrated(page);
    await expect(stop).toHaveAttribute("aria-pressed", "false");
    await aMoment(page);
    await expect(loopsOf(page)).toHaveCount(0);
    await stop.click();
    const other = page.locator("article").first();
    await other.scrollIntoViewIfNeeded();
    await expect(loopsOf(other)).toHaveCount(1);
    await keepScreenshot(page, `user-clips-loops-${viewport.width}`);

    await other.locator("video[controls]").evaluate((video: HTMLVideoElement) => video.play());
    await expect(loopsOf(other)).toHaveCount(0);
    await expect.poll(() => views.length).toBe(1);
    expect(await axeViolations(page)).toEqual([]);
    expect(problems).toEqual([]);
  }
});
