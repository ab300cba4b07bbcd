import { newLinkKey } from "../../../backend/clips/clip-link.ts";
import { axeViolations, hydrated, keepScreenshot, laptop, phone } from "../../services/browser.ts";
import { coveredByTabbing } from "../../services/covered-focus.ts";
import { addCompletedMatch } from "../../services/populated-product.ts";
import { addClip, finishClip } from "../../services/seeded-rows.ts";
import { expect, test } from "../fixtures.ts";

test("A player elsewhere on the site hears that a clip is ready, once, with the way to it", async ({
  product,
  visit,
}) => {
  const { userId, matchId } = await addCompletedMatch(product, "newcomer");
  const { database } = product.services;
  const clip = { userId, matchId, name: "Awaited", status: "processing", queueSlot: 1, progress: 0.5 };
  const clipId = await addClip(database, product.clipId, clip);
  const { page, context, problems } = await visit({ as: product.players.newcomer, viewport: phone });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(`/matches/${matchId}`);
  await hydrated(page);
  await expect.poll(() => page.evaluate(() => localStorage.getItem("awaited-clips"))).toBe(`[${clipId}]`);
  await page.goto("/highlights/about");
  await page.goto("/clips");
  await page.goto("/");
  await hydrated(page);
  await finishClip(database, product.clipId, clipId);
  const notice = page.getByRole("status").getByRole("listitem").filter({ hasText: "Your clip is ready" });
  await expect(notice).toBeVisible();
  // While pointed at it stays, however long the rest takes.
  await notice.hover();
  await expect(notice).toContainText("Awaited");
  await expect(page).toHaveTitle(/^✓ Clip ready · Clutchcast/);
  expect(await axeViolations(page)).toEqual([]);
  await keepScreenshot(page, "ready-notice-390");
  await page.getByRole("contentinfo").getByRole("link").last().focus();
  expect((await coveredByTabbing(page, "Shift+Tab", 30)).covered).toEqual([]);
  await page.evaluate(() => scrollTo(0, 0));
  await page.setViewportSize(laptop);
  await keepScreenshot(page, "ready-notice-1280");
  await notice.getByRole("button", { name: "Copy link" }).click();
  await expect(notice.getByText("Copied")).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
    new RegExp(`^${product.url}/clips/${clipId}\\?v=\\w+$`),
  );
  // As on plain http, and in a browser that also refuses the old way.
  await page.evaluate(() => {
    Object.defineProperty(navigator, "clipboard", { value: undefined });
    document.execCommand = () => false;
  });
  await notice.getByRole("button", { name: "Copy link" }).click();
  await expect(notice.getByText("Press Ctrl+C to copy what is selected")).toBeVisible();
  await expect(notice.getByLabel("Address of the clip")).toBeFocused();
  // Another page has another title, but the mark stays.
  await page.getByRole("link", { name: "My Clips" }).first().click();
  await expect(page).toHaveTitle(/^✓ Clip ready · My Clips/);
  await notice.getByRole("link", { name: "Open" }).click();
  await expect(page).toHaveURL(new RegExp(`/clips/${clipId}$`));
  await expect(notice).toHaveCount(0);
  await expect(page).toHaveTitle("Awaited");
  await expect.poll(() => page.evaluate(() => localStorage.getItem("awaited-clips"))).toBe("[]");
  await page.reload();
  await hydrated(page);
  await expect(page.getByText("Your clip is ready")).toHaveCount(0);
  expect(problems).toEqual([]);
});

test("A notice lies on nothing that a match's clip is made with, and goes by itself unless it is pointed at or has the focus", async ({
  product,
  visit,
}) => {
  const { userId, matchId } = await addCompletedMatch(product, "newcomer");
  const other = await addCompletedMatch(product, "newcomer");
  const { database } = product.services;
  const clip = { userId, matchId, name: "Awaited", status: "processing", queueSlot: 1, progress: 0.5 };
  const clipId = await addClip(database, product.clipId, clip);
  const { page, problems } = await visit({ as: product.players.newcomer, viewport: laptop });
  await page.goto(`/matches/${matchId}`);
  await hydrated(page);
  await expect.poll(() => page.evaluate(() => localStorage.getItem("awaited-clips"))).toContain(`${clipId}`);
  await page.clock.install();
  await page.goto(`/matches/${other.matchId}`);
  await hydrated(page);
  await finishClip(database, product.clipId, clipId);
  await page.clock.runFor(4000);
  const notice = page.getByRole("status").getByRole("listitem").filter({ hasText: "Your clip is ready" });
  await expect(notice).toBeVisible();
  await keepScreenshot(page, "ready-notice-match-1280");
  const [over, bar] = [await notice.boundingBox(), await page.locator(".match-bar").boundingBox()];
  expect(over && bar && over.x + over.width <= bar.x).toBe(true);
  await notice.hover();
  await page.clock.runFor(60_000);
  await notice.getByRole("link", { name: "Open" }).focus();
  await page.mouse.move(0, 0);
  await page.clock.runFor(60_000);
  await expect(notice).toBeVisible();
  await page.locator("main").focus();
  await page.clock.runFor(21_000);
  await expect(notice).toHaveCount(0);
  await expect(page).not.toHaveTitle(/^✓/);
  expect(problems).toEqual([]);
});

test("An address that was sent on before its video was there becomes the clip by itself, with and without JavaScript", {
  tag: "@long",
}, async ({ product, visit }) => {
  const { userId, matchId } = await addCompletedMatch(product, "newcomer");
  const { database } = product.services;
  const clip = { userId, matchId, name: "Sent too early", status: "processing", queueSlot: 1 };
  const clipId = await addClip(database, product.clipId, clip);
  const friends = [await visit({}), await visit({ javaScript: false })];
  for (const { page } of friends) {
    expect((await page.goto(`/clips/${clipId}`))?.status()).toBe(404);
    await expect(page.getByText("The requested CS2 clip could not be found")).toBeVisible();
    await expect(page.getByText("this page opens it as soon as its video is ready")).toBeVisible();
  }
  await finishClip(database, product.clipId, clipId);
  for (const { page } of friends) {
    await expect(page.getByRole("heading", { level: 1, name: "Sent too early" })).toBeVisible({ timeout: 25_000 });
    await expect(page.locator("video")).toHaveCount(1);
  }
  // An invalid clip ID is not waited for.
  const { page } = friends[0] ?? (await visit({}));
  await page.goto("/clips/abc");
  await expect(page.getByText("The requested CS2 clip could not be found")).toBeVisible();
  await expect(page.getByText("as soon as its video is ready")).toHaveCount(0);
});

test("The address that a notice copies is, for an unlisted clip, the one that a friend can open", {
  tag: "@long",
}, async ({ product, visit }) => {
  const { userId, matchId } = await addCompletedMatch(product, "newcomer");
  const { database } = product.services;
  const waiting = { userId, matchId, name: "For my friends", status: "processing", queueSlot: 1 };
  const clipId = await addClip(database, product.clipId, waiting);
  await database
    .updateTable("clips")
    .set({ link_key: newLinkKey("unlisted") })
    .where("id", "=", clipId)
    .execute();
  const { page, context } = await visit({ as: product.players.newcomer });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(`/matches/${matchId}`);
  await hydrated(page);
  await expect.poll(() => page.evaluate(() => localStorage.getItem("awaited-clips"))).toBe(`[${clipId}]`);
  await page.goto("/");
  await hydrated(page);
  await finishClip(database, product.clipId, clipId);
  await page.getByRole("button", { name: "Copy link" }).click();
  await expect(page.getByText("Copied")).toBeVisible();
  const address = await page.evaluate(() => navigator.clipboard.readText());
  // On its own page the clip itself is visible.
  await page.getByRole("link", { name: "My Clips" }).first().click();
  await expect(page).toHaveTitle(/^✓ Clip ready · My Clips/);
  await page.getByRole("link", { name: "For my friends", exact: true }).first().click();
  await expect(page).toHaveURL(new RegExp(`/clips/${clipId}-[\\w-]+$`));
  await expect(page.getByRole("heading", { name: "For my friends" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Close the notice" })).toHaveCount(0);
  const friend = await visit({});
  expect((await friend.page.goto(address))?.status()).toBe(200);
  await expect(friend.page.getByRole("heading", { name: "For my friends" })).toBeVisible();
  expect((await friend.page.goto(`/clips/${clipId}`))?.status()).toBe(404);
});

test("On the page that shows it a clip that is ready is only read out, and a deleted one is waited for no more", {
  tag: "@long",
}, async ({ product, visit }) => {
  const { userId, matchId } = await addCompletedMatch(product, "newcomer");
  const { database } = product.services;
  const waiting = { userId, matchId, status: "queued" };
  const ready = await addClip(database, product.clipId, { ...waiting, name: "Shown", queueSlot: 1 });
  const gone = await addClip(database, product.clipId, { ...waiting, name: "Gone", queueSlot: 2 });
  const { page, problems } = await visit({ as: product.players.newcomer });
  await page.goto(`/matches/${matchId}`);
  await hydrated(page);
  await finishClip(database, product.clipId, ready);
  await expect(page.getByRole("status").filter({ hasText: "Your clip is ready: Shown" })).toHaveCount(1);
  await expect(page.getByRole("link", { name: "Open", exact: true })).toHaveCount(0);

  await page.getByRole("link", { name: "Delete Gone" }).click();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Created Clips (1)" })).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: "Deleted" })).toHaveCount(1);
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("clips-heading");
  await page.goto("/");
  await hydrated(page);
  await expect.poll(() => page.evaluate(() => localStorage.getItem("awaited-clips"))).toBe("[]");
  expect(await database.selectFrom("clips").select("id").where("id", "=", gone).execute()).toEqual([]);
  expect(problems).toEqual([]);
});

test("A tab that waits on the clip's own page says by its title that it is ready, until it is looked at", {
  tag: "@long",
}, async ({ product, visit }) => {
  const { userId, matchId } = await addCompletedMatch(product, "newcomer");
  const { database } = product.services;
  const clip = { userId, matchId, name: "Waited for", status: "processing", queueSlot: 1 };
  const clipId = await addClip(database, product.clipId, clip);
  const { page, problems } = await visit({ as: product.players.newcomer });
  await page.goto(`/clips/${clipId}`);
  await hydrated(page);
  const title = await page.title();
  const become = (state: "hidden" | "visible") =>
    page.evaluate((visibility) => {
      Object.defineProperty(document, "visibilityState", { get: () => visibility, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, state);
  await become("hidden");
  await finishClip(database, product.clipId, clipId);
  await expect(page).toHaveTitle(`✓ Clip ready · ${title}`);
  await become("visible");
  await expect(page).toHaveTitle(title);
  await expect(page.locator("video")).toBeVisible();
  // After being seen here, it is not announced elsewhere.
  await page.getByRole("link", { name: "My Clips" }).first().click();
  await expect(page.getByRole("heading", { level: 1, name: "My Clips" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Close the notice" })).toHaveCount(0);
  expect(problems).toEqual([]);
});

test("A hidden tab asks on, and the browser's notice comes where the player has allowed it", async ({
  product,
  visit,
}) => {
  const { userId, matchId } = await addCompletedMatch(product, "newcomer");
  const { database } = product.services;
  const clip = { userId, matchId, name: "Behind", status: "processing", queueSlot: 1 };
  const clipId = await addClip(database, product.clipId, clip);
  const { page, context, problems } = await visit({ as: product.players.newcomer });
  await context.grantPermissions(["notifications"]);
  await page.addInitScript(() => {
    const told: string[] = [];
    Object.assign(window, { told });
    const Real = window.Notification;
    window.Notification = class extends Real {
      // Chromium's headless shell does not support allowing notifications.
      static override get permission(): NotificationPermission {
        return "granted";
      }
      constructor(title: string, options?: NotificationOptions) {
        super(title, options);
        told.push(`${title}: ${options?.body}`);
      }
    };
  });
  await page.goto(`/matches/${matchId}`);
  await hydrated(page);
  await page.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { get: () => "hidden" });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await finishClip(database, product.clipId, clipId);
  await expect(page).toHaveTitle(/^✓ Clip ready · /);
  await expect
    .poll(() => page.evaluate(() => (window as unknown as { told: string[] }).told))
    .toEqual(["Behind: Your clip is ready. Clutchcast"]);
  expect(problems).toEqual([]);
});
