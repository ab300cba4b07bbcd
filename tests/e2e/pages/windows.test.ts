import type { Locator } from "playwright/test";
import { holdRequests, hydrated, keepScreenshot, laptop, phone } from "../../services/browser.ts";
import { expect, test } from "../fixtures.ts";

const desktop = { width: 1920, height: 1080 };

test("Header, page and footer have the same edges in every window, and names of chosen clips one line", async ({
  product,
  visit,
}) => {
  const { maker } = product.players;
  const chosen = `/clips/compile?clip=${product.clipId}`;
  for (const viewport of [laptop, desktop]) {
    const { page } = await visit({ as: maker, viewport });
    for (const path of [`/matches/${product.matchId}`, `/clips/${product.clipId}`, "/clips", chosen]) {
      await page.goto(path);
      /** Where the text of each begins and ends. */
      const edges = await page.locator("header .wrap, main.wrap, footer .wrap").evaluateAll((parts) =>
        parts.map((part) => {
          const { left, right } = part.getBoundingClientRect();
          return `${left} ${right}`;
        }),
      );
      expect(edges, path).toHaveLength(3);
      expect(new Set(edges).size, `${path} at ${viewport.width}`).toBe(1);
    }
    const own = page.locator("main > div").last();
    const inner = await page.locator("main").evaluate((main) => {
      const { paddingLeft, paddingRight } = getComputedStyle(main);
      return main.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
    });
    expect((await own.boundingBox())?.width).toBe(inner);
    const name = page.locator("ol li p.font-semibold").first();
    expect((await name.boundingBox())!.height).toBeLessThan(24);
    await keepScreenshot(page, `compile-${viewport.width}`);
  }
});

test("The settings' tabs stand in rows of equal width on a phone, and an unticked choice looks like one", async ({
  product,
  visit,
}) => {
  const { page } = await visit({ as: product.players.maker, viewport: phone });
  await page.goto("/settings");
  const tabs = page.getByRole("navigation", { name: "Settings" }).getByRole("link");
  const widths = await tabs.evaluateAll((links) => links.map((link) => link.getBoundingClientRect().width));
  expect(widths).toHaveLength(4);
  expect(new Set(widths).size).toBe(1);
  const unticked = page.locator("input[type=radio]:not(:checked):not(:disabled)").first();
  const contrast = await unticked.evaluate((radio) => getComputedStyle(radio).borderTopColor);
  // The colour of tick boxes, whose contrast exceeds 3:1.
  expect(contrast).toBe("rgb(135, 150, 177)");
  await keepScreenshot(page, "settings-390");
});

test("Where the system gives the colours, what is chosen and how far something has come is seen", async ({
  product,
  visit,
}) => {
  const { page } = await visit({ as: product.players.busy });
  await page.emulateMedia({ forcedColors: "active" });
  /** An element's fill or border. */
  const look = (selector: string, property: "backgroundColor" | "borderTopColor" | "borderTopWidth") =>
    page
      .locator(selector)
      .first()
      .evaluate((element, asked) => getComputedStyle(element)[asked], property);
  const system = (name: string) =>
    page.evaluate((colour) => {
      const probe = document.body.appendChild(document.createElement("i"));
      probe.style.color = colour;
      const { color } = getComputedStyle(probe);
      probe.remove();
      return color;
    }, name);

  await page.goto("/matches");
  await hydrated(page);
  const highlight = await system("Highlight");
  const canvas = await system("Canvas");
  expect(highlight).not.toBe(canvas);
  expect(await look("header nav [aria-current]", "backgroundColor")).toBe(highlight);
  expect(await look("[role=progressbar] > div", "backgroundColor")).toBe(highlight);
  expect(await look("[role=progressbar]", "borderTopWidth")).toBe("1px");
  await keepScreenshot(page, "forced-matches");

  await page.goto("/settings");
  await hydrated(page);
  expect(await look("main nav [aria-current]", "backgroundColor")).toBe(highlight);
  expect(await look("input[type=radio]:checked", "borderTopColor")).toBe(highlight);
  expect(await look("input[type=radio]:not(:checked)", "borderTopColor")).toBe(await system("CanvasText"));
  await keepScreenshot(page, "forced-settings");

  await page.goto("/matches/busy");
  await hydrated(page);
  const card = page.locator('input[name="highlight"]').first();
  const untickedFill = await look('input[name="highlight"]', "backgroundColor");
  await card.check();
  await expect.poll(() => look('input[name="highlight"]:checked', "backgroundColor")).not.toBe(untickedFill);
  await page.locator("button[name=toggle][value^=category]").first().click();
  expect(await look('.filter[aria-pressed="true"]', "backgroundColor")).toBe(highlight);
  await keepScreenshot(page, "forced-match");
});

test("A page that is loaded anew, or come back to from another site, is where it was", async ({ product, visit }) => {
  const { page, problems } = await visit({ as: product.players.maker, viewport: phone });
  await page.goto(`/matches/${product.matchId}`);
  await hydrated(page);
  const box = page.locator('input[name="highlight"]').nth(3);
  await box.scrollIntoViewIfNeeded();
  await expect(box).toBeInViewport();
  const place = () => page.evaluate(() => Math.round(scrollY));
  const before = await place();
  expect(before).toBeGreaterThan(1000);
  for (const leave of [() => page.reload(), () => page.goto("about:blank").then(() => page.goBack())]) {
    await leave();
    await hydrated(page);
    await expect.poll(place).toBeGreaterThan(before - 60);
    expect(await place()).toBeLessThan(before + 60);
  }
  expect(problems).toEqual([]);
});

test("The filters of My Highlights are one row on a laptop, what is ticked one on a phone, and nothing shines through it", async ({
  product,
  visit,
}) => {
  const { page } = await visit({ as: product.players.maker, viewport: laptop });
  await page.goto("/highlights");
  await hydrated(page);
  const bottomOf = async (part: Locator) => {
    const box = await part.boundingBox();
    return Math.round((box?.y ?? 0) + (box?.height ?? 0));
  };
  const show = page.getByRole("button", { name: "Show", exact: true });
  expect(await bottomOf(show)).toBe(await bottomOf(page.getByRole("combobox", { name: "Type" })));
  await keepScreenshot(page, "my-highlights-filters-1280");
  await page.setViewportSize(phone);
  await page.locator("li input[type=checkbox]").first().check();
  const bar = page.locator(".ticked-bar");
  await expect(bar.getByText("1 ticked")).toBeVisible();
  expect((await bar.boundingBox())?.height).toBeLessThan(90);
  await expect(bar).toHaveCSS("background-color", /^(rgb|color|oklab|lab)\([^/]*\)$/);
  await keepScreenshot(page, "my-highlights-ticked-390");
});

test("Names of formats keep their distance from the edges of their boxes", async ({ product, visit }) => {
  const { page } = await visit({ as: product.players.maker, viewport: laptop });
  await page.goto(`/matches/${product.matchId}`);
  const choices = page.getByRole("group", { name: "Format" }).locator("label");
  await expect(choices).toHaveCount(3);
  for (const choice of await choices.all()) {
    const room = await choice.evaluate((label) => {
      const name = document.createRange();
      name.selectNodeContents(label.querySelector("span span") as Element);
      return label.getBoundingClientRect().right - name.getBoundingClientRect().right;
    });
    expect(room).toBeGreaterThanOrEqual(8);
  }
});

test("Back to a long list is back to where one was in it, and a slow page's outline stands at the top", async ({
  product,
  visit,
}) => {
  const { page, problems } = await visit({ as: product.players.maker, viewport: phone });
  await page.goto("/clips");
  await hydrated(page);
  await page.waitForLoadState("networkidle");
  const cards = page.locator("main ul > li article, main ul > li");
  const shownAtFirst = await cards.count();
  // More clips load when the reader is near the end.
  await expect
    .poll(async () => {
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      return cards.count();
    })
    .toBeGreaterThan(shownAtFirst);
  // More may load below it while it is being pressed.
  const link = cards
    .nth((await cards.count()) - 1)
    .getByRole("link")
    .first();
  await link.scrollIntoViewIfNeeded();
  const place = () => page.evaluate(() => Math.round(scrollY));
  // The pressed element is first scrolled out from under the bars.
  await page.evaluate(() =>
    document.addEventListener("click", () => sessionStorage.setItem("place", `${scrollY}`), { capture: true }),
  );
  const release = await holdRequests(page, /\/clips\/[^/]+\.data/);
  await link.click();
  await expect(page.getByText("Loading clip...")).toBeVisible();
  await expect(page.locator(".shimmer").first()).toBeInViewport();
  await expect.poll(place).toBe(0);
  const before = await page.evaluate(() => Number(sessionStorage.getItem("place")));
  expect(before).toBeGreaterThan(2000);
  release();
  await expect(page.locator("video").first()).toBeVisible();
  await expect.poll(place).toBe(0);
  await page.goBack();
  await expect(page.getByRole("heading", { name: "My Clips" })).toBeAttached();
  await expect.poll(place).toBeGreaterThan(before - 60);
  expect(await place()).toBeLessThan(before + 60);
  await expect(link).toBeInViewport();
  // A new page begins at the top.
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Home" }).click();
  await expect(page.getByRole("heading", { name: "Top Highlights" })).toBeVisible();
  await expect.poll(place).toBe(0);
  expect(problems).toEqual([]);
});

for (const javaScript of [true, false]) {
  const way = javaScript ? "with JavaScript" : "without JavaScript";
  test(`On a phone the filters of clips are folded away until one is asked for or chosen, ${way}`, async ({
    product,
    visit,
  }) => {
    const { page } = await visit({ as: product.players.maker, javaScript, viewport: phone });
    await page.goto("/clips");
    if (javaScript) await hydrated(page);
    const show = page.getByRole("button", { name: "Show", exact: true });
    await expect(show).toBeHidden();
    const first = await page.getByRole("article").first().boundingBox();
    expect(first?.y).toBeLessThan(phone.height);
    await keepScreenshot(page, `clips-folded-${javaScript ? "" : "no-js-"}390`);
    await page.getByText("Filters", { exact: true }).click();
    await page.getByLabel("Type").selectOption({ label: "Ninja Defuse" });
    if (!javaScript) await show.click();
    await expect(page).toHaveURL(/type=ninja_defuse/);
    await expect(show).toBeVisible();
    await page.reload();
    await expect(page.getByLabel("Type")).toHaveValue("ninja_defuse");
    await expect(show).toBeVisible();
  });
}

test("On a phone a clip's video stands high on its owner's page, and its buttons in two rows", async ({
  product,
  visit,
}) => {
  const { page } = await visit({ as: product.players.maker, viewport: phone });
  await page.goto(`/clips/${product.clipId}`);
  await hydrated(page);
  const topOf = async (part: Locator) => Math.round((await part.boundingBox())?.y ?? 0);
  const video = await topOf(page.locator("video"));
  expect(video - (await topOf(page.locator("#content")))).toBeLessThan(125);
  // Its visible text only says where it leads; the name is for screen readers.
  await expect(page.getByRole("link", { name: "The match", exact: true })).toBeVisible();
  const actions = page.locator(".clip-actions");
  const like = await topOf(actions.getByRole("button", { name: /like/ }));
  expect(await topOf(actions.locator("summary", { hasText: "Download" }))).toBe(like);
  const edit = await topOf(actions.getByRole("link", { name: "Edit" }));
  expect(await topOf(actions.getByRole("link", { name: "Record in game" }))).toBe(edit);
  expect(edit - like).toBeLessThan(60);
  await keepScreenshot(page, "clip-own-390");
});
