import { randomUUID } from "node:crypto";
import type { Browser, Page } from "playwright";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { ProcessingStatus } from "../../../contract/statuses.ts";
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
import { addClip, addMatch, copyDemo, finishClip, userIdOf } from "../../services/seeded-rows.ts";

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

const cards = (page: Page) => page.locator("main article");
const completedMatches = (page: Page) => page.evaluate(() => localStorage.getItem("completedMatches"));

async function setMatch(id: string, values: { status: ProcessingStatus; progress?: number; demo_sha256?: string }) {
  await product.services.database.updateTable("matches").set(values).where("id", "=", id).execute();
}

/** A completed match of a player with a copy of the seeded demo. */
async function matchOf(player: keyof typeof steamIds, name: string): Promise<{ userId: number; matchId: string }> {
  const { database } = product.services;
  // Another one when a test is tried again.
  const matchId = `${name}-${randomUUID().slice(0, 8)}`;
  const userId = await userIdOf(database, steamIds[player]);
  const demoSha256 = await copyDemo(database, product.demoSha256, "de_dust2", matchId);
  await addMatch(database, { id: matchId, userId, demoSha256, minutesAgo: 90 });
  return { userId, matchId };
}

test("Nine matches a page in three columns, the rest on the next, arrows from seven on", async () => {
  const { page, context, problems } = await newVisitor(browser, product.url, { as: product.players.maker });
  const asked: string[] = [];
  const restore = product.interceptApi("GET", /^\/api\/matches\/$/, ({ url }) => {
    asked.push(new URL(url).search);
    return undefined;
  });
  await page.goto("/matches");
  await hydrated(page);
  expect(await cards(page).count()).toBe(9);
  const columns = () =>
    page
      .locator("main ul:has(article)")
      .evaluate((list) => getComputedStyle(list).gridTemplateColumns.split(" ").length);
  expect(await columns()).toBe(3);
  expect(await page.getByRole("button", { name: "Previous page" }).isDisabled()).toBe(true);
  await page.getByRole("link", { name: "Next page" }).click();
  await expect.poll(() => cards(page).count()).toBe(3);
  const rows = await cards(page).evaluateAll(
    (all) => new Set(all.map((card) => card.getBoundingClientRect().top)).size,
  );
  expect(rows).toBe(1);
  expect(await page.getByRole("button", { name: "Next page" }).isDisabled()).toBe(true);
  await page.getByRole("link", { name: "Previous page" }).click();
  await expect.poll(() => cards(page).count()).toBe(9);
  await page.setViewportSize(phone);
  expect(await columns()).toBe(1);
  await page.setViewportSize(laptop);
  expect(asked).toEqual(["?limit=9&offset=0", "?limit=9&offset=9", "?limit=9&offset=0"]);
  restore();
  expect(await page.getByRole("link", { name: /^Delete the match on / }).count()).toBe(9);
  const path = await cards(page).nth(1).getByRole("link", { name: "View Details" }).getAttribute("href");
  expect(path).toMatch(/^\/match\/\w+$/);
  // Anywhere on the card.
  await cards(page)
    .nth(1)
    .click({ position: { x: 200, y: 100 } });
  await page.waitForURL(`**${path}`);
  await page.getByRole("link", { name: "Back", exact: true }).click();
  await page.waitForURL("**/my-matches");
  expect(problems).toEqual([]);
  await context.close();

  const few = await newVisitor(browser, product.url, { as: product.players.limited });
  await few.page.goto("/matches");
  expect(await cards(few.page).count()).toBe(1);
  expect(await few.page.getByRole("navigation", { name: "Pages of matches" }).count()).toBe(0);
  await few.context.close();

  const plain = await newVisitor(browser, product.url, { as: product.players.maker, javaScript: false });
  await plain.page.goto("/matches");
  await plain.page.getByRole("link", { name: "Next page" }).click();
  expect(await cards(plain.page).count()).toBe(3);
  await plain.context.close();
});

test("An import says what it does, thanks for five seconds, is polled every two and fills its card", async () => {
  const { page, context, problems } = await newVisitor(browser, product.url, { as: product.players.newcomer });
  const polls = requestsOf(page, "/matches/status");
  await page.clock.install();
  await page.goto("/matches");
  await hydrated(page);
  const field = page.locator('input[name="demo_url"]');
  expect(await field.getAttribute("type")).toBe("url");
  expect(await field.getAttribute("placeholder")).toMatch(/^https:\/\/[\w.]+\/demo\.dem$/);
  const form = page.locator('form:has(input[name="demo_url"])');
  await form.getByRole("button", { name: "Import" }).click();
  await form.getByText("Please enter a demo URL").waitFor();
  await field.fill("   ");
  await form.getByRole("button", { name: "Import" }).click();
  await form.getByText("Please enter a demo URL").waitFor();

  const answer = await holdRequests(page, "**/*", "POST");
  await field.fill("https://demos.example/fresh.dem.bz2");
  await form.getByRole("button", { name: "Import" }).click();
  const busy = form.getByRole("button", { name: "Uploading..." });
  await busy.waitFor();
  expect(await busy.isDisabled()).toBe(true);
  await busy.click({ force: true });
  answer();
  await form.getByText("Demo uploaded successfully!").waitFor();
  expect(await field.inputValue()).toBe("");
  await expect.poll(() => cards(page).count()).toBe(1);
  await cards(page).getByText("Queued").waitFor();
  await page.clock.fastForward(2500);
  expect(await form.getByText("Demo uploaded successfully!").count()).toBe(1);
  await page.clock.fastForward(2500);
  await expect.poll(() => form.getByText("Demo uploaded successfully!").count()).toBe(0);

  const { id } = await product.services.database
    .selectFrom("matches")
    .select("id")
    .where("demo_url", "=", "https://demos.example/fresh.dem.bz2")
    .executeTakeFirstOrThrow();
  await setMatch(id, { status: "parsing_demo", progress: 0.6 });
  await expect
    .poll(async () => {
      await page.clock.fastForward(2000);
      return cards(page).getByText("Parsing demo").count();
    })
    .toBe(1);
  const before = polls.length;
  await page.clock.fastForward(2000);
  await expect.poll(() => polls.length).toBeGreaterThan(before);

  await setMatch(id, { status: "completed", progress: 1, demo_sha256: product.demoSha256 });
  await expect
    .poll(async () => {
      await page.clock.fastForward(2000);
      return cards(page).getByText("22 Highlights").count();
    })
    .toBe(1);
  await page.getByRole("link", { name: "View Details" }).waitFor();
  await expect.poll(() => completedMatches(page)).toBe(JSON.stringify([id]));
  // No token lies in the browser's storage, only this record.
  expect(await page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)])).toEqual([
    "completedMatches",
  ]);
  await page.waitForLoadState("networkidle");
  const after = polls.length;
  await page.clock.fastForward(60_000);
  expect(polls).toHaveLength(after);

  // Deleted again, so that its record is forgotten.
  await page.getByRole("link", { name: "Delete the match on Dust II" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete Match" });
  expect(await dialog.textContent()).toContain(
    "Are you sure you want to delete the match on Dust II ? This action cannot be undone and will also delete all associated highlights.",
  );
  for (const viewport of [laptop, phone]) {
    await page.setViewportSize(viewport);
    expect(await axeViolations(page)).toEqual([]);
    await keepScreenshot(page, `dialog-delete-match-${viewport.width}`);
  }
  await dialog.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByText("No matches available. Import recent matches or upload demos directly.").waitFor();
  await expect.poll(() => completedMatches(page)).toBe("[]");
  expect(problems.filter((problem) => !/ERR_INTERNET_DISCONNECTED|status of 4/.test(problem))).toEqual([]);
  await context.close();
});

test("An import that the server refuses says why and keeps the address", async () => {
  const { page, context } = await newVisitor(browser, product.url, { as: product.players.refused });
  await page.goto("/matches");
  await hydrated(page);
  const form = page.locator('form:has(input[name="demo_url"])');
  await form.locator("input[type=url]").fill("ftp://demos.example/old.dem");
  await form.getByRole("button", { name: "Import" }).click();
  await expect.poll(() => form.getByRole("alert").textContent()).not.toBe("");
  expect(await form.locator("input[type=url]").inputValue()).toBe("ftp://demos.example/old.dem");
  const refusal = await form.getByRole("alert").textContent();
  await context.close();

  const plain = await newVisitor(browser, product.url, { as: product.players.refused, javaScript: false });
  await plain.page.goto("/matches");
  const plainForm = plain.page.locator('form:has(input[name="demo_url"])');
  await plainForm.locator("input[type=url]").fill("ftp://demos.example/old.dem");
  await plainForm.getByRole("button", { name: "Import" }).click();
  expect(await plainForm.getByRole("alert").textContent()).toBe(refusal);
  expect(await plainForm.locator("input[type=url]").inputValue()).toBe("ftp://demos.example/old.dem");
  await plain.context.close();
});

test("A recent match is imported with one click and then stands among the imported ones", async () => {
  const { page, context, problems } = await newVisitor(browser, product.url, { as: product.players.busy });
  await page.goto("/matches?page=2");
  await hydrated(page);
  expect(await page.getByRole("link", { name: /^Powered by/ }).getAttribute("href")).toBe("https://leetify.com/");
  const card = cards(page).filter({ hasText: "Nuke" });
  expect(await card.getByRole("link", { name: /at the match history provider$/ }).getAttribute("href")).toBe(
    "https://leetify.com/app/match-details/recent-one",
  );
  const answer = await holdRequests(page, "**/*", "POST");
  await card.getByRole("button", { name: "Import Match" }).click();
  const busy = card.getByRole("button", { name: "Importing..." });
  await busy.waitFor();
  expect(await busy.isDisabled()).toBe(true);
  answer();
  await expect.poll(() => page.getByRole("button", { name: "Import Match" }).count()).toBe(1);
  await page.goto("/matches");
  await cards(page).first().getByText("Queued").waitFor();
  expect(await cards(page).first().textContent()).toContain("Nuke");
  expect(await cards(page).first().textContent()).toContain("13 - 4");
  expect(problems).toEqual([]);
  await context.close();

  const plain = await newVisitor(browser, product.url, { as: product.players.busy, javaScript: false });
  await plain.page.goto("/matches?page=2");
  await plain.page.getByRole("button", { name: "Import Match" }).click();
  await plain.page.waitForURL("**/matches");
  expect(await cards(plain.page).first().textContent()).toContain("Train");
  const { database } = product.services;
  const imported = database.deleteFrom("matches").where("source", "=", "recent");
  expect(Number((await imported.executeTakeFirst()).numDeletedRows)).toBe(2);
  await plain.context.close();
});

test("A match older than ten minutes that still runs is asked for every thirty seconds", async () => {
  const { database } = product.services;
  const userId = await userIdOf(database, steamIds.refused);
  await database.deleteFrom("matches").where("id", "=", "slow").execute();
  await addMatch(database, { id: "slow", userId, status: "parsing_demo", minutesAgo: 11 });
  const { page, context } = await newVisitor(browser, product.url, { as: product.players.refused });
  const polls = requestsOf(page, "/matches/status");
  await page.clock.install();
  await page.goto("/matches");
  await hydrated(page);
  await cards(page).getByText("Parsing demo").waitFor();
  await page.clock.fastForward(29_000);
  expect(polls).toEqual([]);
  await page.clock.fastForward(1000);
  await expect.poll(() => polls.length).toBe(1);
  await setMatch("slow", { status: "failed" });
  // The clock of the next question starts when the last one has been answered.
  await expect
    .poll(async () => {
      await page.clock.fastForward(30_000);
      return cards(page).getByText("Failed.").count();
    })
    .toBe(1);
  await page.waitForLoadState("networkidle");
  const end = polls.length;
  await page.clock.fastForward("10:00");
  await page.waitForLoadState("networkidle");
  expect(polls).toHaveLength(end);
  await context.close();
  await database.deleteFrom("matches").where("id", "=", "slow").execute();
});

test("A match is headed by icon, map, mode, scores and date, wherever it is shown; its demo can be had when it has one", async () => {
  const { database } = product.services;
  const { matchId } = await matchOf("newcomer", "heading");
  await addClip(database, product.clipId, {
    userId: await userIdOf(database, steamIds.newcomer),
    matchId,
    name: "Headed",
  });
  await database
    .updateTable("matches")
    .set({ provider_game_mode: "Matchmaking", provider_played_at: new Date("2026-11-02T18:05:00Z") })
    .where("id", "=", matchId)
    .execute();
  const match = await product.players.newcomer.call<{ score_team1: number; score_team2: number; game_mode: string }>(
    "GET",
    `/api/matches/${matchId}/`,
  );
  const { page, context, problems } = await newVisitor(browser, product.url, { as: product.players.newcomer });
  await context.addCookies([{ name: "tz", value: "Europe/Berlin", url: product.url }]);
  const mode = { Matchmaking: "Premier", Matchmaking_Competitive: "Competitive" }[match.game_mode] ?? match.game_mode;
  const checkHeading = async () => {
    const heading = page
      .locator("main div")
      .filter({ has: page.locator('> img[src="/map_icons/de_dust2.svg"]') })
      .first();
    const text = (await heading.textContent()) ?? "";
    expect(text).toContain("Dust II");
    expect(text).toContain(mode);
    expect(text).toContain("November 2, 2026 at");
    expect(text).toContain(`Score ${match.score_team1}`);
    expect(text).toContain(`to ${match.score_team2}`);
    expect(await heading.locator("time").getAttribute("datetime")).toBe("2026-11-02T18:05:00.000Z");
  };
  await page.goto(`/match/${matchId}`);
  await checkHeading();
  expect(await page.title()).toBe("Dust II Match");
  expect(await page.getByRole("link", { name: "Download Demo File" }).getAttribute("href")).toBe(
    `https://demos.example/${matchId}.dem.bz2`,
  );
  await page.getByRole("main").getByRole("link", { name: "What counts as a highlight" }).click();
  await page.getByRole("heading", { name: "What counts as a highlight" }).waitFor();
  await page.goto("/clips");
  await checkHeading();
  await page.goto(`/users/${steamIds.newcomer}/clips`);
  await checkHeading();
  await page.getByRole("link", { name: "Headed" }).click();
  await page.getByRole("button", { name: "Share" }).waitFor();
  await checkHeading();
  const video = page.locator("article video");
  expect(await video.getAttribute("preload")).toBe("none");
  expect(await video.getAttribute("controls")).toBe("");
  expect(await video.getAttribute("poster")).toMatch(/^\/video\/clips\/\d+\/poster\.jpg/);

  await database.updateTable("matches").set({ demo_url: null }).where("id", "=", matchId).execute();
  await page.goto(`/match/${matchId}`);
  await page.getByRole("heading", { name: /^Match Highlights/ }).waitFor();
  expect(await page.getByRole("link", { name: "Download Demo File" }).count()).toBe(0);
  await database.deleteFrom("matches").where("id", "=", matchId).execute();
  expect(problems).toEqual([]);
  await context.close();
});

test("Between two questions lie 2 s for new imports, 3 s for clips and 5 s for recent matches", async () => {
  await product.services.database.deleteFrom("matches").where("demo_url", "like", "%/recent-%").execute();
  const { page: reading, context, problems } = await newVisitor(browser, product.url, { as: product.players.busy });
  const questions = await Promise.all(
    (
      [
        ["/matches", "/matches/status?id=", 2000],
        ["/match/busy", "/clips/status?id=", 3000],
        ["/matches?page=2", "/matches/status?demo=", 5000],
      ] as const
    ).map(async ([path, question, everyMs]) => {
      const page = await context.newPage();
      const askedAt: number[] = [];
      page.on("requestfinished", (request) => {
        if (request.url().includes(question)) askedAt.push(request.timing().startTime);
      });
      await page.goto(path);
      return { page, askedAt, everyMs };
    }),
  );
  for (const { askedAt, everyMs, page } of questions) {
    await page.bringToFront();
    await expect.poll(() => askedAt.length, { timeout: 30_000 }).toBeGreaterThan(1);
    const gaps = askedAt.slice(1).map((at, index) => at - (askedAt[index] ?? 0));
    // A clock that is read in whole milliseconds on both sides.
    expect(Math.min(...gaps), `${everyMs} ms`).toBeGreaterThanOrEqual(everyMs - 2);
    expect(Math.min(...gaps), `${everyMs} ms`).toBeLessThan(everyMs + 900);
  }

  // Seen from here, the match is imported elsewhere.
  const [, , recent] = questions.map(({ page }) => page);
  const { demo_url: demoUrl } = await product.players.busy
    .call<{ results: { match_type: string; demo_url: string; map_name: string }[] }>("GET", "/api/matches/?limit=50")
    .then(({ results }) => results.find(({ map_name: map }) => map === "de_train")!);
  await product.players.busy.call("POST", "/api/matches/upload-demo/", { demo_url: demoUrl });
  await expect.poll(() => recent!.getByRole("button", { name: "Import Match" }).count()).toBe(1);
  await product.services.database.deleteFrom("matches").where("demo_url", "=", demoUrl).execute();
  expect(problems).toEqual([]);
  await reading.close();
  await context.close();
});

test("Every stage of an import has its icon, grey until it is completed or has failed", async () => {
  const { page, context, problems } = await newVisitor(browser, product.url, { as: product.players.busy });
  const restore = product.interceptApi("GET", /\/busy-queued\/status\/$/, () =>
    Response.json({
      is_processing: true,
      is_completed: false,
      status: "reticulating",
      status_display: "",
      progress: 0,
    }),
  );
  await page.goto("/matches");
  await hydrated(page);
  const iconOf = async (text: string) => {
    const line = cards(page).locator("p").filter({ hasText: text }).first();
    const name = (await line.locator("use").first().getAttribute("href"))?.split("#")[1];
    return [name, await colorName(line.locator("svg").first()), await line.locator(".spinner").count()];
  };
  const seen = {
    "Processing demo": await iconOf("Processing demo"),
    "Downloading demo": await iconOf("Downloading demo"),
    "Extracting demo": await iconOf("Extracting demo"),
    "Parsing demo": await iconOf("Parsing demo"),
    "Analyzing highlights": await iconOf("Analyzing highlights"),
    "Updating match info": await iconOf("Updating match info"),
    "Loading avatars": await iconOf("Loading avatars"),
    "22 Highlights": await iconOf("22 Highlights"),
  };
  expect(seen).toEqual({
    "Processing demo": ["scan", "grey", 1],
    "Downloading demo": ["download", "grey", 1],
    "Extracting demo": ["box", "grey", 1],
    "Parsing demo": ["scan", "grey", 1],
    "Analyzing highlights": ["target", "grey", 1],
    "Updating match info": ["pencil", "grey", 1],
    "Loading avatars": ["person", "grey", 1],
    "22 Highlights": ["check", "green", 0],
  });
  await cards(page).getByText("reticulating").waitFor();
  expect(await iconOf("reticulating")).toEqual(["scan", "grey", 1]);
  restore();
  await expect.poll(() => cards(page).getByText("reticulating").count()).toBe(0);
  expect(await iconOf("Queued")).toEqual(["clock", "grey", 1]);
  await page.goto("/matches?page=2");
  expect(await iconOf("Failed.")).toEqual(["alert", "red", 0]);
  expect(problems).toEqual([]);
  await context.close();
});

const highlightCard = (page: Page, label: string, player: string) =>
  page.locator("label:has(input[name=highlight])").filter({ hasText: label }).filter({ hasText: player }).first();
const activeCount = (page: Page) => page.locator("label[data-active=true]").count();

test("Filters enable each other, manual choices get an amber border, All and None clear them", async () => {
  const { page, context, problems } = await newVisitor(browser, product.url, { as: product.players.maker });
  await page.goto(`/match/${product.matchId}`);
  await hydrated(page);
  const filter = (name: string | RegExp) =>
    page.getByRole("complementary", { name: "Filters" }).getByRole("button", { name });
  const isOn = (name: string | RegExp) => filter(name).getAttribute("aria-pressed");
  const create = page.getByRole("button", { name: /^(Create Clip|Too many)/ });
  expect(await create.textContent()).toBe("Create Clip (0 active)");
  expect(await create.isDisabled()).toBe(true);

  await filter("Granite Row").click();
  for (const name of [/^Special Kills/, /^Multikills/, /^Clutches/, /sable\./]) expect(await isOn(name)).toBe("true");
  expect(await isOn("Harbour Five")).toBe("false");
  expect(await activeCount(page)).toBe(8);
  expect(await create.textContent()).toBe("Too many highlights (8/5 max)");
  expect(await create.isDisabled()).toBe(true);

  await filter("None").click();
  expect(await activeCount(page)).toBe(0);
  await filter(/^Clutches/).click();
  expect(await isOn("Granite Row")).toBe("true");
  expect(await isOn("Harbour Five")).toBe("true");
  expect(await isOn(/^Special Kills/)).toBe("false");
  expect(await create.textContent()).toBe("Create Clip (4 active)");
  expect(await create.isEnabled()).toBe(true);

  const knife = highlightCard(page, "Knife Kill", "quietOtter");
  const border = () => knife.evaluate((card) => getComputedStyle(card).borderTopColor);
  const nameColor = () => knife.evaluate((card) => getComputedStyle(card.querySelector(".font-display")!).color);
  const [borderBefore, colorBefore] = [await border(), await nameColor()];
  await knife.click();
  expect(await knife.getAttribute("data-override")).toBe("true");
  const amber = await page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement("i"));
    probe.className = "text-tee";
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  });
  await expect.poll(border).toBe(amber);
  expect(await border()).not.toBe(borderBefore);
  expect(await nameColor()).not.toBe(colorBefore);
  expect(await create.textContent()).toBe("Create Clip (5 active)");
  expect(await page.locator("label[data-override]").count()).toBe(1);
  await highlightCard(page, "1v2 Clutch", "O'Marrow").click();
  expect(await page.locator("label[data-override]").count()).toBe(2);
  expect(await create.textContent()).toBe("Create Clip (4 active)");
  expect(await axeViolations(page)).toEqual([]);
  await keepScreenshot(page, "match-overrides-1280");

  await filter("All").click();
  expect(await page.locator("label[data-override]").count()).toBe(0);
  expect(await activeCount(page)).toBe(22);
  expect(await create.textContent()).toBe("Too many highlights (22/5 max)");
  await filter(/^northern_pik/).click();
  expect(await activeCount(page)).toBe(20);
  expect(problems).toEqual([]);
  await context.close();
});

test("Without JavaScript the filters and ticks work through the form", async () => {
  const { matchId } = await matchOf("newcomer", "plain-filter");
  const { page, context } = await newVisitor(browser, product.url, {
    as: product.players.newcomer,
    javaScript: false,
    viewport: phone,
  });
  await page.goto(`/match/${matchId}`);
  await page.locator('input[name="xray"]').uncheck();
  await highlightCard(page, "Ninja Defuse", "quietOtter").locator("input").check();
  await page.getByRole("button", { name: /^Clutches/ }).click();
  await expect.poll(() => activeCount(page)).toBe(5);
  expect(await page.locator("label[data-override]").count()).toBe(1);
  expect(await page.locator('input[name="xray"]').isChecked()).toBe(false);
  await keepScreenshot(page, "match-filtered-no-js-390");
  await page.getByRole("button", { name: "All", exact: true }).click();
  await expect.poll(() => activeCount(page)).toBe(22);
  await page.getByRole("button", { name: /^Create Clip/ }).click();
  await page.getByText("Failed to create clip: Too many highlights (22/5 max).").waitFor();
  await expect.poll(() => activeCount(page)).toBe(22);
  await page.getByRole("button", { name: "None", exact: true }).click();
  await expect.poll(() => activeCount(page)).toBe(0);
  await page.getByRole("button", { name: "Best first" }).click();
  await page.getByRole("button", { name: "Best first", pressed: true }).waitFor();
  await page.getByRole("button", { name: "Tick the best 3" }).click();
  await expect.poll(() => activeCount(page)).toBe(3);
  const inPlace = page.locator("label[data-active]");
  for (const place of [0, 1, 2]) expect(await inPlace.nth(place).getAttribute("data-active")).toBe("true");
  expect(await inPlace.first().textContent()).toContain("1v5 Clutch");
  await page.getByRole("button", { name: "None", exact: true }).click();
  await expect.poll(() => activeCount(page)).toBe(0);
  await page.getByRole("button", { name: /^Create Clip/ }).click();
  await page.getByText("Failed to create clip: Please select at least one highlight.").waitFor();
  await highlightCard(page, "Wallbang", "quietOtter").locator("input").check();
  await page.getByRole("button", { name: /^Create Clip/ }).click();
  await page.getByText("Created Clips (1)").waitFor();
  await page.getByText(/Queued \(Position \d+\)/).waitFor();
  expect(await page.getByRole("heading", { name: "quietOtter - Dust II Round 3 - Wallbang" }).count()).toBe(1);
  await page.getByRole("link", { name: /^Delete quietOtter/ }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.waitForURL("**/clips");
  await context.close();
});

test("A clip is created once, named and cut by the rules, put on top, and polled every three seconds", async () => {
  const { userId, matchId } = await matchOf("newcomer", "creation");
  const { database } = product.services;
  const older = await addClip(database, product.clipId, { userId, matchId, name: "Older", minutesAgo: 60 });
  const { page, context, problems } = await newVisitor(browser, product.url, { as: product.players.newcomer });
  const polls = requestsOf(page, "/clips/status");
  await page.clock.install();
  await page.goto(`/matches/${matchId}`);
  await hydrated(page);
  await highlightCard(page, "Knife Kill", "quietOtter").click();
  await highlightCard(page, "Wallbang", "quietOtter").click();
  await page.getByRole("checkbox", { name: /^Radar/ }).uncheck();
  const watermark = page.locator('input[name="watermark"]');
  expect([await watermark.isDisabled(), await watermark.isChecked()]).toEqual([true, false]);

  const answer = await holdRequests(page, `**/matches/${matchId}.data*`);
  const create = page.getByRole("button", { name: "Create Clip (2 active)" });
  await create.dblclick();
  const busy = page.getByRole("button", { name: "Creating..." });
  await busy.waitFor();
  expect(await busy.isDisabled()).toBe(true);
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(0);
  answer();
  await page.getByRole("heading", { name: "Created Clips (2)" }).waitFor();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  const name = "quietOtter - Dust II Round 3-4 - 2 Highlights";
  expect(await cards(page).first().textContent()).toContain(name);
  await cards(page)
    .first()
    .getByText(/Queued \(Position \d+\)/)
    .waitFor();

  const made = await database
    .selectFrom("clips")
    .select(["id", "name", "settings"])
    .where("match_id", "=", matchId)
    .where("id", "<>", older)
    .execute();
  expect(made).toHaveLength(1);
  const { id, settings } = made[0]!;
  expect(made[0]?.name).toBe(name);
  expect(settings).toMatchObject({
    xray: true,
    hud: true,
    radar: false,
    killfeed: true,
    highlight_info: true,
    watermark: false,
    pre_time_adjustment: 2,
    post_time_adjustment: -1.5,
  });

  await database.updateTable("clips").set({ status: "processing", progress: 0.4 }).where("id", "=", id).execute();
  await page.waitForLoadState("networkidle");
  const before = polls.length;
  await page.clock.fastForward(3000);
  await expect.poll(() => polls.length).toBe(before + 1);
  await cards(page).first().getByText("Processing").waitFor();
  await expect.poll(() => page.getByRole("progressbar").first().getAttribute("aria-valuenow")).toBe("40");
  await page.waitForLoadState("networkidle");
  const settled = polls.length;
  await page.clock.fastForward(2900);
  expect(polls).toHaveLength(settled);
  await finishClip(database, product.clipId, id);
  await page.clock.fastForward(100);
  await expect.poll(() => cards(page).first().locator("video").count()).toBe(1);
  await page.waitForLoadState("networkidle");
  const end = polls.length;
  await page.clock.fastForward(30_000);
  expect(polls).toHaveLength(end);
  expect(problems).toEqual([]);
  await context.close();
});

test("With three clips in the queue no fourth can be created, whatever the page shows", async () => {
  const { page, context, problems } = await newVisitor(browser, product.url, { as: product.players.limited });
  await page.goto("/match/limited");
  await hydrated(page);
  await highlightCard(page, "Knife Kill", "quietOtter").click();
  const button = page.getByRole("button", { name: "Queue limit reached (3/3)" });
  await button.waitFor();
  expect(await button.isDisabled()).toBe(true);
  expect(problems).toEqual([]);
  await context.close();

  const plain = await newVisitor(browser, product.url, { as: product.players.limited, javaScript: false });
  await plain.page.goto("/match/limited?refresh=off");
  await highlightCard(plain.page, "Knife Kill", "quietOtter").locator("input").check();
  await plain.page.getByRole("button", { name: /^Create Clip/ }).click();
  await plain.page
    .getByText("Queue limit reached. You can only have 3 clips in queue or processing at once.")
    .waitFor();
  expect(await highlightCard(plain.page, "Knife Kill", "quietOtter").locator("input").isChecked()).toBe(true);
  await plain.context.close();
});

test("Created clips come two a page, and deleting the last of a page leads back to the first", async () => {
  const { userId, matchId } = await matchOf("newcomer", "carousel");
  for (const [index, name] of ["Third", "Second", "First"].entries()) {
    await addClip(product.services.database, product.clipId, { userId, matchId, name, minutesAgo: 30 - index });
  }
  const { page, context, problems } = await newVisitor(browser, product.url, { as: product.players.newcomer });
  await page.goto(`/match/${matchId}`);
  await hydrated(page);
  const shown = () => cards(page).getByRole("heading").allTextContents();
  expect(await shown()).toEqual(["First", "Second"]);
  const first = (await cards(page).first().textContent()) ?? "";
  for (const text of ["1 Highlight", "0 likes", "0 views"]) expect(first).toContain(text);
  expect(first).toMatch(/[A-Z][a-z]+ \d{1,2}, \d{4} at \d{2}:\d{2} [AP]M/);
  expect(await page.getByRole("button", { name: "Previous clips" }).isDisabled()).toBe(true);
  await page.getByRole("link", { name: "Next clips" }).click();
  await expect.poll(shown).toEqual(["Third"]);
  expect(await page.getByRole("button", { name: "Next clips" }).isDisabled()).toBe(true);
  const dots = page.locator("#created-clips span[aria-hidden] > span.rounded-full");
  expect(await dots.evaluateAll((all) => all.map((dot) => dot.className.includes("bg-flare")))).toEqual([false, true]);
  await page.getByRole("link", { name: "Delete Third" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect.poll(shown).toEqual(["First", "Second"]);
  expect(await dots.count()).toBe(0);
  expect(await page.getByRole("link", { name: "Next clips" }).count()).toBe(0);
  await cards(page).first().getByRole("link", { name: "First", exact: true }).click();
  await page.waitForURL(/\/clips\/\d+$/);
  expect(problems).toEqual([]);
  await context.close();

  const plain = await newVisitor(browser, product.url, { as: product.players.busy, javaScript: false });
  await plain.page.goto("/match/busy");
  await plain.page.getByRole("link", { name: "Next clips" }).click();
  expect(await cards(plain.page).getByRole("heading").allTextContents()).toEqual(["Waiting clip", "Broken clip"]);
  await plain.context.close();
});
