import type { Browser } from "playwright";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import {
  axeViolations,
  colorName,
  holdRequests,
  hydrated,
  keepScreenshot,
  laptop,
  launchBrowser,
  newVisitor,
  phone,
  requestsOf,
} from "../../services/browser.ts";
import { type PopulatedProduct, startPopulatedProduct, steamIds } from "../../services/populated-product.ts";
import { addClip } from "../../services/seeded-rows.ts";

let browser: Browser;
let product: PopulatedProduct;

beforeAll(async () => {
  [product, browser] = await Promise.all([startPopulatedProduct(), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await product?.close();
});
afterEach(() => product.endInterceptions());

const likesOf = async (clipId: number) => {
  const { database } = product.services;
  return database.selectFrom("clips").select("likes_count").where("id", "=", clipId).executeTakeFirst();
};
const viewsOf = async (clipId: number) => {
  const { database } = product.services;
  const row = await database.selectFrom("clips").select("views_count").where("id", "=", clipId).executeTakeFirst();
  return row?.views_count;
};

test("A carousel wraps around at both ends, and its counter and dots follow", async () => {
  const { page, context, problems } = await newVisitor(browser, product.url);
  await page.goto("/");
  await hydrated(page);
  const carousel = page.getByRole("region", { name: "Newest Clips" });
  const counter = carousel.getByText(/^\d+ \/ \d+$/);
  const dots = carousel.locator("span[aria-hidden=true] > span.rounded-full");
  expect(await dots.count()).toBe(10);
  const shownDot = () => dots.evaluateAll((all) => all.findIndex((dot) => dot.className.includes("bg-flare")));
  const clip = () => carousel.locator('a[href^="/clips/"]').getAttribute("href");
  const first = await clip();
  expect(await counter.textContent()).toBe("1 / 10");
  await carousel.getByRole("link", { name: "Previous clip in Newest Clips" }).click();
  await expect.poll(() => counter.textContent()).toBe("10 / 10");
  expect(await shownDot()).toBe(9);
  expect(await clip()).not.toBe(first);
  await carousel.getByRole("link", { name: "Next clip in Newest Clips" }).click();
  await expect.poll(() => counter.textContent()).toBe("1 / 10");
  expect(await shownDot()).toBe(0);
  expect(await clip()).toBe(first);
  expect(new URL(page.url()).search).toBe("");
  expect(problems).toEqual([]);
  await context.close();

  const plain = await newVisitor(browser, product.url, { javaScript: false });
  await plain.page.goto("/");
  const plainCarousel = plain.page.getByRole("region", { name: "Most Viewed" });
  await plainCarousel.getByRole("link", { name: "Previous clip in Most Viewed" }).click();
  expect(await plainCarousel.getByText(/^\d+ \/ \d+$/).textContent()).toBe("10 / 10");
  await plainCarousel.getByRole("link", { name: "Next clip in Most Viewed" }).click();
  expect(await plainCarousel.getByText(/^\d+ \/ \d+$/).textContent()).toBe("1 / 10");
  await plain.context.close();
});

test("The nine carousels stand in their order and hold their lists; a single clip has neither arrows nor dots", async () => {
  const lists = await product.players.newcomer.call<Record<string, { id: number }[]>>("GET", "/api/top-highlights/");
  const restore = product.interceptApi("GET", /^\/api\/top-highlights\/$/, () =>
    Response.json({ ...lists, most_liked: lists.most_liked?.slice(0, 1) }),
  );
  const { page, context, problems } = await newVisitor(browser, product.url, { as: product.players.newcomer });
  await page.goto("/");
  await hydrated(page);
  const shown = await page.locator("main section[id]").evaluateAll((sections) =>
    sections.map((section) => ({
      list: section.id,
      title: section.querySelector("h3")?.textContent,
      clip: section.querySelector('a[href^="/clips/"]')?.getAttribute("href"),
    })),
  );
  const titles = {
    newest: "Newest Clips",
    most_viewed: "Most Viewed",
    most_liked: "Most Liked",
    best_clutches: "Best Clutches",
    best_multikills: "Best Multikills",
    best_zeus_knife: "Best Melee Kills",
    best_noscopes: "Best Special Kills",
    best_one_taps: "Best One Taps",
    best_ninja_defuses: "Best Ninja Defuses",
  };
  expect(shown).toEqual(
    Object.entries(titles).map(([list, title]) => ({ list, title, clip: `/clips/${lists[list]?.[0]?.id}` })),
  );
  const single = page.getByRole("region", { name: "Most Liked" });
  await single.getByText("1 / 1").waitFor();
  expect(await single.locator("span[aria-hidden=true] > span.rounded-full").count()).toBe(0);
  expect(await single.getByRole("link", { name: /Previous|Next/ }).count()).toBe(0);
  expect(await page.locator('main section[id] a[href^="/clips/"]').count()).toBe(9);
  restore();
  expect(problems).toEqual([]);
  await context.close();
});

test("A carousel shows name, maker, likes and views of its clip", async () => {
  type Listed = { display_name: string; likes_count: number; views_count: number; user: { username: string } };
  const lists = await product.players.newcomer.call<Record<string, Listed[]>>("GET", "/api/top-highlights/");
  const { page, context } = await newVisitor(browser, product.url, { javaScript: false });
  await page.goto("/");
  for (const [title, clip] of [
    ["Most Viewed", lists.most_viewed?.[0]],
    ["Most Liked", lists.most_liked?.[0]],
  ] as const) {
    const carousel = page.getByRole("region", { name: title });
    expect(clip!.views_count).toBeGreaterThan(1);
    for (const text of [clip!.display_name, clip!.user.username, `${clip!.likes_count} likes`]) {
      expect(await carousel.textContent()).toContain(text);
    }
    expect(await carousel.textContent()).toContain(`${clip!.views_count} views`);
    expect(await carousel.locator('a[href^="/users/"] span[style*=background-image]').count()).toBe(1);
  }
  await context.close();
});

test("A player without a name is 'This user'", async () => {
  const { database } = product.services;
  const setName = (steam_name: string) =>
    database.updateTable("users").set({ steam_name }).where("steam_id", "=", steamIds.newcomer).execute();
  await setName("");
  const { page, context } = await newVisitor(browser, product.url, { javaScript: false });
  await page.goto(`/users/${steamIds.newcomer}/clips`);
  await page.getByText("This user hasn't created any clips yet.").waitFor();
  await setName("Player newcomer");
  await context.close();
});

test("Videos are mounted near the viewport only, the first at once, and none is loaded before it is played", async () => {
  const { page, context, problems } = await newVisitor(browser, product.url);
  const files = requestsOf(page, "/video/clips/");
  const html = await (await page.request.get("/")).text();
  expect(html.match(/<video/g)).toHaveLength(1);
  await page.goto("/");
  await hydrated(page);
  const below = page.getByRole("region", { name: "Best Ninja Defuses" });
  await expect.poll(() => page.locator("video").count()).toBeGreaterThan(0);
  const far = await page
    .locator("main section[id]")
    .evaluateAll((sections) =>
      sections
        .filter((section) => section.getBoundingClientRect().top > innerHeight + 100)
        .map((section) => section.querySelectorAll("video").length),
    );
  expect(far.length).toBeGreaterThan(0);
  expect(far.reduce((sum, videos) => sum + videos, 0)).toBe(0);
  // 110 px below the viewport it is a poster, at 90 px a player.
  const placeBelow = (distance: number) =>
    below.evaluate((section, wanted) => {
      scrollBy(0, section.getBoundingClientRect().top - innerHeight - wanted);
      const settled = new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      return settled.then(() => Math.round(section.getBoundingClientRect().top - innerHeight));
    }, distance);
  await placeBelow(600);
  expect(await placeBelow(110)).toBe(110);
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
  expect(await below.locator("video").count()).toBe(0);
  expect(await placeBelow(90)).toBe(90);
  await expect.poll(() => below.locator("video").count()).toBe(1);
  const video = below.locator("video");
  expect(await video.getAttribute("preload")).toBe("none");
  expect(await video.getAttribute("poster")).toMatch(/^\/video\/clips\/\d+\/thumbnail\.jpg/);
  expect(await video.locator('source[type="video/mp4"]').count()).toBe(1);
  expect(await video.evaluate((element) => element.parentElement?.getBoundingClientRect().height)).toBe(250);
  expect(files.filter((path) => !path.endsWith("thumbnail.jpg"))).toEqual([]);
  expect(problems).toEqual([]);
  await context.close();
});

test("A view is counted on the first play and not on the second", async () => {
  const { page, context, problems } = await newVisitor(browser, product.url);
  const views = requestsOf(page, "/view");
  await page.goto("/");
  await hydrated(page);
  const carousel = page.getByRole("region", { name: "Newest Clips" });
  const id = Number((await carousel.locator('a[href^="/clips/"]').getAttribute("href"))?.split("/").pop());
  const before = await viewsOf(id);
  for (let play = 0; play < 2; play++) {
    await carousel.getByRole("button", { name: /^Play / }).click();
    await carousel.getByRole("button", { name: /^Pause / }).click();
    await carousel.getByRole("button", { name: /^Play / }).waitFor();
  }
  await expect.poll(() => viewsOf(id)).toBe((before ?? 0) + 1);
  expect(views).toEqual([`POST /clips/${id}/view`]);

  await carousel.locator('a[href^="/clips/"]').click();
  await page.getByRole("button", { name: "Share" }).waitFor();
  await page.locator("article video").evaluate(async (video: HTMLVideoElement) => {
    video.muted = true;
    await video.play();
  });
  await expect.poll(() => views.length).toBe(2);
  // The same viewer within six hours.
  expect(await viewsOf(id)).toBe((before ?? 0) + 1);
  expect(problems).toEqual([]);
  await context.close();
});

test("The video area leads to the clip, the name to its maker, and a new page begins at the top", async () => {
  const { page, context, problems } = await newVisitor(browser, product.url);
  const documents: string[] = [];
  page.on("request", (request) => {
    if (request.isNavigationRequest()) documents.push(request.url());
  });
  await page.goto("/");
  await hydrated(page);
  const carousel = page.getByRole("region", { name: "Best Ninja Defuses" });
  await carousel.scrollIntoViewIfNeeded();
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(0);
  await carousel.getByRole("link", { name: "sable." }).click();
  await page.waitForURL(`**/users/${steamIds.maker}/clips`);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  await page.getByRole("heading", { name: "sable.'s Clips" }).waitFor();
  await page.getByRole("link", { name: "Back", exact: true }).click();
  await page.waitForURL((url) => url.pathname === "/");
  expect(documents).toHaveLength(1);
  expect(problems).toEqual([]);
  await context.close();
});

test("A like shows at once, goes out once however often it is clicked, and stays", async () => {
  const as = product.players.newcomer;
  const { page, context, problems } = await newVisitor(browser, product.url, { as });
  const clip = product.clipId;
  const before = (await likesOf(clip))?.likes_count ?? 0;
  const likes = requestsOf(page, "/like");
  const answer = await holdRequests(page, "**/like*");
  await page.goto(`/clips/${clip}`);
  await hydrated(page);
  const button = page.getByRole("button", { name: /likes?$/ });
  expect(await button.getAttribute("aria-pressed")).toBe("false");
  await button.click();
  await expect.poll(() => button.getAttribute("aria-pressed")).toBe("true");
  expect(await button.textContent()).toContain(String(before + 1));
  await button.click({ force: true });
  await button.click({ force: true });
  answer();
  await expect.poll(() => likesOf(clip)).toEqual({ likes_count: before + 1 });
  await expect.poll(() => button.getAttribute("aria-disabled")).toBe(null);
  expect(likes).toEqual([`POST /clips/${clip}/like`]);
  expect(await button.getAttribute("aria-pressed")).toBe("true");
  await page.reload();
  await hydrated(page);
  expect(await button.getAttribute("aria-pressed")).toBe("true");
  await button.click();
  await expect.poll(() => likesOf(clip)).toEqual({ likes_count: before });
  expect(problems).toEqual([]);
  await context.close();

  const plain = await newVisitor(browser, product.url, { as, javaScript: false });
  await plain.page.goto(`/clips/${clip}`);
  await plain.page.getByRole("button", { name: /likes?$/ }).click();
  await plain.page.waitForURL(`**/clips/${clip}`);
  expect(await plain.page.getByRole("button", { name: /likes?$/ }).getAttribute("aria-pressed")).toBe("true");
  await plain.context.close();
});

test("Signed out, the like does nothing", async () => {
  const { page, context, problems } = await newVisitor(browser, product.url);
  const likes = requestsOf(page, "/like");
  await page.goto(`/clips/${product.clipId}`);
  await hydrated(page);
  expect(await page.getByRole("button", { name: /likes?$/ }).count()).toBe(0);
  const count = page.getByTitle("Sign in to like clips");
  const shown = await count.textContent();
  await count.click();
  expect(await count.textContent()).toBe(shown);
  expect(likes).toEqual([]);
  expect(problems).toEqual([]);
  await context.close();
});

test("A like that fails is taken back; a server out of reach is said beside it", async () => {
  const { page, context } = await newVisitor(browser, product.url, { as: product.players.newcomer });
  const clip = product.clips.completed;
  await page.goto(`/clips/${clip}`);
  await hydrated(page);
  const button = page.getByRole("button", { name: /likes?$/ });
  await context.setOffline(true);
  await button.click();
  await expect.poll(() => button.getAttribute("aria-pressed")).toBe("false");
  const problem = page.getByRole("status").filter({ hasText: "The server is out of reach." });
  await problem.waitFor();
  expect(await button.textContent()).toBe("0likes");
  await page.getByRole("heading", { name: "Finished clip" }).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await keepScreenshot(page, "clip-like-out-of-reach-1280");
  await context.setOffline(false);
  await button.click();
  await expect.poll(() => problem.count()).toBe(0);
  await expect.poll(() => likesOf(clip)).toEqual({ likes_count: 1 });
  await button.click();
  await expect.poll(() => likesOf(clip)).toEqual({ likes_count: 0 });
  await context.close();
});

test("Each render status has its label, colour and placeholder, and an unknown one says so", async () => {
  const { page, context, problems } = await newVisitor(browser, product.url, { as: product.players.busy });
  await page.goto("/clips");
  await hydrated(page);
  const inList = async (name: string, label: RegExp) => {
    const status = page.locator("article").filter({ hasText: name }).getByRole("status").getByText(label);
    return [await colorName(status), await status.locator(".spinner").count()];
  };
  expect(await inList("Pending clip", /^Pending$/)).toEqual(["grey", 0]);
  expect(await inList("Waiting clip", /^Queued \(Position \d+\)$/)).toEqual(["orange", 0]);
  expect(await inList("Rendering clip", /^Processing$/)).toEqual(["blue", 1]);
  expect(await inList("Broken clip", /^Failed$/)).toEqual(["red", 0]);
  await page.goto(`/clips/${product.clips.completed}`);
  expect(await colorName(page.getByText("Completed", { exact: true }))).toBe("green");
  await page.goto(`/clips/${product.clips.queued}`);
  await hydrated(page);
  await page.getByText("Queued", { exact: true }).waitFor();

  const clip = await product.players.busy.call("GET", `/api/matches/clips/${product.clips.queued}/status/`);
  const restore = product.interceptApi("GET", /^\/api\/matches\/clips\/\d+\/status\/$/, () =>
    Response.json({ ...clip, render_status: "bewildered" }),
  );
  await expect.poll(() => page.locator("article").getByText("Unknown", { exact: true }).count()).toBe(2);
  restore();
  expect(problems).toEqual([]);
  await context.close();
});

test("A clip is made to be shared: previews, oEmbed, frame, download, link", async () => {
  const { page, context, problems } = await newVisitor(browser, product.url);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const address = `${product.url}/clips/${product.clipId}`;
  await page.goto(address);
  await hydrated(page);
  const meta = async (name: string) =>
    page.locator(`meta[property="${name}"], meta[name="${name}"]`).first().getAttribute("content");
  expect(await meta("og:url")).toBe(address);
  expect(await meta("og:type")).toBe("video.other");
  expect(await meta("twitter:card")).toBe("player");
  expect(await meta("twitter:player")).toBe(`${address}/embed`);
  expect(await meta("og:title")).toBe(await page.title());
  expect(await meta("description")).toContain("Clip by sable.");
  for (const [name, type] of [
    ["og:video", "video/mp4"],
    ["og:image", "image/jpeg"],
  ] as const) {
    const file = await page.request.get((await meta(name)) ?? "");
    expect(file.status()).toBe(200);
    expect(file.headers()["content-type"]).toBe(type);
  }
  const facts = JSON.parse((await page.locator('script[type="application/ld+json"]').textContent()) ?? "");
  expect(facts).toMatchObject({ "@type": "VideoObject", embedUrl: `${address}/embed` });
  const oembed = await page.locator('link[type="application/json+oembed"]').getAttribute("href");
  const offer = await (await page.request.get(oembed ?? "")).json();
  expect(offer).toMatchObject({ type: "video", version: "1.0", author_name: "sable.", width: 1280, height: 720 });
  expect(offer.html).toContain(`src="${address}/embed"`);

  const download = page.getByRole("link", { name: "Download" });
  expect(await download.getAttribute("download")).toBe(`clutchcast-${product.clipId}.mp4`);
  // Desktop Chromium on Linux has no share sheet: the address goes to the clipboard.
  await page.evaluate(() => Reflect.deleteProperty(Navigator.prototype, "share"));
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByText("Link copied").waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address);
  expect(problems).toEqual([]);

  const embed = await page.goto(`${address}/embed`);
  expect(embed?.headers()["content-security-policy"]).not.toContain("frame-ancestors 'none'");
  await page.locator("video").waitFor();
  expect(await page.getByRole("banner").count()).toBe(0);
  await context.close();
});

test("My Clips load further matches near the end of the page and say when it is reached", async () => {
  const { page, context, problems } = await newVisitor(browser, product.url, { as: product.players.maker });
  const pages = requestsOf(page, "offset=");
  const asked: string[] = [];
  const restore = product.interceptApi("GET", /^\/api\/matches\/clips\/$/, ({ url }) => {
    asked.push(new URL(url).search);
    return undefined;
  });
  const answer = await holdRequests(page, /\/clips(\.data)?\?.*offset=5/);
  await page.goto("/clips");
  await hydrated(page);
  const groups = page.getByRole("region", { name: /^Clips of / });
  expect(await groups.count()).toBe(5);
  const columns = await groups
    .first()
    .locator("ul")
    .evaluate((list) => getComputedStyle(list).gridTemplateColumns.split(" ").length);
  expect(columns).toBe(2);
  const distance = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
  expect(distance).toBeGreaterThan(1000);
  expect(pages).toEqual([]);
  const scrollToRest = (rest: number) =>
    page.evaluate((pixels) => {
      scrollTo(0, document.documentElement.scrollHeight - innerHeight - pixels);
      return new Promise((resolve) => setTimeout(resolve, 300));
    }, rest);
  await scrollToRest(1040);
  expect(pages).toEqual([]);
  await scrollToRest(960);
  await page.getByText("Loading more clips...").waitFor();
  expect(await groups.count()).toBe(5);
  answer();
  await expect.poll(() => groups.count()).toBe(10);
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await expect.poll(() => groups.count()).toBe(12);
  await page.getByText("You've reached the end of your clips").waitFor();
  expect(pages).toHaveLength(2);
  expect(asked).toEqual(["?limit=5&offset=0", "?limit=5&offset=5", "?limit=5&offset=10"]);
  restore();
  expect(await page.locator("article").count()).toBe(25);
  await page.setViewportSize(phone);
  const narrow = await groups
    .first()
    .locator("ul")
    .evaluate((list) => getComputedStyle(list).gridTemplateColumns);
  expect(narrow.split(" ")).toHaveLength(1);
  await page.setViewportSize(laptop);
  const sums = await product.services.database
    .selectFrom("clips")
    .select(({ fn }) => [
      fn.countAll().as("clips"),
      fn.sum("views_count").as("views"),
      fn.sum("likes_count").as("likes"),
    ])
    .where("user_id", "=", product.maker.userId)
    .executeTakeFirstOrThrow();
  const number = (value: unknown) => Number(value).toLocaleString("en-US");
  expect(await page.locator("main dl > div").allTextContents()).toEqual([
    `Total Clips${number(sums.clips)}`,
    `Total Views${number(sums.views)}`,
    `Total Likes${number(sums.likes)}`,
  ]);
  expect(problems).toEqual([]);
  await context.close();

  const plain = await newVisitor(browser, product.url, { javaScript: false, viewport: phone });
  await plain.page.goto(`/users/${steamIds.maker}/clips`);
  const seen: number[] = [];
  for (;;) {
    seen.push(await plain.page.getByRole("region", { name: /^Clips of / }).count());
    const link = plain.page.getByRole("link", { name: "More clips" });
    if ((await link.count()) === 0) break;
    const address = (await link.getAttribute("href")) ?? "";
    await link.click();
    await plain.page.waitForURL(`**${address}`);
  }
  expect(seen).toEqual([5, 5, 2]);
  await plain.page.getByText("You've reached the end of the clips").waitFor();
  expect(await plain.page.getByRole("link", { name: /^Delete / }).count()).toBe(0);
  await plain.context.close();
});

test("Deleting a clip asks first, keeps the focus, says when it failed and drops an empty match", async () => {
  const { database } = product.services;
  const userId = product.maker.userId;
  const clipId = await addClip(database, product.clipId, { userId, matchId: product.matchId, name: "To be deleted" });
  await database.updateTable("clips").set({ match_id: product.matchId }).where("id", "=", clipId).execute();
  const others = await database
    .selectFrom("clips")
    .select("id")
    .where("match_id", "=", product.matchId)
    .where("id", "<>", clipId)
    .execute();
  const otherMatch = await database
    .selectFrom("matches")
    .select("id")
    .where("user_id", "=", userId)
    .where("id", "<>", product.matchId)
    .executeTakeFirstOrThrow();
  const away = others.map(({ id }) => id);
  await database.updateTable("clips").set({ match_id: otherMatch.id }).where("id", "in", away).execute();

  const { page, context, problems } = await newVisitor(browser, product.url, { as: product.players.maker });
  await page.goto("/clips");
  await hydrated(page);
  const opener = page.getByRole("link", { name: "Delete To be deleted" });
  const dialog = page.getByRole("dialog", { name: "Delete Clip" });
  const group = page.locator("section").filter({ has: page.locator(`a[href="/matches/${product.matchId}"]`) });
  expect(await group.count()).toBe(1);
  await opener.click();
  await dialog.waitFor();
  expect(await dialog.textContent()).toContain(
    'Are you sure you want to delete "To be deleted"? This will permanently remove the clip from your account. This action cannot be undone.',
  );
  expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  for (let step = 0; step < 5; step++) {
    await page.keyboard.press("Tab");
    // The browser's own controls take part in the round and count as the body.
    const isInside = await dialog.evaluate(
      (element) => element.contains(document.activeElement) || document.activeElement === document.body,
    );
    expect(isInside, `after ${step + 1} tabs`).toBe(true);
  }
  await keepScreenshot(page, "dialog-delete-clip-1280");
  for (const viewport of [laptop, phone]) {
    await page.setViewportSize(viewport);
    expect(await axeViolations(page)).toEqual([]);
  }
  await keepScreenshot(page, "dialog-delete-clip-390");
  await page.setViewportSize(laptop);
  await page.keyboard.press("Escape");
  await expect.poll(() => page.locator("dialog").count()).toBe(0);
  expect(await opener.evaluate((element) => element === document.activeElement)).toBe(true);
  await opener.click();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect.poll(() => page.locator("dialog").count()).toBe(0);
  // Pressed again in the very moment in which it closes, the button opens it again.
  await opener.click();
  await opener.evaluate((element: HTMLElement) => {
    document.querySelector<HTMLButtonElement>("dialog button[type=button]")?.click();
    element.click();
  });
  await page.waitForTimeout(300);
  expect(await dialog.isVisible()).toBe(true);
  await page.keyboard.press("Escape");
  await expect.poll(() => page.locator("dialog").count()).toBe(0);

  await opener.click();
  await context.setOffline(true);
  await dialog.getByRole("button", { name: "Delete" }).click();
  await dialog.getByText("Failed to delete clip").waitFor();
  await context.setOffline(false);

  const answer = await holdRequests(page, "**/delete*");
  await dialog.getByRole("button", { name: "Delete" }).click();
  const busy = dialog.getByRole("button", { name: "Deleting..." });
  await busy.waitFor();
  expect(await busy.isDisabled()).toBe(true);
  expect(await dialog.getByRole("button", { name: "Cancel" }).isDisabled()).toBe(true);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  expect(await busy.isVisible()).toBe(true);
  answer();
  await expect.poll(() => page.locator("dialog").count()).toBe(0);
  await expect.poll(() => opener.count()).toBe(0);
  await expect.poll(() => group.count()).toBe(0);
  expect(problems.filter((problem) => !problem.includes("ERR_INTERNET_DISCONNECTED"))).toEqual([]);
  await context.close();
});

test("Without JavaScript a clip is deleted on a page that asks", async () => {
  const { database } = product.services;
  const as = product.players.maker;
  const clipId = await addClip(database, product.clipId, {
    userId: product.maker.userId,
    matchId: product.matchId,
    name: "Deleted plainly",
  });
  const { page, context } = await newVisitor(browser, product.url, { as, javaScript: false });
  await page.goto("/clips");
  await page.getByRole("link", { name: "Delete Deleted plainly" }).click();
  await page.getByRole("heading", { name: "Delete Clip" }).waitFor();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.waitForURL("**/clips");
  expect(await page.getByText("Deleted plainly").count()).toBe(0);
  expect((await page.goto(`/clips/${clipId}`))?.status()).toBe(404);
  await context.close();

  const other = await newVisitor(browser, product.url, { as: product.players.newcomer, javaScript: false });
  await other.page.goto(`/clips/${product.clips.completed}/delete`);
  expect(new URL(other.page.url()).pathname).toBe(`/clips/${product.clips.completed}`);
  await other.context.close();
});

test("login=success leaves the address without a reload", async () => {
  const { page, context, problems } = await newVisitor(browser, product.url, { as: product.players.newcomer });
  let loads = 0;
  page.on("request", (request) => {
    if (request.isNavigationRequest()) loads++;
  });
  await page.goto("/?login=success");
  await expect.poll(() => page.url()).toBe(`${product.url}/`);
  expect(loads).toBe(1);
  expect(problems).toEqual([]);
  await context.close();
});

test("Authentication is checked again on a click or key, at most every five seconds", async () => {
  const as = product.players.newcomer;
  const { page, context, problems } = await newVisitor(browser, product.url, { as });
  const checks = requestsOf(page, "/session");
  await page.clock.install();
  await page.goto("/clips");
  await hydrated(page);
  const heading = page.getByRole("heading", { name: "My Clips" });
  await heading.click();
  expect(checks).toEqual([]);
  await page.clock.fastForward(5000);
  await heading.click();
  await page.keyboard.press("Shift");
  await expect.poll(() => checks.length).toBe(1);
  await page.clock.fastForward(4000);
  await page.keyboard.press("Shift");
  expect(checks).toHaveLength(1);
  await context.clearCookies({ name: /session/ });
  await page.clock.fastForward(1000);
  await page.keyboard.press("Shift");
  await page.getByRole("button", { name: "Sign in through Steam" }).first().waitFor();
  expect(problems).toEqual([]);
  await context.close();
});

/** https://wicg.github.io/layout-instability/, which TypeScript's DOM types leave out. */
interface LayoutShift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
  sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
}

test("Nothing jumps while pages load and are scrolled", async () => {
  for (const viewport of [laptop, phone]) {
    const { page, context } = await newVisitor(browser, product.url, { as: product.players.maker, viewport });
    await page.addInitScript(() => {
      const shifts: { value: number; moved: string[] }[] = [];
      Object.assign(window, { layoutShifts: shifts });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as LayoutShift[]) {
          if (entry.hadRecentInput) continue;
          const moved = entry.sources.map(({ node, previousRect: from, currentRect: to }) => {
            const place = (rect: DOMRect) => [rect.x, rect.y, rect.width, rect.height].map(Math.round).join(" ");
            return `${(node as Element)?.className ?? node?.nodeName}: ${place(from)} to ${place(to)}`;
          });
          shifts.push({ value: entry.value, moved });
        }
      }).observe({ type: "layout-shift", buffered: true });
    });
    for (const path of ["/", `/clips/${product.clipId}`, "/matches", `/match/${product.matchId}`]) {
      await page.goto(path);
      await hydrated(page);
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      for (let y = 0; y < height; y += viewport.height) {
        await page.evaluate((to) => {
          scrollTo(0, to);
          return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        }, y);
      }
      const shifts = await page.evaluate(
        () => (window as unknown as { layoutShifts: { value: number; moved: string[] }[] }).layoutShifts,
      );
      const sum = shifts.reduce((total, { value }) => total + value, 0);
      expect(sum, `${path} at ${viewport.width}: ${JSON.stringify(shifts)}`).toBeLessThan(0.02);
    }
    await context.close();
  }
});
