import type { Locator, Request, Route } from "playwright/test";
import { outOfReachText } from "../../../app/api/api-failure.ts";
import { holdRequests, hydrated, keepScreenshot, phone } from "../../services/browser.ts";
import { addCompletedMatch, type PopulatedProduct } from "../../services/populated-product.ts";
import { finishClip } from "../../services/seeded-rows.ts";
import { unique } from "../../services/unique.ts";
import { expect, test } from "../fixtures.ts";

const lost = "Connection lost, trying again";

const clipsOf = (product: PopulatedProduct, matchId: string) =>
  product.services.database.selectFrom("clips").select("name").where("match_id", "=", matchId).execute();

test("Pages that poll outlive a restart of the server: they stay, say so, and go on", async ({ product, visit }) => {
  const as = product.players.busy;
  const visitors = await Promise.all(
    ["/matches", "/matches/busy", `/clips/${product.clips.processing}`, "/clips"].map(async (path) => {
      const visitor = await visit({ as });
      await visitor.page.clock.install();
      await visitor.page.goto(path);
      await hydrated(visitor.page);
      return visitor;
    }),
  );
  const [matches, match, clip, clips] = visitors.map(({ page }) => page);
  await match!.locator("label:has(input[name=highlight])").first().click();
  await product.stop();
  for (const { page } of visitors) {
    await page.clock.fastForward(3000);
    await expect(page.getByText(lost)).toBeVisible();
  }
  await expect(matches!.getByText("Parsing demo")).toBeVisible();
  await expect(match!.getByRole("button", { name: "Create Clip (1 active)" })).toBeVisible();
  await expect(clip!.getByText("Video is being processed...")).toBeVisible();
  await expect(clips!.getByRole("heading", { name: "My Clips" })).toBeVisible();

  await product.start();
  const { database } = product.services;
  await finishClip(database, product.clipId, product.clips.processing);
  await database
    .updateTable("matches")
    .set({ status: "analyzing_highlights" })
    .where("id", "=", "busy-parsing_demo")
    .execute();
  for (const { page } of visitors) {
    await page.clock.fastForward(30_000);
    await expect(page.getByText(lost)).toHaveCount(0);
  }
  await expect(matches!.getByText("Analyzing highlights")).toHaveCount(2);
  await expect(clip!.locator("video")).toBeVisible();
  await expect(clips!.locator("article").filter({ hasText: "Rendering clip" }).locator("video")).toHaveCount(1);
  await expect(match!.getByRole("button", { name: "Create Clip (1 active)" })).toHaveCount(1);
});

test("An hour offline costs nothing but a notice: it is asked ever more rarely, and the page goes on by itself", {
  tag: "@long",
}, async ({ product, visit }) => {
  await product.services.database
    .updateTable("clips")
    .set({ status: "pending", queue_slot: 3, progress: 0, video_key: null, poster_key: null })
    .where("id", "=", product.clips.pending)
    .execute();
  const { page, context } = await visit({ as: product.players.busy, viewport: phone });
  await page.clock.install();
  await page.goto("/matches/busy");
  await hydrated(page);
  await page.evaluate(() => Object.assign(window, { isTheSamePage: true }));
  const open = new Set<Request>();
  /** By address, since missing pictures of a match are also polled for. */
  const askedAt = new Map<string, number[]>();
  let minutes = 0;
  page.on("request", (request) => {
    open.add(request);
    askedAt.set(request.url(), [...(askedAt.get(request.url()) ?? []), minutes]);
  });
  page.on("requestfailed", (request) => open.delete(request));
  page.on("requestfinished", (request) => open.delete(request));
  await page.waitForLoadState("networkidle");
  await context.setOffline(true);
  askedAt.clear();
  await page.clock.runFor(3000);
  await expect(page.getByText(lost)).toBeVisible();
  // In steps far shorter than the longest wait: a request fails in the step that sends it.
  for (; minutes < 60; minutes += 0.1) {
    await page.clock.runFor(6000);
    await expect.poll(() => open.size, { intervals: [5] }).toBe(0);
  }
  expect([...askedAt.keys()].filter((address) => address.includes(String(product.clips.pending)))).toHaveLength(1);
  for (const [address, times] of askedAt) {
    if (!address.includes("/status?")) continue;
    const first = times.filter((at) => at < 1.5).length;
    const later = times.length - first;
    // 3, 6, 12, 24 s, then every 30 s; every three seconds would be 1,200 requests.
    expect(first, address).toBeLessThanOrEqual(8);
    expect(later, address).toBeGreaterThan(90);
    expect(later, address).toBeLessThanOrEqual(120);
  }
  await expect(page.getByText(lost)).toBeVisible();
  await expect(page.getByRole("heading", { name: /^Match Highlights/ })).toBeVisible();

  await finishClip(product.services.database, product.clipId, product.clips.pending);
  const card = page.locator("article").filter({ hasText: "Pending clip" });
  await expect(card.getByText("Pending", { exact: true })).toHaveCount(1);
  // At once, not at the next poll: no timer runs any more. The clock goes on until then, and only stops ahead of itself.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 5000));
  await context.setOffline(false);
  await expect(page.getByText(lost)).toHaveCount(0);
  await expect(card.locator("video")).toBeAttached();
  expect(await page.evaluate(() => "isTheSamePage" in window)).toBe(true);
});

test("Online again, a page gives up what it was still asking: of two answers at once the older could come last", async ({
  product,
  visit,
}) => {
  const { page } = await visit({ as: product.players.busy });
  await page.clock.install();
  await page.goto("/clips");
  await hydrated(page);
  const questions: Route[] = [];
  await page.route("**/clips/status?*", (route) => void questions.push(route));
  await page.clock.runFor(3000);
  await expect.poll(() => questions.length).toBe(1);
  await questions[0]!.abort();
  await expect(page.getByText(lost)).toBeVisible();
  await page.clock.runFor(6000);
  await expect.poll(() => questions.length).toBe(2);

  await page.evaluate(() => window.dispatchEvent(new Event("online")));
  await expect.poll(() => questions.length).toBe(3);
  await expect.poll(() => questions[1]!.request().failure()?.errorText).toBe("net::ERR_ABORTED");
  await questions[2]!.continue();
  await expect(page.getByText(lost)).toHaveCount(0);
});

test("A page asked for while the server is away says so, offers a way back, and comes when it can", async ({
  product,
  visit,
}) => {
  const { page } = await visit({ as: product.players.busy });
  await page.goto("/clips");
  await hydrated(page);
  await page.getByRole("link", { name: "My Matches" }).click();
  await expect(page.getByRole("heading", { name: "My Matches" })).toBeVisible();
  await page.route(/\.data(\?|$)/, (route) => route.abort());
  await page.getByRole("link", { name: "My Clips" }).click();
  await expect(page.getByRole("heading", { name: "Something went wrong" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Back to the start page" })).toHaveCount(1);
  await page.unrouteAll();
  await expect(page.getByRole("heading", { name: "My Clips" })).toBeVisible();
});

test("Without a network a link leaves the page with what was typed, and leads on once there is one", async ({
  product,
  visit,
}) => {
  const { page, context } = await visit({ as: product.players.busy, viewport: phone });
  await page.goto("/clips");
  await hydrated(page);
  await page.getByRole("link", { name: "My Matches" }).click();
  await expect(page.getByRole("heading", { name: "My Matches" })).toBeVisible();
  const typed = page.locator("input[type=url]");
  await typed.fill("https://demos.example/typed.dem");
  const offline = page.getByRole("alert").filter({ hasText: "You are offline." });
  // One whose script is here, and one whose script is not.
  for (const name of ["My Clips", "All highlights"]) {
    await context.setOffline(true);
    await page.getByRole("link", { name }).click();
    await expect(offline).toBeVisible();
    await expect(page).toHaveURL(/\/matches$/);
    await expect(typed).toHaveValue("https://demos.example/typed.dem");
    await keepScreenshot(page, "link-offline-390");
    await context.setOffline(false);
    await expect(offline).toHaveCount(0);
  }
  await page.getByRole("link", { name: "All highlights" }).click();
  await expect(page.getByRole("heading", { name: "My Highlights" })).toBeVisible();
});

test("A browser that calls itself offline follows links all the same where the server answers", async ({ visit }) => {
  const { page } = await visit();
  await page.addInitScript(() => Object.defineProperty(navigator, "onLine", { get: () => false }));
  await page.goto("/");
  await hydrated(page);
  await page.locator('main a[href^="/clips/"]').first().click();
  await expect(page).toHaveURL(/\/clips\/\d+/);
  await expect(page.getByRole("alert").filter({ hasText: "You are offline." })).toHaveCount(0);
});

test("While nobody can say who is signed in, an open page keeps whom it knew, says so, and asks again", async ({
  product,
  visit,
}) => {
  const { page, problems } = await visit({ as: product.players.newcomer });
  await page.clock.install();
  await page.goto("/clips");
  await hydrated(page);
  const banner = page.getByRole("banner");
  const home = () => page.getByRole("link", { name: "Clutchcast, home" }).click();

  // Only the API is down.
  let isAway = true;
  const restore = product.interceptApi("GET", /^\/api\/auth\/status\/$/, () =>
    isAway ? new Response("<h1>Bad gateway</h1>", { status: 502 }) : undefined,
  );
  await home();
  await expect(page.getByRole("heading", { name: "Top Highlights" })).toBeVisible();
  await expect(page.getByText(lost)).toBeVisible();
  await expect(banner.getByText("Player newcomer")).toBeVisible();
  await expect(page.getByRole("button", { name: "Sign in through Steam" })).toHaveCount(0);
  isAway = false;
  await page.clock.runFor(3000);
  await expect(page.getByText(lost)).toHaveCount(0);
  await expect(banner.getByText("Player newcomer")).toBeVisible();
  restore();

  // The whole server is down.
  await banner.getByRole("link", { name: "My Clips" }).click();
  await expect(page.getByRole("heading", { name: "My Clips" })).toBeVisible();
  expect(problems).toEqual([]);
  await product.stop();
  await home();
  await expect(page.getByRole("heading", { name: "Something went wrong" })).toBeVisible();
  await expect(banner.getByText("Player newcomer")).toBeVisible();
  await expect(page.getByRole("button", { name: "Sign in through Steam" })).toHaveCount(0);
  await page.clock.runFor(3000);
  await expect(page.getByText(lost)).toBeVisible();
  await product.start();
  await page.clock.runFor(60_000);
  await expect(page.getByRole("heading", { name: "Top Highlights" })).toBeVisible();
  await expect(banner.getByText("Player newcomer")).toBeVisible();
});

test("Clips that cannot be loaded further leave those that are shown", async ({ product, visit }) => {
  const { page, context } = await visit({ as: product.players.maker });
  await page.goto("/clips");
  await hydrated(page);
  const shown = await page.locator("main article").count();
  await context.setOffline(true);
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  const more = page.getByRole("link", { name: "More clips" });
  await expect(more).toBeVisible();
  await page.waitForLoadState("networkidle");
  await expect(page.locator("main article")).toHaveCount(shown);
  await expect(page.getByText("More clips could not be loaded.")).toBeVisible();
  await context.setOffline(false);
  await more.click();
  await expect.poll(() => page.locator("main article").count()).toBeGreaterThan(shown);
  await expect(page.getByText("More clips could not be loaded.")).toHaveCount(0);
});

test("Creating, importing and choosing without a network leave the page and its choices in place", async ({
  product,
  visit,
}) => {
  const { matchId } = await addCompletedMatch(product, "newcomer");
  const { page, context } = await visit({ as: product.players.newcomer });
  await page.goto(`/match/${matchId}`);
  await hydrated(page);
  await page.locator("label:has(input[name=highlight])").first().click();
  await context.setOffline(true);
  await page.getByRole("button", { name: "Create Clip (1 active)" }).click();
  await expect(page.getByText(/^Failed to create clip: /)).toBeVisible();
  await context.setOffline(false);
  await page.getByRole("button", { name: "Create Clip (1 active)" }).click();
  await expect(page.getByRole("heading", { name: "Created Clips (1)" })).toBeVisible();

  await page.goto("/matches");
  await hydrated(page);
  const form = page.locator('form:has(input[name="demo_url"])');
  const address = `https://demos.example/${unique("offline")}.dem`;
  await form.locator("input[type=url]").fill(address);
  await context.setOffline(true);
  await form.getByRole("button", { name: "Import" }).click();
  await expect(form.getByText("Failed to upload demo URL")).toBeVisible();
  await expect(form.locator("input[type=url]")).toHaveValue(address);
  await context.setOffline(false);
  await form.getByRole("button", { name: "Import" }).click();
  await expect(form.getByText("Demo uploaded successfully!")).toBeVisible();
});

test("Without a network forms of the edit page, deletions, the settings and compilations leave their pages and what was typed", {
  tag: "@long",
}, async ({ product, visit }) => {
  const { page, context } = await visit({ as: product.players.busy });
  const outOfReach = page.getByRole("alert").filter({ hasText: "The server cannot be reached." });
  /** Presses a button without a network. */
  const press = async (button: Locator) => {
    await context.setOffline(true);
    await button.click();
    await expect(outOfReach).toBeVisible();
    await context.setOffline(false);
  };
  await page.goto(`/clips/${product.clips.completed}/edit`);
  await hydrated(page);
  await page.getByLabel("Name", { exact: true }).fill("Typed & kept");
  await press(page.getByRole("button", { name: "Save the name" }));
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Typed & kept");

  for (const path of [`/clips/${product.clips.completed}/delete`, "/matches/busy/delete"]) {
    await page.goto(path);
    await hydrated(page);
    await press(page.getByRole("button", { name: "Delete", exact: true }));
    await expect(page.getByRole("heading", { name: /^Delete / })).toBeVisible();
  }

  await page.goto("/settings");
  await hydrated(page);
  await page.getByRole("spinbutton", { name: "Clips a day" }).fill("7");
  await press(page.getByRole("button", { name: "Switch on" }));
  await expect(page.getByRole("spinbutton", { name: "Clips a day" })).toHaveValue("7");

  await page.goto("/settings/notifications");
  await hydrated(page);
  const address = page.getByRole("region", { name: "Webhooks for scripts" }).getByLabel("Address");
  await address.fill("https://example.org/hook");
  await press(page.getByRole("button", { name: "Add webhook" }));
  await expect(address).toHaveValue("https://example.org/hook");

  await page.goto("/settings/access");
  await hydrated(page);
  await page.getByLabel("Name", { exact: true }).fill("Clip bot");
  await press(page.getByRole("button", { name: "Make a token" }));
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Clip bot");

  await page.goto("/settings/account");
  await hydrated(page);
  await page.getByRole("checkbox", { name: /^Delete my account/ }).check();
  await press(page.getByRole("button", { name: "Delete my account" }));
  await expect(page.getByRole("checkbox", { name: /^Delete my account/ })).toBeChecked();

  const maker = await visit({ as: product.players.maker });
  await maker.page.goto("/clips/compile");
  await hydrated(maker.page);
  const chosen = maker.page.getByRole("region", { name: "Your choice" });
  for (const count of [1, 2]) {
    await maker.page.getByRole("link", { name: /^Add / }).first().click();
    await expect(chosen.getByRole("listitem")).toHaveCount(count);
  }
  await maker.page.getByLabel("Name (optional)").fill("Typed & kept");
  await maker.context.setOffline(true);
  await maker.page.getByRole("button", { name: /^Create compilation/ }).click();
  await expect(maker.page.getByRole("alert").filter({ hasText: "The server cannot be reached." })).toBeVisible();
  await expect(chosen.getByRole("listitem")).toHaveCount(2);
  await expect(maker.page.getByLabel("Name (optional)")).toHaveValue("Typed & kept");
});

test("Code that cannot be had when a part of a page is wanted leaves the page, and a way on", async ({
  product,
  visit,
}) => {
  const { matchId } = await addCompletedMatch(product, "newcomer");
  const { page } = await visit({ as: product.players.newcomer });
  // As after an upgrade, which removes the previous version's files.
  await page.route(/\/assets\/(made-clip|up-next)-/, (route) => route.fulfill({ status: 404, body: "" }));
  await page.goto(`/match/${matchId}`);
  await hydrated(page);
  await page.locator("label:has(input[name=highlight])").first().click();
  await page.getByRole("button", { name: "Create Clip (1 active)" }).click();
  await expect(page.getByRole("heading", { name: "Created Clips (1)" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Open the clip" })).toBeVisible();

  await page.goto(`/clips/${product.clipId}`);
  await hydrated(page);
  const asked = page.waitForRequest(/\/assets\/up-next-/);
  await page.locator("video").evaluate(async (video: HTMLVideoElement) => {
    video.muted = true;
    await video.play();
    video.currentTime = video.duration - 0.05;
  });
  await (await asked).response();
  await expect(page.getByText(/^The clip has ended\./)).toHaveCount(1);
  await expect(page.getByRole("heading", { name: /^More clips/ }).first()).toBeVisible();
  await expect(page.getByRole("heading", { name: "Something went wrong" })).toHaveCount(0);
});

test("Where the sharing form cannot be had its place gives the address, and tries again", async ({ visit }) => {
  const { page, context } = await visit();
  await page.route(/\/assets\/share-form-/, (route) => route.fulfill({ status: 404, body: "" }));
  // For a page opened by a link, the server has drawn nothing.
  await page.goto("/");
  await hydrated(page);
  await page.locator('main a[href^="/clips/"]').first().click();
  await expect(page).toHaveURL(/\/clips\/\d+/);
  const share = page.locator("details").filter({ hasText: "Share" });
  await share.locator("summary").click();
  await expect(share.getByRole("alert")).toContainText("could not be loaded");
  await expect(share.getByRole("link", { name: /\/clips\/\d+/ })).toHaveAttribute("href", /\/clips\/\d+$/);
  // Without a network the page is not replaced by the browser's error page.
  await context.setOffline(true);
  const again = share.getByRole("link", { name: "Try again" });
  await again.click();
  // A try that ends when the network is back leads to the page.
  await expect(again).toHaveAttribute("aria-busy", "false");
  await expect(share.getByRole("alert")).toContainText("could not be loaded");
  await context.setOffline(false);
  await page.unrouteAll();
  await again.click();
  await expect(page.getByLabel("Address")).toBeVisible();
});

test("A like without a network is taken back and says why, and counts when there is one again", async ({
  product,
  visit,
}) => {
  const { page, context } = await visit({ as: product.players.newcomer });
  await page.goto(`/clips/${product.clipId}`);
  await hydrated(page);
  const like = page.getByRole("button", { name: /likes?$/ });
  const isLiked = (await like.getAttribute("aria-pressed")) ?? "";
  await context.setOffline(true);
  await like.click();
  await expect(page.getByRole("status").filter({ hasText: outOfReachText })).toBeVisible();
  await expect(like).toHaveAttribute("aria-pressed", isLiked);
  await context.setOffline(false);
  await like.click();
  await expect(like).toHaveAttribute("aria-pressed", isLiked === "true" ? "false" : "true");
  await expect(page.getByText(outOfReachText)).toHaveCount(0);
});

test("A double click creates one clip, imports one match", async ({ product, visit }) => {
  const { matchId } = await addCompletedMatch(product, "newcomer");
  const { page, problems } = await visit({ as: product.players.newcomer });
  await page.goto(`/match/${matchId}`);
  await hydrated(page);
  await page.locator("label:has(input[name=highlight])").first().click();
  await page.getByRole("button", { name: /^Create Clip/ }).dblclick();
  await expect(page.getByRole("heading", { name: "Created Clips (1)" })).toBeVisible();
  await page.waitForLoadState("networkidle");
  expect(await clipsOf(product, matchId)).toHaveLength(1);

  await page.goto("/matches");
  await hydrated(page);
  const form = page.locator('form:has(input[name="demo_url"])');
  const address = `https://demos.example/${unique("double")}.dem`;
  await form.locator("input[type=url]").fill(address);
  await form.getByRole("button", { name: "Import" }).dblclick();
  await expect(form.getByText("Demo uploaded successfully!")).toBeVisible();
  await page.waitForLoadState("networkidle");
  const imported = await product.services.database
    .selectFrom("matches")
    .select("id")
    .where("demo_url", "=", address)
    .execute();
  expect(imported).toHaveLength(1);
  expect(problems).toEqual([]);
});

test("What is clicked before the scripts have come is not lost", { tag: "@long" }, async ({ product, visit }) => {
  const { matchId } = await addCompletedMatch(product, "refused");
  const as = product.players.refused;
  const open = async (path: string, signedIn = true) => {
    const visitor = await visit(signedIn ? { as } : {});
    const release = await holdRequests(visitor.page, "**/assets/*.js");
    await visitor.page.goto(path, { waitUntil: "commit" });
    // Completely read and styled: before that, a click's target could still move.
    const isDrawn = () => document.readyState !== "loading" && document.styleSheets.length > 0;
    await visitor.page.waitForFunction(isDrawn, undefined, { polling: 50 });
    return { ...visitor, release };
  };

  const create = await open(`/match/${matchId}`);
  await create.page.locator("input[name=highlight]").first().check({ force: true });
  await create.page.getByRole("button", { name: /^Create Clip/ }).click({ noWaitAfter: true });
  create.release();
  await expect(create.page.getByRole("heading", { name: "Created Clips (1)" })).toBeVisible();
  expect(await clipsOf(product, matchId)).toHaveLength(1);
  expect(create.problems).toEqual([]);
  await create.context.close();

  const choose = await open(`/match/${matchId}`);
  await choose.page.locator("input[name=highlight]").nth(1).check({ force: true });
  await choose.page.getByRole("checkbox", { name: /^Radar/ }).uncheck();
  choose.release();
  await hydrated(choose.page);
  await expect(choose.page.getByRole("button", { name: "Create Clip (1 active)" })).toBeVisible();
  await expect(choose.page.getByRole("checkbox", { name: /^Radar/ })).not.toBeChecked();
  expect(choose.problems).toEqual([]);
  await choose.context.close();

  const filter = await open(`/match/${matchId}`);
  await filter.page.getByRole("button", { name: /^Clutches/ }).click({ noWaitAfter: true });
  filter.release();
  await expect(filter.page.getByRole("button", { name: "Create Clip (4 active)" })).toBeVisible();
  expect(filter.problems).toEqual([]);
  await filter.context.close();

  const like = await open(`/clips/${product.clips.completed}`);
  await like.page.getByRole("button", { name: /likes?$/ }).click({ noWaitAfter: true });
  like.release();
  await expect(like.page.getByRole("button", { name: /likes?$/ })).toHaveAttribute("aria-pressed", "true");
  expect(like.problems).toEqual([]);
  await like.context.close();

  const upload = await open("/matches");
  await upload.page.locator("input[name=demo_url]").fill(`https://demos.example/${unique("early")}.dem`);
  await upload.page.getByRole("button", { name: "Import", exact: true }).click({ noWaitAfter: true });
  upload.release();
  await expect(upload.page.getByText("Demo uploaded successfully!")).toBeVisible();
  expect(upload.problems).toEqual([]);
  await upload.context.close();

  const remove = await open("/matches");
  await remove.page.getByRole("link", { name: "Delete the match on Dust II" }).click({ noWaitAfter: true });
  remove.release();
  await expect(remove.page.getByRole("heading", { name: "Delete Match" })).toBeVisible();
  expect(remove.problems).toEqual([]);
  await remove.context.close();

  const next = await open("/");
  await next.page.getByRole("link", { name: "Next clip in Newest Clips" }).click({ noWaitAfter: true });
  next.release();
  await expect(next.page.getByRole("region", { name: "Newest Clips" }).getByText("2 / 10")).toBeVisible();
  await next.context.close();

  const enter = await open("/", false);
  await enter.page.getByRole("button", { name: "Sign in through Steam" }).first().click({ noWaitAfter: true });
  enter.release();
  await expect(enter.page.getByRole("heading", { name: "Sign in on this machine" })).toBeVisible();
});
