import type { Browser, Request } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { holdRequests, hydrated, launchBrowser, newVisitor, phone } from "../../services/browser.ts";
import { type PopulatedProduct, startPopulatedProduct, steamIds } from "../../services/populated-product.ts";
import { addMatch, copyDemo, finishClip, userIdOf } from "../../services/seeded-rows.ts";

let browser: Browser;
let product: PopulatedProduct;

beforeAll(async () => {
  [product, browser] = await Promise.all([startPopulatedProduct(), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await product?.close();
});

const lost = "Connection lost, trying again";

async function newMatch(player: keyof typeof steamIds, id: string): Promise<string> {
  const { database } = product.services;
  const userId = await userIdOf(database, steamIds[player]);
  const demoSha256 = await copyDemo(database, product.demoSha256, "de_dust2", id);
  await addMatch(database, { id, userId, demoSha256, minutesAgo: 90 });
  return id;
}

const clipsOf = (matchId: string) =>
  product.services.database.selectFrom("clips").select("name").where("match_id", "=", matchId).execute();

test("Pages that poll outlive a restart of the server: they stay, say so, and go on", async () => {
  const as = product.players.busy;
  const visitors = await Promise.all(
    ["/matches", "/matches/busy", `/clips/${product.clips.processing}`, "/clips"].map(async (path) => {
      const visitor = await newVisitor(browser, product.url, { as });
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
    await page.getByText(lost).waitFor();
  }
  await matches!.getByText("Parsing demo").waitFor();
  await match!.getByRole("button", { name: "Create Clip (1 active)" }).waitFor();
  await clip!.getByText("Video is being processed...").waitFor();
  await clips!.getByRole("heading", { name: "My Clips" }).waitFor();

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
    await expect.poll(() => page.getByText(lost).count()).toBe(0);
  }
  await expect.poll(() => matches!.getByText("Analyzing highlights").count()).toBe(2);
  await clip!.locator("video").waitFor();
  await expect
    .poll(() => clips!.locator("article").filter({ hasText: "Rendering clip" }).locator("video").count())
    .toBe(1);
  expect(await match!.getByRole("button", { name: "Create Clip (1 active)" }).count()).toBe(1);
  await Promise.all(visitors.map(({ context }) => context.close()));
});

test("An hour offline costs nothing but a notice: it is asked ever more rarely, and the page goes on by itself", async () => {
  await product.services.database
    .updateTable("clips")
    .set({ status: "pending", queue_slot: 3, progress: 0, video_key: null, poster_key: null })
    .where("id", "=", product.clips.pending)
    .execute();
  const { page, context } = await newVisitor(browser, product.url, { as: product.players.busy, viewport: phone });
  await page.clock.install();
  await page.goto("/matches/busy");
  await hydrated(page);
  await page.evaluate(() => Object.assign(window, { isTheSamePage: true }));
  const open = new Set<Request>();
  const askedAt: number[] = [];
  let minutes = 0;
  page.on("request", (request) => {
    open.add(request);
    askedAt.push(minutes);
  });
  page.on("requestfailed", (request) => open.delete(request));
  page.on("requestfinished", (request) => open.delete(request));
  await page.waitForLoadState("networkidle");
  await context.setOffline(true);
  askedAt.length = 0;
  await page.clock.runFor(3000);
  await page.getByText(lost).waitFor();
  // In steps far shorter than the longest wait: a question fails in the step that asks it.
  for (; minutes < 60; minutes += 0.1) {
    await page.clock.runFor(6000);
    await expect.poll(() => open.size, { interval: 5 }).toBe(0);
  }
  const first = askedAt.filter((at) => at < 1.5).length;
  const later = askedAt.length - first;
  // 3, 6, 12, 24 s, then every 30 s: three seconds apart it would be 1,200 questions.
  expect(first).toBeLessThanOrEqual(8);
  expect(later).toBeGreaterThan(90);
  expect(later).toBeLessThanOrEqual(120);
  await page.getByText(lost).waitFor();
  await page.getByRole("heading", { name: /^Match Highlights/ }).waitFor();

  await finishClip(product.services.database, product.clipId, product.clips.pending);
  const card = page.locator("article").filter({ hasText: "Pending clip" });
  expect(await card.getByText("Pending", { exact: true }).count()).toBe(1);
  // At once, not when the next question is due: no timer runs any more.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1));
  await context.setOffline(false);
  await expect.poll(() => page.getByText(lost).count()).toBe(0);
  await card.locator("video").waitFor({ state: "attached" });
  expect(await page.evaluate(() => "isTheSamePage" in window)).toBe(true);
  await context.close();
});

test("A page asked for while the server is away says so, offers a way back, and comes when it can", async () => {
  const { page, context } = await newVisitor(browser, product.url, { as: product.players.busy });
  await page.goto("/clips");
  await hydrated(page);
  await page.getByRole("link", { name: "My Matches" }).click();
  await page.getByRole("heading", { name: "My Matches" }).waitFor();
  await context.setOffline(true);
  await page.getByRole("link", { name: "My Clips" }).click();
  await page.getByRole("heading", { name: "Something went wrong" }).waitFor();
  expect(await page.getByRole("link", { name: "Back to the start page" }).count()).toBe(1);
  await context.setOffline(false);
  await page.getByRole("heading", { name: "My Clips" }).waitFor();
  await context.close();
});

test("While nobody can say who is signed in, an open page keeps whom it knew, says so, and asks again", async () => {
  const { page, context, problems } = await newVisitor(browser, product.url, { as: product.players.newcomer });
  await page.clock.install();
  await page.goto("/clips");
  await hydrated(page);
  const banner = page.getByRole("banner");
  const home = () => page.getByRole("link", { name: "Clutchcast, home" }).click();

  // The API alone is away.
  let isAway = true;
  const restore = product.interceptApi("GET", /^\/api\/auth\/status\/$/, () =>
    isAway ? new Response("<h1>Bad gateway</h1>", { status: 502 }) : undefined,
  );
  await home();
  await page.getByRole("heading", { name: "Top Highlights" }).waitFor();
  await page.getByText(lost).waitFor();
  await banner.getByText("Player newcomer").waitFor();
  expect(await page.getByRole("button", { name: "Sign in through Steam" }).count()).toBe(0);
  isAway = false;
  await page.clock.runFor(3000);
  await expect.poll(() => page.getByText(lost).count()).toBe(0);
  await banner.getByText("Player newcomer").waitFor();
  restore();

  // The whole server is.
  await banner.getByRole("link", { name: "My Clips" }).click();
  await page.getByRole("heading", { name: "My Clips" }).waitFor();
  expect(problems).toEqual([]);
  await product.stop();
  await home();
  await page.getByRole("heading", { name: "Something went wrong" }).waitFor();
  await banner.getByText("Player newcomer").waitFor();
  expect(await page.getByRole("button", { name: "Sign in through Steam" }).count()).toBe(0);
  await page.clock.runFor(3000);
  await page.getByText(lost).waitFor();
  await product.start();
  await page.clock.runFor(60_000);
  await page.getByRole("heading", { name: "Top Highlights" }).waitFor();
  await banner.getByText("Player newcomer").waitFor();
  await context.close();
});

test("Clips that cannot be loaded further leave those that are shown", async () => {
  const { page, context } = await newVisitor(browser, product.url, { as: product.players.maker });
  await page.goto("/clips");
  await hydrated(page);
  const shown = await page.locator("main article").count();
  await context.setOffline(true);
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  const more = page.getByRole("link", { name: "More clips" });
  await more.waitFor();
  await page.waitForLoadState("networkidle");
  expect(await page.locator("main article").count()).toBe(shown);
  await context.setOffline(false);
  await more.click();
  await page.waitForURL("**/clips?offset=5");
  await expect.poll(() => page.locator("main article").count()).toBeGreaterThan(0);
  await context.close();
});

test("Creating, importing and choosing without a network leave the page and its choices in place", async () => {
  const matchId = await newMatch("newcomer", "offline");
  const { page, context } = await newVisitor(browser, product.url, { as: product.players.newcomer });
  await page.goto(`/match/${matchId}`);
  await hydrated(page);
  await page.locator("label:has(input[name=highlight])").first().click();
  await context.setOffline(true);
  await page.getByRole("button", { name: "Create Clip (1 active)" }).click();
  await page.getByText(/^Failed to create clip: /).waitFor();
  await context.setOffline(false);
  await page.getByRole("button", { name: "Create Clip (1 active)" }).click();
  await page.getByRole("heading", { name: "Created Clips (1)" }).waitFor();

  await page.goto("/matches");
  await hydrated(page);
  const form = page.locator('form:has(input[name="demo_url"])');
  await form.locator("input[type=url]").fill("https://demos.example/offline.dem");
  await context.setOffline(true);
  await form.getByRole("button", { name: "Import" }).click();
  await form.getByText("Failed to upload demo URL").waitFor();
  expect(await form.locator("input[type=url]").inputValue()).toBe("https://demos.example/offline.dem");
  await context.setOffline(false);
  await form.getByRole("button", { name: "Import" }).click();
  await form.getByText("Demo uploaded successfully!").waitFor();
  await context.close();
});

test("A double click creates one clip, imports one match", async () => {
  const matchId = await newMatch("newcomer", "double");
  const { page, context, problems } = await newVisitor(browser, product.url, { as: product.players.newcomer });
  await page.goto(`/match/${matchId}`);
  await hydrated(page);
  await page.locator("label:has(input[name=highlight])").first().click();
  await page.getByRole("button", { name: /^Create Clip/ }).dblclick();
  await page.getByRole("heading", { name: "Created Clips (1)" }).waitFor();
  await page.waitForLoadState("networkidle");
  expect(await clipsOf(matchId)).toHaveLength(1);

  await page.goto("/matches");
  await hydrated(page);
  const form = page.locator('form:has(input[name="demo_url"])');
  await form.locator("input[type=url]").fill("https://demos.example/double.dem");
  await form.getByRole("button", { name: "Import" }).dblclick();
  await form.getByText("Demo uploaded successfully!").waitFor();
  await page.waitForLoadState("networkidle");
  const imported = await product.services.database
    .selectFrom("matches")
    .select("id")
    .where("demo_url", "=", "https://demos.example/double.dem")
    .execute();
  expect(imported).toHaveLength(1);
  expect(problems).toEqual([]);
  await context.close();
});

test("What is clicked before the scripts have come is not lost", async () => {
  const matchId = await newMatch("refused", "early");
  const as = product.players.refused;
  const open = async (path: string, signedIn = true) => {
    const visitor = await newVisitor(browser, product.url, signedIn ? { as } : {});
    const release = await holdRequests(visitor.page, "**/assets/*.js");
    await visitor.page.goto(path, { waitUntil: "commit" });
    return { ...visitor, release };
  };

  const create = await open(`/match/${matchId}`);
  await create.page.locator("input[name=highlight]").first().check({ force: true });
  await create.page.getByRole("button", { name: /^Create Clip/ }).click({ noWaitAfter: true });
  create.release();
  await create.page.getByRole("heading", { name: "Created Clips (1)" }).waitFor();
  expect(await clipsOf(matchId)).toHaveLength(1);
  expect(create.problems).toEqual([]);
  await create.context.close();

  const choose = await open(`/match/${matchId}`);
  await choose.page.locator("input[name=highlight]").nth(1).check({ force: true });
  await choose.page.getByRole("checkbox", { name: /^Radar/ }).uncheck();
  choose.release();
  await hydrated(choose.page);
  await choose.page.getByRole("button", { name: "Create Clip (1 active)" }).waitFor();
  expect(await choose.page.getByRole("checkbox", { name: /^Radar/ }).isChecked()).toBe(false);
  expect(choose.problems).toEqual([]);
  await choose.context.close();

  const filter = await open(`/match/${matchId}`);
  await filter.page.getByRole("button", { name: /^Clutches/ }).click({ noWaitAfter: true });
  filter.release();
  await filter.page.getByRole("button", { name: "Create Clip (4 active)" }).waitFor();
  expect(filter.problems).toEqual([]);
  await filter.context.close();

  const like = await open(`/clips/${product.clips.completed}`);
  await like.page.getByRole("button", { name: /likes?$/ }).click({ noWaitAfter: true });
  like.release();
  await expect.poll(() => like.page.getByRole("button", { name: /likes?$/ }).getAttribute("aria-pressed")).toBe("true");
  expect(like.problems).toEqual([]);
  await like.context.close();

  const upload = await open("/matches");
  await upload.page.locator("input[name=demo_url]").fill("https://demos.example/early.dem");
  await upload.page.getByRole("button", { name: "Import", exact: true }).click({ noWaitAfter: true });
  upload.release();
  await upload.page.getByText("Demo uploaded successfully!").waitFor();
  expect(upload.problems).toEqual([]);
  await upload.context.close();

  const remove = await open("/matches");
  await remove.page.getByRole("link", { name: "Delete the match on Dust II" }).click({ noWaitAfter: true });
  remove.release();
  await remove.page.getByRole("heading", { name: "Delete Match" }).waitFor();
  expect(remove.problems).toEqual([]);
  await remove.context.close();

  const next = await open("/");
  await next.page.getByRole("link", { name: "Next clip in Newest Clips" }).click({ noWaitAfter: true });
  next.release();
  await next.page.getByRole("region", { name: "Newest Clips" }).getByText("2 / 10").waitFor();
  await next.context.close();

  const enter = await open("/", false);
  await enter.page.getByRole("button", { name: "Sign in through Steam" }).first().click({ noWaitAfter: true });
  enter.release();
  await enter.page.getByRole("heading", { name: "Sign in on this machine" }).waitFor();
  await enter.context.close();
});
