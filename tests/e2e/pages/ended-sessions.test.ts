import { randomUUID } from "node:crypto";
import type { Browser, Page } from "playwright";
import { afterAll, afterEach, beforeAll, beforeEach, expect, type MockInstance, test, vi } from "vitest";
import { ApiVisitor } from "../../services/api-visitor.ts";
import {
  axeViolations,
  hydrated,
  keepScreenshot,
  launchBrowser,
  newVisitor,
  phone,
  requestsOf,
} from "../../services/browser.ts";
import { type PopulatedProduct, startPopulatedProduct, steamIds } from "../../services/populated-product.ts";
import { addMatch, copyDemo, userIdOf } from "../../services/seeded-rows.ts";

const sentence = "Your session has ended. Sign in again to go on.";

let browser: Browser;
let product: PopulatedProduct;
let warnings: MockInstance;

beforeAll(async () => {
  [product, browser] = await Promise.all([startPopulatedProduct(), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await product?.close();
});
beforeEach(() => {
  warnings = vi.spyOn(console, "warn").mockImplementation(() => {});
});
afterEach(() => {
  product.endInterceptions();
  warnings.mockRestore();
});

/** The player's only session from here on, in a visitor of its own. */
async function signedIn(player: keyof typeof steamIds): Promise<ApiVisitor> {
  const visitor = new ApiVisitor(product.url);
  await visitor.signIn(steamIds[player], player === "maker" ? "sable." : `Player ${player}`);
  return visitor;
}

/** Ends every session of a player, as its age or another device does. */
async function endSessions(player: keyof typeof steamIds): Promise<void> {
  const { database } = product.services;
  const userId = await userIdOf(database, steamIds[player]);
  await database.deleteFrom("sessions").where("user_id", "=", userId).execute();
}

async function newMatch(player: keyof typeof steamIds): Promise<string> {
  const { database } = product.services;
  const id = randomUUID().slice(0, 12);
  const demoSha256 = await copyDemo(database, product.demoSha256, "de_dust2", id);
  await addMatch(database, { id, userId: await userIdOf(database, steamIds[player]), demoSha256, minutesAgo: 90 });
  return id;
}

const notice = (page: Page) => page.getByRole("alert").filter({ hasText: sentence });
const ticked = (page: Page) =>
  page
    .locator("input[name=highlight]:checked")
    .evaluateAll((boxes) => boxes.map((box) => (box as HTMLInputElement).value).sort());

/** Signs in from the notice or the panel that says so, as a person does at the identity provider. */
async function signInAgain(page: Page, player: keyof typeof steamIds): Promise<void> {
  await page.getByText(sentence).locator("..").getByRole("button", { name: "Sign in through Steam" }).click();
  await page.locator('input[name="steam_id"]').fill(steamIds[player]);
  await page.locator('input[name="persona_name"]').fill(`Player ${player}`);
  await page.locator('form button[type="submit"], form button:not([type])').first().click();
  await expect.poll(() => page.getByRole("banner").textContent()).toContain(`Player ${player}`);
}

test("A page that polls says that its session has ended, asks no more, keeps what it shows, and goes on after a sign-in elsewhere", async () => {
  const as = await signedIn("busy");
  const { page, context } = await newVisitor(browser, product.url, { as });
  await page.clock.install();
  await page.goto("/matches");
  await hydrated(page);
  const cards = await page.locator("main article").count();
  await page.locator("input[name=demo_url]").fill("https://demos.example/typed.dem");
  await endSessions("busy");
  const asked = requestsOf(page, "/matches/status");
  await page.clock.runFor(6000);
  await notice(page).waitFor();
  await page.getByRole("banner").getByRole("button", { name: "Sign in through Steam" }).waitFor();
  expect(asked.length).toBeGreaterThan(0);
  await page.waitForLoadState("networkidle");
  asked.length = 0;
  await page.clock.runFor(60_000);
  expect(asked).toEqual([]);
  expect(await page.locator("main article").count()).toBe(cards);
  await page.getByText("Downloading demo, 41 %").first().waitFor();
  expect(new URL(page.url()).pathname).toBe("/matches");
  expect(await axeViolations(page)).toEqual([]);
  await keepScreenshot(page, "session-ended-matches-1280");
  // By keyboard it is the next thing after the header.
  const signInButtons = page.getByRole("button", { name: "Sign in through Steam" });
  await signInButtons.first().focus();
  await page.keyboard.press("Tab");
  expect(await signInButtons.last().evaluate((button) => button === document.activeElement)).toBe(true);

  // In another tab of the same browser.
  const again = await signedIn("busy");
  await context.addCookies([...again.cookies].map(([name, value]) => ({ name, value, url: product.url })));
  await page.clock.runFor(5000);
  await page.getByRole("heading", { name: "My Matches" }).click();
  await expect.poll(() => notice(page).count()).toBe(0);
  await page.getByRole("banner").getByRole("button", { name: "Logout" }).waitFor();
  await page.clock.runFor(6000);
  await expect.poll(() => asked.length).toBeGreaterThan(0);
  expect(await page.locator("input[name=demo_url]").inputValue()).toBe("https://demos.example/typed.dem");
  await context.close();
});

test("A clip that cannot be created because the session has ended: the choices stay, and come back with the sign-in", async () => {
  const matchId = await newMatch("newcomer");
  for (const javaScript of [true, false]) {
    const as = await signedIn("newcomer");
    const { page, context } = await newVisitor(browser, product.url, { as, javaScript, viewport: phone });
    await page.goto(`/match/${matchId}`);
    if (javaScript) await hydrated(page);
    for (const position of [0, 2, 3]) await page.locator("label:has(input[name=highlight])").nth(position).click();
    await page.getByRole("checkbox", { name: /^Radar/ }).uncheck();
    const chosen = await ticked(page);
    expect(chosen).toHaveLength(3);
    await endSessions("newcomer");
    await page.getByRole("button", { name: /^Create Clip/ }).click();
    await page.getByText(sentence).waitFor();
    if (javaScript) {
      await page.getByRole("button", { name: "Create Clip (3 active)" }).waitFor();
      expect(await ticked(page)).toEqual(chosen);
      expect(await axeViolations(page)).toEqual([]);
    }
    await keepScreenshot(page, `session-ended-create-${javaScript ? "" : "plain-"}390`);
    await signInAgain(page, "newcomer");
    expect(new URL(page.url()).pathname).toBe(`/match/${matchId}`);
    expect(await ticked(page)).toEqual(chosen);
    expect(await page.getByRole("checkbox", { name: /^Radar/ }).isChecked()).toBe(false);
    expect(await page.getByRole("checkbox", { name: /^X-Ray/ }).isChecked()).toBe(true);
    if (javaScript) await expect.poll(() => page.url()).toBe(`${product.url}/match/${matchId}`);
    await page.getByRole("button", { name: /^Create Clip/ }).click();
    await page.getByRole("heading", { name: /^Created Clips/ }).waitFor();
    await context.close();
  }
  const made = await product.services.database
    .selectFrom("clips")
    .select("id")
    .where("match_id", "=", matchId)
    .execute();
  expect(made).toHaveLength(2);
});

test("An address that cannot be imported because the session has ended stays in its field, and comes back with the sign-in", async () => {
  const address = "https://demos.example/kept.dem?token=a&b=ä";
  for (const javaScript of [true, false]) {
    const as = await signedIn("newcomer");
    const { page, context } = await newVisitor(browser, product.url, { as, javaScript });
    await page.goto("/matches");
    if (javaScript) await hydrated(page);
    const field = page.locator("input[name=demo_url]");
    await field.fill(address);
    await endSessions("newcomer");
    await page.locator('form:has(input[type="url"])').getByRole("button", { name: "Import", exact: true }).click();
    await page.getByText(sentence).waitFor();
    if (javaScript) expect(await field.inputValue()).toBe(address);
    await signInAgain(page, "newcomer");
    expect(new URL(page.url()).pathname).toBe("/matches");
    expect(await field.inputValue()).toBe(address);
    await context.close();
  }
});

test("Every other button of a page whose session has ended says so, and the page stays", async () => {
  const open = async (player: keyof typeof steamIds, path: string) => {
    const visitor = await newVisitor(browser, product.url, { as: await signedIn(player) });
    await visitor.page.goto(path);
    await hydrated(visitor.page);
    await endSessions(player);
    return visitor;
  };
  const stays = async ({ page, context }: Awaited<ReturnType<typeof open>>, path: string) => {
    await notice(page).waitFor();
    expect(new URL(page.url()).pathname).toBe(path);
    await context.close();
  };

  const like = await open("newcomer", `/clips/${product.clipId}`);
  const likes = await like.page.getByRole("button", { name: /likes?$/ }).textContent();
  await like.page.getByRole("button", { name: /likes?$/ }).click();
  await notice(like.page).waitFor();
  // Inert, as for everybody who is not signed in.
  expect(await like.page.getByTitle("Sign in to like clips").textContent()).toBe(likes);
  await stays(like, `/clips/${product.clipId}`);

  const recent = await open("busy", "/matches?page=2");
  await recent.page.getByRole("button", { name: "Import Match" }).first().click();
  await stays(recent, "/matches");

  const retry = await open("busy", "/matches?page=2");
  await retry.page.getByRole("button", { name: "Try again" }).first().click();
  await stays(retry, "/matches");

  const remove = await open("busy", "/matches?page=2");
  const before = await remove.page.locator("main article").count();
  await remove.page
    .getByRole("link", { name: /^Delete the match on / })
    .first()
    .click();
  await remove.page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
  await notice(remove.page).waitFor();
  expect(await remove.page.getByRole("dialog").count()).toBe(0);
  expect(await remove.page.locator("main article").count()).toBe(before);
  await stays(remove, "/matches");

  const clip = await open("busy", "/clips");
  await clip.page.getByRole("link", { name: "Delete Finished clip" }).click();
  await clip.page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
  await notice(clip.page).waitFor();
  await clip.page.getByText("Finished clip").first().waitFor();
  await stays(clip, "/clips");

  const upload = await open("newcomer", "/matches");
  await upload.page
    .locator("input[name=demo_file]")
    .setInputFiles({ name: "match.dem", mimeType: "application/octet-stream", buffer: Buffer.alloc(4096, 7) });
  await upload.page.getByRole("button", { name: "Upload", exact: true }).click();
  await notice(upload.page).waitFor();
  await upload.page.getByRole("button", { name: "Upload", exact: true }).waitFor();
  await stays(upload, "/matches");

  const further = await open("maker", "/clips");
  const shown = await further.page.locator("main article").count();
  await further.page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await notice(further.page).waitFor();
  expect(await further.page.locator("main article").count()).toBe(shown);
  await stays(further, "/clips");
});

test("Without JavaScript a form of a session that has ended leads to a page that says so, and from there back", async () => {
  const forms: [path: string, fields: Record<string, string>, back: string][] = [
    ["/matches?index", { intent: "sample" }, "/matches"],
    ["/matches?index", { intent: "retry", match_id: "busy-failed" }, "/matches"],
    ["/matches?index", { intent: "recent", demo_url: "https://demos.example/recent-one.dem.bz2" }, "/matches"],
    ["/matches/upload", {}, "/matches#import-file"],
    ["/matches/busy/delete", {}, "/matches/busy/delete"],
    [`/clips/${product.clips.completed}/delete`, {}, `/clips/${product.clips.completed}/delete`],
    [`/clips/${product.clipId}/like`, {}, `/clips/${product.clipId}`],
  ];
  const as = await signedIn("busy");
  await endSessions("busy");
  for (const [path, fields, back] of forms) {
    const answer = await as.request("POST", path, new URLSearchParams(fields));
    expect(answer.status, path).toBe(302);
    const { pathname, searchParams } = new URL(answer.headers.get("location") ?? "", product.url);
    expect([pathname, Object.fromEntries(searchParams)], path).toEqual(["/", { login: "ended", next: back }]);
  }
  for (const javaScript of [true, false]) {
    const { page, context } = await newVisitor(browser, product.url, { javaScript, viewport: phone });
    await page.goto(`/?${new URLSearchParams({ login: "ended", next: "/matches/busy/delete" })}`);
    await page.getByRole("alert").filter({ hasText: sentence }).waitFor();
    if (javaScript) expect(await axeViolations(page)).toEqual([]);
    await keepScreenshot(page, "session-ended-home-390");
    await signInAgain(page, "busy");
    expect(new URL(page.url()).pathname).toBe("/matches/busy/delete");
    await context.close();
  }
});

test("A page that needs a session leads to the start page; whose session has ended is told so, and led back", async () => {
  const paths = ["/matches?page=2", "/match/busy", "/clips", "/matches/busy/delete"];
  const [visitor, as] = [new ApiVisitor(product.url), await signedIn("busy")];
  await endSessions("busy");
  for (const path of paths) {
    expect((await visitor.request("GET", path)).headers.get("location"), path).toBe("/");
    const told = new URLSearchParams({ login: "ended", next: path });
    expect((await as.request("GET", path)).headers.get("location"), path).toBe(`/?${told}`);
  }
  const { page, context, problems } = await newVisitor(browser, product.url, { as: await signedIn("busy") });
  await page.goto("/clips");
  await hydrated(page);
  await endSessions("busy");
  // Before a click has told that the session has ended.
  await page.getByRole("link", { name: "My Matches" }).first().click();
  await page.getByRole("heading", { name: "Top Highlights" }).waitFor();
  await notice(page).waitFor();
  expect(await page.getByText(sentence).count()).toBe(1);
  expect(await page.getByRole("button", { name: "Logout" }).count()).toBe(0);
  expect(problems).toEqual([]);
  await signInAgain(page, "busy");
  await page.getByRole("heading", { name: "My Matches" }).waitFor();
  await context.close();
});

test("A sign-in leads back to no other site", async () => {
  for (const next of ["https://evil.example/", "//evil.example", "/\\evil.example", "/api/auth/logout/"]) {
    const { page, context } = await newVisitor(browser, product.url, { javaScript: false });
    await page.goto(`/?${new URLSearchParams({ login: "ended", next })}`);
    await signInAgain(page, "newcomer");
    expect(page.url()).toBe(`${product.url}/?login=success`);
    await context.close();
  }
});
