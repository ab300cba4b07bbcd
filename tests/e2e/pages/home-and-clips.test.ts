import { chromium, type Locator, type Page } from "playwright/test";
import type { ClipDetail } from "../../../contract/schemas/clips.ts";
import {
  axeViolations,
  colorName,
  holdRequests,
  hydrated,
  keepScreenshot,
  laptop,
  launchOptions,
  newVisitor,
  phone,
  requestsOf,
  tablet,
} from "../../services/browser.ts";
import { environmentWithFonts } from "../../services/machine-fonts.ts";
import { type PopulatedProduct, steamIds } from "../../services/populated-product.ts";
import { addClip } from "../../services/seeded-rows.ts";
import { expect, test } from "../fixtures.ts";

const likesOf = async ({ services: { database } }: PopulatedProduct, clipId: number) => {
  return database.selectFrom("clips").select("likes_count").where("id", "=", clipId).executeTakeFirst();
};
const viewsOf = async ({ services: { database } }: PopulatedProduct, clipId: number) => {
  const row = await database.selectFrom("clips").select("views_count").where("id", "=", clipId).executeTakeFirst();
  return row?.views_count;
};

test("A carousel wraps around at both ends, and its counter and dots follow", async ({ visit }) => {
  const { page, context, problems } = await visit();
  await page.goto("/");
  await hydrated(page);
  const carousel = page.getByRole("region", { name: "Newest Clips" });
  const counter = carousel.getByText(/^\d+ \/ \d+$/);
  const dots = carousel.locator("span[aria-hidden=true] > span.rounded-full");
  await expect(dots).toHaveCount(10);
  const shownDot = () => dots.evaluateAll((all) => all.findIndex((dot) => dot.className.includes("bg-flare")));
  const clip = () => carousel.locator('a[href^="/clips/"]').getAttribute("href");
  const first = await clip();
  await expect(counter).toHaveText("1 / 10");
  await carousel.getByRole("link", { name: "Previous clip in Newest Clips" }).click();
  await expect(counter).toHaveText("10 / 10");
  await expect.poll(shownDot).toBe(9);
  await expect.poll(clip).not.toBe(first);
  await carousel.getByRole("link", { name: "Next clip in Newest Clips" }).click();
  await expect(counter).toHaveText("1 / 10");
  await expect.poll(shownDot).toBe(0);
  await expect.poll(clip).toBe(first);
  await expect(page).toHaveURL(({ search }) => search === "");
  expect(problems).toEqual([]);
  await context.close();

  const plain = await visit({ javaScript: false });
  await plain.page.goto("/");
  const plainCarousel = plain.page.getByRole("region", { name: "Most Viewed" });
  await plainCarousel.getByRole("link", { name: "Previous clip in Most Viewed" }).click();
  await expect(plainCarousel.getByText(/^\d+ \/ \d+$/)).toHaveText("10 / 10");
  await plainCarousel.getByRole("link", { name: "Next clip in Most Viewed" }).click();
  await expect(plainCarousel.getByText(/^\d+ \/ \d+$/)).toHaveText("1 / 10");
});

test("Home comes with one clip of each list; who turns one gets the others, and where they cannot be had a page", async ({
  product,
  visit,
}) => {
  const lists = await product.players.newcomer.call<Record<string, { video_url: string }[]>>(
    "GET",
    "/api/top-highlights/",
  );
  const { page, context, problems } = await visit({ as: product.players.newcomer });
  const questions = requestsOf(page, "/top-lists");
  const html = await (await page.request.get("/")).text();
  const known = [...new Set(Object.values(lists).flatMap((list) => list.map(({ video_url }) => video_url)))];
  expect(known.length).toBeGreaterThan(15);
  // Nine carousels, and the clip at the top.
  expect(known.filter((address) => html.includes(address)).length).toBeLessThanOrEqual(10);
  await page.goto("/");
  await hydrated(page);
  expect(questions).toEqual([]);
  for (const title of ["Newest Clips", "Most Viewed"]) {
    const carousel = page.getByRole("region", { name: title });
    await carousel.getByRole("link", { name: `Next clip in ${title}` }).click();
    await expect(carousel.getByText("2 / 10")).toBeVisible();
    await expect(carousel).toHaveAttribute("aria-busy", "false");
  }
  expect(questions).toEqual(["GET /top-lists"]);
  expect(problems).toEqual([]);
  await context.close();

  const other = await visit();
  let fail = () => {};
  const failed = new Promise<void>((resolve) => {
    fail = resolve;
  });
  await other.page.route("**/top-lists*", (route) => failed.then(() => route.abort()));
  await other.page.goto("/");
  await hydrated(other.page);
  const newest = other.page.getByRole("region", { name: "Newest Clips" });
  await newest.getByRole("link", { name: "Next clip in Newest Clips" }).click();
  await expect(newest).toHaveAttribute("aria-busy", "true");
  await expect(newest.getByText("1 / 10")).toBeVisible();
  fail();
  await expect(other.page).toHaveURL(/\/\?newest=2#newest$/);
  await expect(newest.getByText("2 / 10")).toBeVisible();
  await expect(newest).toHaveAttribute("aria-busy", "false");
});

test("The nine carousels stand in their order and hold their lists; a single clip has neither arrows nor dots", async ({
  product,
  visit,
}) => {
  const lists = await product.players.newcomer.call<Record<string, { id: number }[]>>("GET", "/api/top-highlights/");
  const restore = product.interceptApi("GET", /^\/api\/top-highlights\/$/, () =>
    Response.json({ ...lists, most_liked: lists.most_liked?.slice(0, 1) }),
  );
  const { page, problems } = await visit({ as: product.players.newcomer });
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
  // Each begins with its first clip that is not shown further up.
  const top = lists.most_liked?.[0]?.id;
  await expect(page.locator('figure a[href^="/clips/"]')).toHaveAttribute("href", `/clips/${top}`);
  const begun = new Set([top]);
  const expected = Object.entries(titles).map(([list, title]) => {
    const ids = (list === "most_liked" ? lists[list]?.slice(0, 1) : lists[list])?.map(({ id }) => id) ?? [];
    const id = ids.find((each) => !begun.has(each)) ?? ids[0];
    begun.add(id);
    return { list, title, clip: `/clips/${id}` };
  });
  expect(shown).toEqual(expected);
  const single = page.getByRole("region", { name: "Most Liked" });
  await expect(single.getByText("1 / 1")).toBeVisible();
  await expect(single.locator("span[aria-hidden=true] > span.rounded-full")).toHaveCount(0);
  await expect(single.getByRole("link", { name: /Previous|Next/ })).toHaveCount(0);
  await expect(page.locator('main section[id] a[href^="/clips/"]')).toHaveCount(9);
  restore();
  expect(problems).toEqual([]);
});

test("A carousel shows name, maker, likes and views of its clip", async ({ product, visit }) => {
  type Listed = { display_name: string; likes_count: number; views_count: number; user: { username: string } };
  const lists = await product.players.newcomer.call<Record<string, Listed[]>>("GET", "/api/top-highlights/");
  const { page } = await visit({ javaScript: false });
  await page.goto("/?most_viewed=1&most_liked=1");
  for (const [title, clip] of [
    ["Most Viewed", lists.most_viewed?.[0]],
    ["Most Liked", lists.most_liked?.[0]],
  ] as const) {
    const carousel = page.getByRole("region", { name: title });
    expect(clip!.views_count).toBeGreaterThan(1);
    for (const text of [clip!.display_name, clip!.user.username, `${clip!.likes_count} likes`]) {
      await expect(carousel).toContainText(text);
    }
    await expect(carousel).toContainText(`${clip!.views_count} views`);
    await expect(carousel.locator('a[href^="/users/"] span[style*=background-image]')).toHaveCount(1);
  }
});

test("Without likes Home begins with the newest clip and goes on with others, and a filter that leaves none leaves that clip", async ({
  product,
  visit,
}) => {
  const lists = await product.players.newcomer.call<Record<string, { id: number }[]>>("GET", "/api/top-highlights/");
  const asked: string[] = [];
  product.interceptApi("GET", /^\/api\/top-highlights\/$/, ({ url }) => {
    const { search } = new URL(url);
    asked.push(search);
    // As returned by the API when nobody has liked or watched any clip.
    const all = { ...lists, most_liked: lists.newest, most_viewed: lists.newest };
    const none = Object.fromEntries(Object.keys(lists).map((name) => [name, []]));
    return Response.json(search.includes("player=") ? none : all);
  });
  const [newest, second, third] = (lists.newest ?? []).map(({ id }) => `/clips/${id}`);
  const { page, problems } = await visit({ as: product.players.newcomer, javaScript: false });
  const clipOf = (place: string) => page.locator(`${place} a[href^="/clips/"]`);
  await page.goto("/");
  await expect(clipOf("figure")).toHaveAttribute("href", newest ?? "");
  await expect(clipOf("#newest")).toHaveAttribute("href", second ?? "");
  await expect(clipOf("#most_viewed")).toHaveAttribute("href", third ?? "");
  expect(asked).toEqual(["?public_view=true"]);
  // The list is shown on request.
  await page.goto("/?newest=1");
  await expect(clipOf("#newest")).toHaveAttribute("href", newest ?? "");

  asked.length = 0;
  await page.goto("/?player=nobody");
  await expect(page.getByText("No clips available")).toHaveCount(9);
  await expect(clipOf("figure")).toHaveAttribute("href", newest ?? "");
  expect(asked).toEqual(["?player=nobody&public_view=true", "?public_view=true"]);
  expect(problems).toEqual([]);
});

for (const javaScript of [true, false]) {
  test(`Pictures of clips say how long these are, and makers' names lead to their clips, ${javaScript ? "with" : "without"} JavaScript`, async ({
    product,
    visit,
  }) => {
    const { duration_seconds } = await product.players.maker.call<ClipDetail>(
      "GET",
      `/api/matches/clips/${product.clipId}/`,
    );
    const seconds = Math.round(duration_seconds ?? 0);
    expect(seconds > 1 && seconds < 60).toBe(true);
    const { page, problems } = await visit({ viewport: phone, javaScript });
    const lengths = (place: Locator) =>
      place.getByText(`Length 0:${String(seconds).padStart(2, "0")}`, { exact: true });
    const saysSo = async (card: Locator) => {
      await expect(lengths(card)).toHaveCount(1);
      await expect(lengths(card)).toBeVisible();
    };
    const fits = async () => {
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    };
    const makerOf = (card: Locator) => card.getByRole("link", { name: /^Clips of / });

    await page.goto("/");
    await saysSo(page.locator("figure"));
    await saysSo(page.getByRole("region", { name: "Newest Clips" }));
    await expect(makerOf(page.locator("figure"))).toHaveAttribute("href", `/users/${steamIds.maker}/clips`);
    await fits();
    await keepScreenshot(page, `lengths-home-390-${javaScript}`);

    await page.goto(`/users/${steamIds.maker}/clips`);
    if (javaScript) await hydrated(page);
    const card = page.getByRole("article").first();
    await saysSo(card);
    await fits();
    await keepScreenshot(page, `lengths-user-390-${javaScript}`);
    if (javaScript) {
      await card.locator("video[controls]").evaluate(async (video: HTMLVideoElement) => {
        video.muted = true;
        await video.play();
      });
      await expect(lengths(card)).toHaveCount(0);
    }

    await page.goto(`/clips/${product.clips.completed}`);
    const related = page.getByRole("region", { name: "More clips on Dust II" }).getByRole("listitem").first();
    await saysSo(related);
    await fits();
    await keepScreenshot(page, `lengths-clip-390-${javaScript}`);
    // The card leads to its clip, but the maker's name to the maker's clips.
    await expect(makerOf(related)).toHaveAttribute("href", `/users/${steamIds.maker}/clips`);
    if (javaScript) expect(await axeViolations(page)).toEqual([]);
    await makerOf(related).click();
    await expect(page).toHaveURL(new RegExp(`/users/${steamIds.maker}/clips$`));
    expect(problems).toEqual([]);
  });
}

test("A player without a name is 'This user'", async ({ product, visit }) => {
  const { database } = product.services;
  const setName = (steam_name: string) =>
    database.updateTable("users").set({ steam_name }).where("steam_id", "=", steamIds.newcomer).execute();
  await setName("");
  const { page } = await visit({ javaScript: false });
  await page.goto(`/users/${steamIds.newcomer}/clips`);
  await expect(page.getByText("This user hasn't created any clips yet.")).toBeVisible();
  await setName("Player newcomer");
});

test("The links of a player's page stand at one edge where they do not fit beside each other", async ({ visit }) => {
  const { page } = await visit({ javaScript: false, viewport: phone });
  await page.goto(`/users/${steamIds.maker}/clips`);
  const first = await page.getByRole("link", { name: "Clips in which this player is seen" }).boundingBox();
  const second = await page.getByRole("link", { name: "Feed (Atom)" }).boundingBox();
  expect(second?.y).toBeGreaterThan(first?.y ?? 0);
  expect(second?.x).toBe(first?.x);
});

test("Videos are mounted near the viewport only, the first at once, and none is loaded before it is played", async ({
  visit,
}) => {
  const { page, problems } = await visit();
  const files = requestsOf(page, "/video/clips/");
  const html = await (await page.request.get("/")).text();
  expect(html.match(/<video/g)).toHaveLength(1);
  await page.goto("/");
  await hydrated(page);
  const below = page.getByRole("region", { name: "Best Ninja Defuses" });
  await expect(page.locator("video")).not.toHaveCount(0);
  const far = await page.locator("main section[id]").evaluateAll((sections) =>
    sections
      .slice(1)
      .filter((section) => section.getBoundingClientRect().top > innerHeight + 100)
      .map((section) => section.querySelectorAll("video").length),
  );
  expect(far.length).toBeGreaterThan(0);
  expect(far.reduce((sum, videos) => sum + videos, 0)).toBe(0);
  // At 110 px below the viewport it is a poster, at 90 px a player.
  const placeBelow = (distance: number) =>
    below.evaluate((section, wanted) => {
      scrollBy(0, section.getBoundingClientRect().top - innerHeight - wanted);
      const settled = new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      return settled.then(() => Math.round(section.getBoundingClientRect().top - innerHeight));
    }, distance);
  await placeBelow(600);
  expect(await placeBelow(110)).toBe(110);
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
  await expect(below.locator("video")).toHaveCount(0);
  expect(await placeBelow(90)).toBe(90);
  await expect(below.locator("video")).toHaveCount(1);
  const video = below.locator("video");
  await expect(video).toHaveAttribute("preload", "none");
  await expect(video).toHaveAttribute("poster", /^\/video\/clips\/\d+\/thumbnail\.jpg/);
  await expect(video.locator('source[type="video/mp4"]')).toHaveCount(1);
  expect(await video.evaluate((element) => element.parentElement?.getBoundingClientRect().height)).toBe(250);
  expect(files.filter((path) => !path.endsWith("thumbnail.jpg"))).toEqual([]);
  expect(problems).toEqual([]);
});

test("A view is counted on the first play and not on the second", async ({ product, visit }) => {
  const { page, problems } = await visit();
  const views = requestsOf(page, "/view");
  await page.goto("/");
  await hydrated(page);
  const carousel = page.getByRole("region", { name: "Newest Clips" });
  const id = Number((await carousel.locator('a[href^="/clips/"]').getAttribute("href"))?.split("/").pop());
  // A play in another test counts as one of the same viewer, since network and browser are the same.
  await product.services.database.deleteFrom("views").where("clip_id", "=", id).execute();
  const before = await viewsOf(product, id);
  for (let play = 0; play < 2; play++) {
    await carousel.getByRole("button", { name: /^Play / }).click();
    await carousel.getByRole("button", { name: /^Pause / }).click();
    await expect(carousel.getByRole("button", { name: /^Play / })).toBeVisible();
  }
  await expect.poll(() => viewsOf(product, id)).toBe((before ?? 0) + 1);
  expect(views).toEqual([`POST /clips/${id}/view`]);

  await carousel.locator('a[href^="/clips/"]').click();
  await expect(page.locator("summary", { hasText: "Share" })).toBeVisible();
  await page.locator("article video").evaluate(async (video: HTMLVideoElement) => {
    video.muted = true;
    await video.play();
  });
  await expect.poll(() => views.length).toBe(2);
  // The same viewer within six hours.
  expect(await viewsOf(product, id)).toBe((before ?? 0) + 1);
  expect(problems).toEqual([]);
});

test("The video area leads to the clip, the name to its maker, and a new page begins at the top", async ({ visit }) => {
  const { page, problems } = await visit();
  const documents: string[] = [];
  page.on("request", (request) => {
    if (request.isNavigationRequest()) documents.push(request.url());
  });
  await page.goto("/");
  await hydrated(page);
  const carousel = page.getByRole("region", { name: "Best Ninja Defuses" });
  await carousel.scrollIntoViewIfNeeded();
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(0);
  await carousel.getByRole("link", { name: "sable.", exact: true }).click();
  await page.waitForURL(`**/users/${steamIds.maker}/clips`);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  await expect(page.getByRole("heading", { name: "sable.'s Clips" })).toBeVisible();
  await page.getByRole("link", { name: "Back", exact: true }).click();
  await page.waitForURL((url) => url.pathname === "/");
  expect(documents).toHaveLength(1);
  expect(problems).toEqual([]);
});

test("A link to a part of another page brings that part into view, and the focus to the page", {
  tag: "@long",
}, async ({ visit }) => {
  const { page, problems } = await visit();
  await page.goto(`/users/${steamIds.maker}/clips`);
  await hydrated(page);
  await page.getByRole("link", { name: "Clips in which this player is seen" }).click();
  await page.waitForURL(/\/\?player=\d+#top-highlights$/);
  await expect(page.getByRole("heading", { name: "Top Highlights" })).toBeInViewport();
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(0);
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("content");
  expect(problems).toEqual([]);
});

test("A like shows at once, goes out once however often it is clicked, and stays", async ({ product, visit }) => {
  const as = product.players.newcomer;
  const { page, context, problems } = await visit({ as });
  const clip = product.clipId;
  const before = (await likesOf(product, clip))?.likes_count ?? 0;
  const likes = requestsOf(page, "/like");
  const answer = await holdRequests(page, "**/like*");
  await page.goto(`/clips/${clip}`);
  await hydrated(page);
  const button = page.getByRole("button", { name: /likes?$/ });
  await expect(button).toHaveAttribute("aria-pressed", "false");
  await button.click();
  await expect(button).toHaveAttribute("aria-pressed", "true");
  await expect(button).toContainText(String(before + 1));
  await button.click({ force: true });
  await button.click({ force: true });
  answer();
  await expect.poll(() => likesOf(product, clip)).toEqual({ likes_count: before + 1 });
  await expect(button).not.toHaveAttribute("aria-disabled");
  expect(likes).toEqual([`POST /clips/${clip}/like`]);
  await expect(button).toHaveAttribute("aria-pressed", "true");
  await page.reload();
  await hydrated(page);
  await expect(button).toHaveAttribute("aria-pressed", "true");
  await button.click();
  await expect.poll(() => likesOf(product, clip)).toEqual({ likes_count: before });
  expect(problems).toEqual([]);
  await context.close();

  const plain = await visit({ as, javaScript: false });
  await plain.page.goto(`/clips/${clip}`);
  await plain.page.getByRole("button", { name: /likes?$/ }).click();
  await plain.page.waitForURL(`**/clips/${clip}`);
  await expect(plain.page.getByRole("button", { name: /likes?$/ })).toHaveAttribute("aria-pressed", "true");
});

test("Signed out, the like does nothing", async ({ product, visit }) => {
  const { page, problems } = await visit();
  const likes = requestsOf(page, "/like");
  await page.goto(`/clips/${product.clipId}`);
  await hydrated(page);
  await expect(page.getByRole("button", { name: /likes?$/ })).toHaveCount(0);
  const count = page.getByTitle("Sign in to like clips");
  const shown = (await count.textContent()) ?? "";
  await count.click();
  await expect(count).toHaveText(shown);
  expect(likes).toEqual([]);
  expect(problems).toEqual([]);
});

test("A like that fails is taken back; a server out of reach is said beside it", async ({ product, visit }) => {
  const { page, context } = await visit({ as: product.players.newcomer });
  const clip = product.clips.completed;
  await page.goto(`/clips/${clip}`);
  await hydrated(page);
  const button = page.getByRole("button", { name: /likes?$/ });
  await context.setOffline(true);
  await button.click();
  await expect(button).toHaveAttribute("aria-pressed", "false");
  const problem = page.getByRole("status").filter({ hasText: "The server cannot be reached." });
  await expect(problem).toBeVisible();
  await expect(button).toHaveText("0likes");
  await expect(page.getByRole("heading", { name: "Finished clip" })).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);
  await keepScreenshot(page, "clip-like-out-of-reach-1280");
  await context.setOffline(false);
  await button.click();
  await expect(problem).toHaveCount(0);
  await expect.poll(() => likesOf(product, clip)).toEqual({ likes_count: 1 });
  await button.click();
  await expect.poll(() => likesOf(product, clip)).toEqual({ likes_count: 0 });
});

test("Each render status has its label, colour and placeholder, and an unknown one says so", async ({
  product,
  visit,
}) => {
  const { page, problems } = await visit({ as: product.players.busy });
  await page.goto("/clips");
  await hydrated(page);
  const inList = async (name: string, label: RegExp) => {
    const status = page.locator("article").filter({ hasText: name }).getByRole("status").getByText(label);
    return [await colorName(status), await status.locator(".spinner").count()];
  };
  await expect.poll(() => inList("Pending clip", /^Pending$/)).toEqual(["grey", 0]);
  await expect.poll(() => inList("Waiting clip", /^Queued \(Position \d+\)$/)).toEqual(["orange", 0]);
  await expect.poll(() => inList("Rendering clip", /^Processing$/)).toEqual(["blue", 1]);
  await expect.poll(() => inList("Broken clip", /^Failed$/)).toEqual(["red", 0]);
  await page.goto(`/clips/${product.clips.completed}`);
  await expect.poll(() => colorName(page.getByText("Completed", { exact: true }))).toBe("green");
  await page.goto(`/clips/${product.clips.queued}`);
  await hydrated(page);
  await expect(page.getByText("Queued", { exact: true })).toBeVisible();

  const clip = await product.players.busy.call("GET", `/api/matches/clips/${product.clips.queued}/status/`);
  const restore = product.interceptApi("GET", /^\/api\/matches\/clips\/\d+\/status\/$/, () =>
    Response.json({ ...clip, render_status: "bewildered" }),
  );
  await expect(page.locator("article").getByText("Unknown", { exact: true })).toHaveCount(2);
  restore();
  expect(problems).toEqual([]);
});

test("A clip is made to be shared: previews, oEmbed, frame, download", async ({ product, visit }) => {
  const { page, problems } = await visit();
  const address = `${product.url}/clips/${product.clipId}`;
  await page.goto(address);
  await hydrated(page);
  const meta = (name: string) => page.locator(`meta[property="${name}"], meta[name="${name}"]`).first();
  await expect(meta("og:url")).toHaveAttribute("content", address);
  await expect(meta("og:type")).toHaveAttribute("content", "video.other");
  await expect(meta("twitter:card")).toHaveAttribute("content", "summary_large_image");
  await expect(meta("og:title")).toHaveAttribute("content", await page.title());
  await expect(meta("description")).toHaveAttribute("content", /Clip by sable\./);
  for (const [name, type] of [
    ["og:video", "video/mp4"],
    ["og:image", "image/jpeg"],
  ] as const) {
    const file = await page.request.get((await meta(name).getAttribute("content")) ?? "");
    expect(file.status()).toBe(200);
    expect(file.headers()["content-type"]).toBe(type);
  }
  const facts = JSON.parse((await page.locator('script[type="application/ld+json"]').textContent()) ?? "");
  expect(facts).toMatchObject({ "@type": "VideoObject", embedUrl: `${address}/embed` });
  const oembed = await page.locator('link[type="application/json+oembed"]').getAttribute("href");
  const offer = await (await page.request.get(oembed ?? "")).json();
  expect(offer).toMatchObject({ type: "video", version: "1.0", author_name: "sable.", width: 1280, height: 720 });
  expect(offer.html).toContain(`src="${address}/embed"`);

  await page.locator("summary", { hasText: "Download" }).click();
  const download = page.getByRole("link", { name: "Download 720p" });
  await expect(download).toHaveAttribute("download", `clutchcast-${product.clipId}.mp4`);
  expect(problems).toEqual([]);

  const embed = await page.goto(`${address}/embed`);
  expect(embed?.headers()["content-security-policy"]).not.toContain("frame-ancestors 'none'");
  await expect(page.locator("video")).toBeVisible();
  await expect(page.getByRole("banner")).toHaveCount(0);
});

test("My Clips load further matches near the end of the page and say when it is reached", { tag: "@long" }, async ({
  product,
  visit,
}) => {
  const { page, context, problems } = await visit({ as: product.players.maker });
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
  await expect(groups).toHaveCount(5);
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
  await expect(page.getByText("Loading more clips...")).toBeVisible();
  await expect(groups).toHaveCount(5);
  answer();
  await expect(groups).toHaveCount(10);
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await expect(groups).toHaveCount(12);
  await expect(page.getByText("You've reached the end of your clips")).toBeVisible();
  expect(pages).toHaveLength(2);
  expect(asked).toEqual(["?limit=5&offset=0", "?limit=5&offset=5", "?limit=5&offset=10"]);
  restore();
  await expect(page.locator("article")).toHaveCount(25);
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
  await expect(page.locator("main dl > div")).toHaveText([
    `Total Clips${number(sums.clips)}`,
    `Total Views${number(sums.views)}`,
    `Total Likes${number(sums.likes)}`,
  ]);
  expect(problems).toEqual([]);
  await context.close();

  const plain = await visit({ javaScript: false, viewport: phone });
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
  await expect(plain.page.getByText("You've reached the end of the clips")).toBeVisible();
  await expect(plain.page.getByRole("link", { name: /^Delete / })).toHaveCount(0);
});

test("A deletion below clips that were loaded further is read out, and not that none have come", {
  tag: "@long",
}, async ({ product, visit }) => {
  const { userId } = product.maker;
  const { database } = product.services;
  await addClip(database, product.clipId, { userId, matchId: product.matchId, name: "Deleted late" });
  const { page, problems } = await visit({ as: product.players.maker });
  await page.goto("/clips");
  await hydrated(page);
  for (const groups of [10, 12]) {
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await expect(page.getByRole("region", { name: /^Clips of / })).toHaveCount(groups);
  }
  const loadedAnew = page.waitForResponse(/\/clips\.data\?.*part/);
  await page.getByRole("link", { name: "Delete Deleted late" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
  await loadedAnew;
  // Leaves time for an announcement.
  await page.waitForTimeout(300);
  await expect(page.getByText("Deleted", { exact: true })).toBeAttached();
  expect(problems).toEqual([]);
});

test("Deleting a clip asks first, keeps the focus, says when it failed and drops an empty match", async ({
  product,
  visit,
}) => {
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
  // On the same map, so that the page has two groups for it.
  const otherMatch = await database
    .selectFrom("matches")
    .innerJoin("demos", "demos.sha256", "matches.demo_sha256")
    .select("matches.id")
    .where("matches.user_id", "=", userId)
    .where("matches.id", "<>", product.matchId)
    .where("demos.map", "=", "de_dust2")
    .orderBy("matches.created_at", "desc")
    .executeTakeFirstOrThrow();
  const away = others.map(({ id }) => id);
  await database.updateTable("clips").set({ match_id: otherMatch.id }).where("id", "in", away).execute();

  const { page, context, problems } = await visit({ as: product.players.maker });
  await page.goto("/clips");
  await hydrated(page);
  const opener = page.getByRole("link", { name: "Delete To be deleted" });
  const dialog = page.getByRole("dialog", { name: "Delete Clip" });
  const group = page.locator("section").filter({ has: page.locator(`a[href="/matches/${product.matchId}"]`) });
  await expect(group).toHaveCount(1);
  await expect(page.getByRole("region", { name: /^Clips of Dust II(, match 2)?$/ })).toHaveCount(2);
  await opener.click();
  await expect(dialog).toBeVisible();
  await expect(dialog).toContainText(
    'Are you sure you want to delete "To be deleted"? This will permanently remove the clip from your account. This action cannot be undone.',
  );
  await expect.poll(() => dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  for (let step = 0; step < 5; step++) {
    await page.keyboard.press("Tab");
    // The browser's own controls are part of the tab cycle and count as the body.
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
  await expect(page.locator("dialog")).toHaveCount(0);
  await expect(opener).toBeFocused();
  await opener.click();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(page.locator("dialog")).toHaveCount(0);
  // Pressed again just while the dialog closes, the button reopens it.
  await opener.click();
  await opener.evaluate((element: HTMLElement) => {
    document.querySelector<HTMLButtonElement>("dialog button[type=button]")?.click();
    element.click();
  });
  await page.waitForTimeout(300);
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.locator("dialog")).toHaveCount(0);

  await opener.click();
  await context.setOffline(true);
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect(dialog.getByText("Failed to delete clip")).toBeVisible();
  await context.setOffline(false);

  const answer = await holdRequests(page, "**/delete*");
  await dialog.getByRole("button", { name: "Delete" }).click();
  const busy = dialog.getByRole("button", { name: "Deleting..." });
  await expect(busy).toBeVisible();
  await expect(busy).toBeDisabled();
  await expect(dialog.getByRole("button", { name: "Cancel" })).toBeDisabled();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect(busy).toBeVisible();
  answer();
  await expect(page.locator("dialog")).toHaveCount(0);
  await expect(opener).toHaveCount(0);
  await expect(group).toHaveCount(0);
  expect(problems.filter((problem) => !problem.includes("ERR_INTERNET_DISCONNECTED"))).toEqual([]);
});

test("Without JavaScript a clip is deleted on a page that asks", async ({ product, visit }) => {
  const { database } = product.services;
  const as = product.players.maker;
  const clipId = await addClip(database, product.clipId, {
    userId: product.maker.userId,
    matchId: product.matchId,
    name: "Deleted plainly",
  });
  const { page, context } = await visit({ as, javaScript: false });
  await page.goto("/clips");
  await page.getByRole("link", { name: "Delete Deleted plainly" }).click();
  await expect(page.getByRole("heading", { name: "Delete Clip" })).toBeVisible();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.waitForURL("**/clips");
  await expect(page.getByText("Deleted plainly")).toHaveCount(0);
  expect((await page.goto(`/clips/${clipId}`))?.status()).toBe(404);
  await context.close();

  const other = await visit({ as: product.players.newcomer, javaScript: false });
  await other.page.goto(`/clips/${product.clips.completed}/delete`);
  await expect(other.page).toHaveURL(({ pathname }) => pathname === `/clips/${product.clips.completed}`);
});

test("login=success leaves the address without a reload", async ({ product, visit }) => {
  const { page, problems } = await visit({ as: product.players.newcomer });
  let loads = 0;
  page.on("request", (request) => {
    if (request.isNavigationRequest()) loads++;
  });
  await page.goto("/?login=success");
  await expect(page).toHaveURL(`${product.url}/`);
  expect(loads).toBe(1);
  expect(problems).toEqual([]);
});

test("Authentication is checked again on a click or key, at most every five seconds", async ({ product, visit }) => {
  const as = product.players.newcomer;
  const { page, context, problems } = await visit({ as });
  const checks = requestsOf(page, "/session");
  await page.clock.install();
  await page.goto("/clips");
  await hydrated(page);
  const heading = page.getByRole("heading", { name: "My Clips" });
  await heading.click();
  expect(checks).toEqual([]);
  await page.clock.fastForward(5000);
  // Further checks share this one until it is answered.
  const answer = page.waitForResponse("**/session");
  await heading.click();
  await page.keyboard.press("Shift");
  await (await answer).finished();
  expect(checks).toHaveLength(1);
  await page.clock.fastForward(4000);
  await page.keyboard.press("Shift");
  expect(checks).toHaveLength(1);
  await context.clearCookies({ name: /session/ });
  await page.clock.fastForward(1000);
  await page.keyboard.press("Shift");
  await expect(page.getByRole("button", { name: "Sign in through Steam" }).first()).toBeVisible();
  expect(problems).toEqual([]);
});

test("Lists use what a wide window has, and no line of text becomes long", { tag: "@long" }, async ({
  product,
  visit,
}) => {
  const { page } = await visit({ as: product.players.maker, viewport: { width: 1920, height: 1080 } });
  for (const [path, list] of [
    ["/", "main section[id]"],
    ["/matches", "main article"],
    ["/clips", "main article"],
    ["/highlights", "main article, main li:has(input)"],
  ] as const) {
    await page.goto(path);
    await expect(page.locator(list).first()).toBeVisible();
    const [left, right] = await page.locator(list).evaluateAll((items) => {
      const boxes = items.map((item) => item.getBoundingClientRect());
      return [Math.min(...boxes.map((box) => box.left)), Math.max(...boxes.map((box) => box.right))];
    });
    expect((right ?? 0) - (left ?? 0), path).toBeGreaterThan(1500);
  }
  for (const path of ["/terms", "/highlights/about"]) {
    await page.goto(path);
    const widths = await page
      .locator("main :is(p, dd, li)")
      .evaluateAll((lines) => lines.map((line) => line.clientWidth));
    expect(widths.length, path).toBeGreaterThan(5);
    expect(Math.max(...widths), path).toBeLessThan(1000);
  }
});

/** https://wicg.github.io/layout-instability/, which TypeScript's DOM types leave out. */
interface LayoutShift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
  sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
}

interface Shift {
  value: number;
  moved: string[];
}

/** Layout shifts while a page loads and is scrolled to its end. */
async function shiftsOf(page: Page, path: string): Promise<Shift[]> {
  await page.addInitScript(() => {
    const shifts: Shift[] = [];
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
  // On a slow connection fonts come last: until then the page uses the machine's own.
  await page.route("**/*.woff2", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 700));
    await route.continue();
  });
  await page.goto(path);
  await hydrated(page);
  await page.evaluate(() => document.fonts.ready);
  const [height, step] = await page.evaluate(() => [document.documentElement.scrollHeight, innerHeight] as const);
  for (let y = 0; y < height; y += step) {
    await page.evaluate((to) => {
      scrollTo(0, to);
      return new Promise((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(resolve));
        // On a busy machine the headless browser sometimes stops drawing until it gets another request.
        setTimeout(resolve, 1000);
      });
    }, y);
  }
  return page.evaluate(() => (window as unknown as { layoutShifts: Shift[] }).layoutShifts);
}

/** Each alone: fallback fonts of Linux until web fonts have loaded. Windows and macOS have Arial, which is as wide as Liberation. */
const machines = [
  {
    family: "Liberation",
    files: ["LiberationSans-Regular.ttf", "LiberationSans-Bold.ttf"],
    windows: [laptop, tablet, phone],
  },
  { family: "DejaVu", files: ["DejaVuSans.ttf", "DejaVuSans-Bold.ttf"], windows: [laptop, tablet, phone] },
  { family: "Noto", files: ["NotoSans-Regular.ttf", "NotoSans-Bold.ttf"], windows: [laptop, tablet, phone] },
];

for (const { family, files, windows } of machines) {
  test(`Nothing jumps while pages load and are scrolled, for who comes for the first time and has ${family}`, {
    tag: "@long",
  }, async ({ product }) => {
    const env = environmentWithFonts(files, test.info().outputPath("machine"));
    for (const viewport of windows) {
      for (const path of ["/", `/clips/${product.clipId}`, "/matches", `/match/${product.matchId}`]) {
        // A new browser, since cached files come at once, and late ones move the page.
        const browser = await chromium.launch({ ...launchOptions, env });
        try {
          const { page } = await newVisitor(browser, product.url, { as: product.players.maker, viewport });
          const shifts = await shiftsOf(page, path);
          const sum = shifts.reduce((total, { value }) => total + value, 0);
          expect(sum, `${path} at ${viewport.width}: ${JSON.stringify(shifts)}`).toBeLessThan(0.02);
        } finally {
          await browser.close();
        }
      }
    }
  });
}
