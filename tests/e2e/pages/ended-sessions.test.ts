import type { Page } from "playwright/test";
import { ApiVisitor } from "../../services/api-visitor.ts";
import { axeViolations, hydrated, keepScreenshot, phone, requestsOf } from "../../services/browser.ts";
import { addCompletedMatch, type PopulatedProduct, steamIds } from "../../services/populated-product.ts";
import { userIdOf } from "../../services/seeded-rows.ts";
import { unique } from "../../services/unique.ts";
import { expect, test } from "../fixtures.ts";

/** Keeps the log of deliberate failures off the screen. */
test.beforeEach(({ serverWarnings: _ }) => {});

const sentence = "Your session has ended. Sign in again to continue.";

/** The player's only session from here on, in a new visitor. */
async function signedIn({ url }: PopulatedProduct, player: keyof typeof steamIds): Promise<ApiVisitor> {
  const visitor = new ApiVisitor(url);
  await visitor.signIn(steamIds[player], player === "maker" ? "sable." : `Player ${player}`);
  return visitor;
}

/** Ends every session of a player, like expiry or another device. */
async function endSessions({ services }: PopulatedProduct, player: keyof typeof steamIds): Promise<void> {
  const { database } = services;
  const userId = await userIdOf(database, steamIds[player]);
  await database.deleteFrom("sessions").where("user_id", "=", userId).execute();
}

const notice = (page: Page) => page.getByRole("alert").filter({ hasText: sentence });
const ticked = (page: Page) =>
  page
    .locator("input[name=highlight]:checked")
    .evaluateAll((boxes) => boxes.map((box) => (box as HTMLInputElement).value).sort());

/** Signs in from the notice or panel about the ended session, as a person does at the identity provider. */
async function signInAgain(page: Page, player: keyof typeof steamIds): Promise<void> {
  await page.getByText(sentence).locator("..").getByRole("button", { name: "Sign in through Steam" }).click();
  await page.locator('input[name="steam_id"]').fill(steamIds[player]);
  await page.locator('input[name="persona_name"]').fill(`Player ${player}`);
  await page.locator('form button[type="submit"], form button:not([type])').first().click();
  await expect(page.getByRole("banner")).toContainText(`Player ${player}`);
}

test("A page that polls says that its session has ended, asks no more, keeps what it shows, and goes on after a sign-in elsewhere", async ({
  product,
  visit,
}) => {
  const as = await signedIn(product, "busy");
  const { page, context } = await visit({ as });
  await page.clock.install();
  await page.goto("/matches");
  await hydrated(page);
  const cards = await page.locator("main article").count();
  const typed = `https://demos.example/${unique("typed")}.dem`;
  await page.locator("input[name=demo_url]").fill(typed);
  await endSessions(product, "busy");
  const asked = requestsOf(page, "/matches/status");
  await page.clock.runFor(6000);
  await expect(notice(page)).toBeVisible();
  await expect(page.getByRole("banner").getByRole("button", { name: "Sign in through Steam" })).toBeVisible();
  expect(asked.length).toBeGreaterThan(0);
  await page.waitForLoadState("networkidle");
  asked.length = 0;
  await page.clock.runFor(60_000);
  expect(asked).toEqual([]);
  await expect(page.locator("main article")).toHaveCount(cards);
  await expect(page.getByText("Downloading demo").first()).toBeVisible();
  await expect(page).toHaveURL(({ pathname }) => pathname === "/matches");
  expect(await axeViolations(page)).toEqual([]);
  await keepScreenshot(page, "session-ended-matches-1280");
  // It follows the header in the tab order.
  const signInButtons = page.getByRole("button", { name: "Sign in through Steam" });
  await signInButtons.first().focus();
  await page.keyboard.press("Tab");
  await expect(signInButtons.last()).toBeFocused();

  // In another tab of the same browser.
  const again = await signedIn(product, "busy");
  await context.addCookies([...again.cookies].map(([name, value]) => ({ name, value, url: product.url })));
  await page.clock.runFor(5000);
  await page.getByRole("heading", { name: "My Matches" }).click();
  await expect(notice(page)).toHaveCount(0);
  await expect(page.getByRole("banner").getByRole("button", { name: "Logout" })).toBeVisible();
  await page.clock.runFor(6000);
  await expect.poll(() => asked.length).toBeGreaterThan(0);
  await expect(page.locator("input[name=demo_url]")).toHaveValue(typed);
});

const unfoldSettings = (page: Page) => page.locator("label, button", { hasText: "Settings" }).first().click();

test("A clip that cannot be created because the session has ended: the choices stay, and come back with the sign-in", async ({
  product,
  visit,
}) => {
  const { matchId } = await addCompletedMatch(product, "newcomer");
  for (const javaScript of [true, false]) {
    const as = await signedIn(product, "newcomer");
    const { page, context } = await visit({ as, javaScript, viewport: phone });
    await page.goto(`/match/${matchId}`);
    if (javaScript) await hydrated(page);
    for (const position of [0, 2, 3]) await page.locator("label:has(input[name=highlight])").nth(position).click();
    await unfoldSettings(page);
    await page.getByRole("checkbox", { name: /^Radar/ }).uncheck();
    const chosen = await ticked(page);
    expect(chosen).toHaveLength(3);
    await endSessions(product, "newcomer");
    await page.getByRole("button", { name: /^Create Clip/ }).click();
    await expect(page.getByText(sentence)).toBeVisible();
    if (javaScript) {
      await expect(page.getByRole("button", { name: "Create Clip (3 active)" })).toBeVisible();
      await expect.poll(() => ticked(page)).toEqual(chosen);
      expect(await axeViolations(page)).toEqual([]);
    }
    await keepScreenshot(page, `session-ended-create-${javaScript ? "" : "plain-"}390`);
    await signInAgain(page, "newcomer");
    await expect(page).toHaveURL(({ pathname }) => pathname === `/match/${matchId}`);
    await expect.poll(() => ticked(page)).toEqual(chosen);
    if (!(await page.getByRole("checkbox", { name: /^Radar/ }).isVisible())) await unfoldSettings(page);
    await expect(page.getByRole("checkbox", { name: /^Radar/ })).not.toBeChecked();
    await expect(page.getByRole("checkbox", { name: /^X-Ray/ })).toBeChecked();
    if (javaScript) await expect(page).toHaveURL(`${product.url}/match/${matchId}`);
    await page.getByRole("button", { name: /^Create Clip/ }).click();
    await expect(page.getByRole("heading", { name: /^Created Clips/ })).toBeVisible();
    await context.close();
  }
  const made = await product.services.database
    .selectFrom("clips")
    .select("id")
    .where("match_id", "=", matchId)
    .execute();
  // The second request is for the same clip, so the existing one is offered.
  expect(made).toHaveLength(1);
});

test("An address that cannot be imported because the session has ended stays in its field, and comes back with the sign-in", async ({
  product,
  visit,
}) => {
  const address = `https://demos.example/${unique("kept")}.dem?token=a&b=ä`;
  for (const javaScript of [true, false]) {
    const as = await signedIn(product, "newcomer");
    const { page, context } = await visit({ as, javaScript });
    await page.goto("/matches");
    if (javaScript) await hydrated(page);
    const field = page.locator("input[name=demo_url]");
    await field.fill(address);
    await endSessions(product, "newcomer");
    await page.locator('form:has(input[type="url"])').getByRole("button", { name: "Import", exact: true }).click();
    await expect(page.getByText(sentence)).toBeVisible();
    if (javaScript) await expect(field).toHaveValue(address);
    await signInAgain(page, "newcomer");
    await expect(page).toHaveURL(({ pathname }) => pathname === "/matches");
    await expect(field).toHaveValue(address);
    await context.close();
  }
});

test("Files that could not be uploaded because the session has ended are sent by the next press after a sign-in elsewhere", {
  tag: "@long",
}, async ({ product, visit }) => {
  const { page, context } = await visit({ as: await signedIn(product, "newcomer") });
  await page.goto("/matches");
  await hydrated(page);
  const form = page.locator("#import-file");
  await form.locator("input[type=file]").setInputFiles(
    ["first.dem", "second.dem"].map((name, index) => ({
      ...{ name, mimeType: "application/octet-stream" },
      buffer: Buffer.alloc(4096, 40 + index),
    })),
  );
  await endSessions(product, "newcomer");
  const upload = form.getByRole("button", { name: "Upload", exact: true });
  await upload.click();
  await expect(notice(page)).toBeVisible();
  await expect(form.getByText("Waiting")).toHaveCount(2);
  const again = await signedIn(product, "newcomer");
  await context.addCookies([...again.cookies].map(([name, value]) => ({ name, value, url: product.url })));
  await upload.click();
  await expect(form.getByText("Uploaded", { exact: true })).toHaveCount(2);
});

test("What was typed while a clip is edited comes back with the sign-in", { tag: "@long" }, async ({
  product,
  visit,
}) => {
  const clip = product.clips.completed;
  for (const way of ["rename", "version", "notice", "without JavaScript"]) {
    const javaScript = way !== "without JavaScript";
    const { page, context } = await visit({ as: await signedIn(product, "busy"), javaScript });
    await page.goto(`/clips/${clip}/edit`);
    if (javaScript) await hydrated(page);
    await page.getByLabel("Name", { exact: true }).fill("Typed & kept");
    await page.getByLabel(/^Lead-in/).fill("1.5");
    await endSessions(product, "busy");
    if (way === "notice") {
      await page.evaluate(() => {
        const { now } = Date;
        Date.now = () => now() + 60_000;
      });
      await page.getByRole("heading", { name: "Edit Clip" }).click();
    } else
      await page.getByRole("button", { name: way === "version" ? "Render the new version" : "Save the name" }).click();
    await signInAgain(page, "busy");
    await expect(page).toHaveURL(({ pathname }) => pathname === `/clips/${clip}/edit`);
    if (way !== "version") await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Typed & kept");
    if (way === "version" || way === "notice") await expect(page.getByLabel(/^Lead-in/)).toHaveValue("1.5");
    await context.close();
  }
});

test("Every other button of a page whose session has ended says so, and the page stays", { tag: "@long" }, async ({
  product,
  visit,
}) => {
  const open = async (player: keyof typeof steamIds, path: string) => {
    const visitor = await visit({ as: await signedIn(product, player) });
    await visitor.page.goto(path);
    await hydrated(visitor.page);
    await endSessions(product, player);
    return visitor;
  };
  const stays = async ({ page, context }: Awaited<ReturnType<typeof open>>, path: string) => {
    await expect(notice(page)).toBeVisible();
    await expect(page).toHaveURL(({ pathname }) => pathname === path);
    await context.close();
  };

  const like = await open("newcomer", `/clips/${product.clipId}`);
  const likes = (await like.page.getByRole("button", { name: /likes?$/ }).textContent()) ?? "";
  await like.page.getByRole("button", { name: /likes?$/ }).click();
  await expect(notice(like.page)).toBeVisible();
  // Inert, as for everybody who is not signed in.
  await expect(like.page.getByTitle("Sign in to like clips")).toHaveText(likes);
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
  await expect(notice(remove.page)).toBeVisible();
  await expect(remove.page.getByRole("dialog")).toHaveCount(0);
  await expect(remove.page.locator("main article")).toHaveCount(before);
  await stays(remove, "/matches");

  const clip = await open("busy", "/clips");
  await clip.page.getByRole("link", { name: "Delete Finished clip" }).click();
  await clip.page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
  await expect(notice(clip.page)).toBeVisible();
  await expect(clip.page.getByText("Finished clip").first()).toBeVisible();
  await stays(clip, "/clips");

  const upload = await open("newcomer", "/matches");
  await upload.page
    .locator("input[name=demo_file]")
    .setInputFiles({ name: "match.dem", mimeType: "application/octet-stream", buffer: Buffer.alloc(4096, 7) });
  await upload.page.getByRole("button", { name: "Upload", exact: true }).click();
  await expect(notice(upload.page)).toBeVisible();
  await expect(upload.page.getByRole("button", { name: "Upload", exact: true })).toBeVisible();
  await stays(upload, "/matches");

  const further = await open("maker", "/clips");
  const shown = await further.page.locator("main article").count();
  await further.page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await expect(notice(further.page)).toBeVisible();
  await expect(further.page.locator("main article")).toHaveCount(shown);
  await stays(further, "/clips");
});

test("Without JavaScript a form of a session that has ended leads to a page that says so, and from there back", async ({
  product,
  visit,
}) => {
  const forms: [path: string, fields: Record<string, string>, back: string][] = [
    ["/matches?index", { intent: "sample" }, "/matches"],
    ["/matches?index", { intent: "retry", match_id: "busy-failed" }, "/matches"],
    ["/matches?index", { intent: "recent", demo_url: "https://demos.example/recent-one.dem.bz2" }, "/matches"],
    ["/matches/upload", {}, "/matches#import-file"],
    ["/matches/busy/delete", {}, "/matches/busy/delete"],
    [`/clips/${product.clips.completed}/delete`, {}, `/clips/${product.clips.completed}/delete`],
    [`/clips/${product.clipId}/like`, {}, `/clips/${product.clipId}`],
  ];
  const as = await signedIn(product, "busy");
  await endSessions(product, "busy");
  for (const [path, fields, back] of forms) {
    const answer = await as.request("POST", path, new URLSearchParams(fields));
    expect(answer.status, path).toBe(302);
    const { pathname, searchParams } = new URL(answer.headers.get("location") ?? "", product.url);
    expect([pathname, Object.fromEntries(searchParams)], path).toEqual(["/", { login: "ended", next: back }]);
  }
  for (const javaScript of [true, false]) {
    const { page, context } = await visit({ javaScript, viewport: phone });
    await page.goto(`/?${new URLSearchParams({ login: "ended", next: "/matches/busy/delete" })}`);
    await expect(page.getByRole("alert").filter({ hasText: sentence })).toBeVisible();
    if (javaScript) expect(await axeViolations(page)).toEqual([]);
    await keepScreenshot(page, "session-ended-home-390");
    await signInAgain(page, "busy");
    await expect(page).toHaveURL(({ pathname }) => pathname === "/matches/busy/delete");
    await context.close();
  }
});

test("A page that needs a session leads to the start page; whose session has ended is told so, and led back", async ({
  product,
  visit,
}) => {
  const paths = ["/matches?page=2", "/match/busy", "/clips", "/matches/busy/delete"];
  const [visitor, as] = [new ApiVisitor(product.url), await signedIn(product, "busy")];
  await endSessions(product, "busy");
  for (const path of paths) {
    const isOfMatch = path.includes("/busy");
    const needed = `/?${new URLSearchParams({ login: "needed", next: path })}`;
    expect((await visitor.request("GET", path)).headers.get("location"), path).toBe(isOfMatch ? needed : "/");
    const told = new URLSearchParams({ login: "ended", next: path });
    expect((await as.request("GET", path)).headers.get("location"), path).toBe(`/?${told}`);
  }
  const { page, problems } = await visit({ as: await signedIn(product, "busy") });
  await page.goto("/clips");
  await hydrated(page);
  await endSessions(product, "busy");
  // Before a click has revealed that the session has ended.
  await page.getByRole("link", { name: "My Matches" }).first().click();
  await expect(page.getByRole("heading", { name: "Top Highlights" })).toBeVisible();
  await expect(notice(page)).toBeVisible();
  await expect(page.getByText(sentence)).toHaveCount(1);
  await expect(page.getByRole("button", { name: "Logout" })).toHaveCount(0);
  expect(problems).toEqual([]);
  await signInAgain(page, "busy");
  await expect(page.getByRole("heading", { name: "My Matches" })).toBeVisible();
});

test("A sign-in leads back to no other site", async ({ product, visit }) => {
  for (const next of ["https://evil.example/", "//evil.example", "/\\evil.example", "/api/auth/logout/"]) {
    const { page, context } = await visit({ javaScript: false });
    await page.goto(`/?${new URLSearchParams({ login: "ended", next })}`);
    await signInAgain(page, "newcomer");
    await expect(page).toHaveURL(`${product.url}/?login=success`);
    await context.close();
  }
});
