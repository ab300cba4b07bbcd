import type { Locator, Page } from "playwright/test";
import type { MatchDetail } from "../../../contract/schemas/matches.ts";
import { holdRequests, hydrated, keepScreenshot, laptop, phone, requestsOf } from "../../services/browser.ts";
import { addCompletedMatch } from "../../services/populated-product.ts";
import { addClip } from "../../services/seeded-rows.ts";
import { expect, test } from "../fixtures.ts";

const chosen = (page: Page) => page.getByRole("region", { name: "Your choice" });
const rows = (page: Page) => chosen(page).getByRole("listitem");
const handleOf = (row: Locator) => row.locator(".drag-handle");
const namesOf = async (page: Page) =>
  (
    await rows(page)
      .getByRole("link", { name: /^Take .* out$/ })
      .all()
  ).map(async (link) => (await link.getAttribute("aria-label"))?.replace(/^Take (.*) out$/, "$1"));
const order = async (page: Page) => Promise.all(await namesOf(page));

/** The centre of an element in the window. */
async function middle(target: Locator): Promise<{ x: number; y: number }> {
  const box = await target.boundingBox();
  if (!box) throw new Error("What is to be dragged is not seen.");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** The centres of two elements, both scrolled into the window. */
async function middles(from: Locator, to: Locator) {
  await to.scrollIntoViewIfNeeded();
  await from.scrollIntoViewIfNeeded();
  return { from: await middle(from), to: await middle(to) };
}

/** Chooses some clips by the page's own links. */
async function choose(page: Page, count: number): Promise<void> {
  await page.goto("/clips/compile");
  await hydrated(page);
  for (let index = 0; index < count; index++) {
    await page.getByRole("link", { name: /^Add / }).first().click();
    await expect(rows(page)).toHaveCount(index + 1);
  }
}

test("Clips that are added and taken out faster than the server answers are all added and taken out", {
  tag: "@long",
}, async ({ product, visit }) => {
  const { page, problems } = await visit({ as: product.players.maker, viewport: laptop });
  await page.goto("/clips/compile");
  await hydrated(page);
  const pressAll = async (links: () => Locator, count: number) => {
    const answer = await holdRequests(page, /\/clips\/compile\.data/);
    for (let press = 0; press < count; press++) await links().click();
    answer();
    await page.unrouteAll({ behavior: "ignoreErrors" });
  };
  const add = page.getByRole("link", { name: /^Add / });
  await pressAll(() => add.first(), 3);
  await expect(rows(page)).toHaveCount(3);
  await expect.poll(() => new URL(page.url()).searchParams.getAll("clip")).toHaveLength(3);
  const out = rows(page).getByRole("link", { name: /^Take .* out$/ });
  let place = 0;
  await pressAll(() => out.nth(place++), 2);
  await expect(rows(page)).toHaveCount(1);
  await expect.poll(() => new URL(page.url()).searchParams.getAll("clip")).toHaveLength(1);
  expect(problems).toEqual([]);
});

test("Clips of a compilation are dragged into order with a mouse; Escape gives a drag up", async ({
  product,
  visit,
}) => {
  const { page, problems } = await visit({ as: product.players.maker, viewport: laptop });
  const scripts = requestsOf(page, "drag-row");
  await choose(page, 4);
  expect(scripts).toEqual([]);
  const [first, ...others] = await order(page);
  const { from, to } = await middles(handleOf(rows(page).first()), handleOf(rows(page).nth(2)));
  await page.mouse.move(from.x, from.y);
  await expect.poll(() => scripts.length).toBe(1);
  await page.mouse.down();
  await page.mouse.move(from.x, from.y + 8);
  await expect(page.locator("[data-dragged]")).toHaveCount(1);
  await page.mouse.move(to.x, to.y + 6, { steps: 6 });
  await page.mouse.up();
  await expect(page.locator("[data-dragged]")).toHaveCount(0);
  const moved = [others[0], others[1], first, others[2]];
  await expect.poll(() => order(page)).toEqual(moved);
  await expect(page.getByRole("status").filter({ hasText: `${first} is now 3 of 4` })).toHaveCount(1);
  // The form joins the clips in the address, once that has been updated.
  const inForm = await page
    .locator('input[type="hidden"][name="clip"]')
    .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value));
  expect(inForm).toHaveLength(4);
  await expect.poll(() => new URL(page.url()).searchParams.getAll("clip")).toEqual(inForm);

  const again = await middles(handleOf(rows(page).nth(2)), handleOf(rows(page).first()));
  await page.mouse.move(again.from.x, again.from.y);
  await page.mouse.down();
  await page.mouse.move(again.to.x, again.to.y, { steps: 4 });
  await expect(page.locator("[data-dragged]")).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(page.locator("[data-dragged]")).toHaveCount(0);
  await page.mouse.up();
  expect(await order(page)).toEqual(moved);
  expect(problems).toEqual([]);
});

test("With a finger the row follows and the page stays; without JavaScript the arrows are there alone", async ({
  product,
  visit,
}) => {
  const { page, context, problems } = await visit({ as: product.players.maker, viewport: phone });
  await choose(page, 3);
  const before = await order(page);
  const { from, to } = await middles(handleOf(rows(page).last()), handleOf(rows(page).first()));
  const scrolled = await page.evaluate(() => scrollY);
  const client = await context.newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", y?: number) =>
    client.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: y === undefined ? [] : [{ x: from.x, y }],
    });
  await touch("touchStart", from.y);
  await touch("touchMove", from.y - 8);
  await expect(page.locator("[data-dragged]")).toHaveCount(1);
  for (let part = 1; part <= 5; part++) await touch("touchMove", from.y + ((to.y - 6 - from.y) * part) / 5);
  await touch("touchEnd");
  await expect.poll(() => order(page)).toEqual([before[2], before[0], before[1]]);
  expect(Math.abs((await page.evaluate(() => scrollY)) - scrolled)).toBeLessThan(60);
  expect(problems).toEqual([]);

  const plain = await visit({ as: product.players.maker, javaScript: false });
  await plain.page.goto(page.url());
  await expect(rows(plain.page)).toHaveCount(3);
  await expect(plain.page.locator(".drag-handle")).toHaveCount(0);
  await expect(rows(plain.page).getByRole("link", { name: /^Move .* (up|down)$/ })).toHaveCount(4);
});

test("Rounds of a clip are put in order by dragging or by their place, and the form sends them", async ({
  product,
  visit,
}) => {
  const { userId, matchId } = await addCompletedMatch(product, "newcomer");
  const { database } = product.services;
  const { highlights } = await product.players.newcomer.call<MatchDetail>("GET", `/api/matches/${matchId}/`);
  const clipId = await addClip(database, product.clipId, { userId, matchId, name: "Two rounds" });
  await database.deleteFrom("clip_highlights").where("clip_id", "=", clipId).execute();
  const ofRounds = [highlights[0]!, highlights.at(-1)!];
  await database
    .insertInto("clip_highlights")
    .values(ofRounds.map(({ id }, position) => ({ clip_id: clipId, highlight_id: id, position })))
    .execute();
  const { page, problems } = await visit({ as: product.players.newcomer, viewport: laptop });
  await page.goto(`/clips/${clipId}/edit`);
  await hydrated(page);
  const places = page.locator('select[name^="place-"]');
  await expect(places.first()).toBeVisible();
  const count = await places.count();
  expect(count).toBeGreaterThan(1);
  const rounds = () => places.evaluateAll((all) => all.map((select) => (select as HTMLSelectElement).name));
  const values = () => places.evaluateAll((all) => all.map((select) => (select as HTMLSelectElement).value));
  const [first = "", second = ""] = await rounds();
  const list = page.locator("ol", { has: places.first() }).getByRole("listitem");
  const { from, to } = await middles(handleOf(list.nth(1)), handleOf(list.first()));
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x, from.y - 8);
  await expect(page.locator("[data-dragged]")).toHaveCount(1);
  await page.mouse.move(to.x, to.y - 6, { steps: 5 });
  await page.mouse.up();
  await expect.poll(async () => (await rounds()).slice(0, 2)).toEqual([second, first]);
  expect(await values()).toEqual(Array.from({ length: count }, (_, place) => String(place + 1)));
  await keepScreenshot(page, "edit-order-1280");

  await page.locator(`select[name="${first}"]`).selectOption("1");
  await expect.poll(async () => (await rounds()).slice(0, 2)).toEqual([first, second]);
  await expect(page.locator(`select[name="${first}"]`)).toBeFocused();
  expect(problems).toEqual([]);
});
