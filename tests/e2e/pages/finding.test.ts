import type { Page } from "playwright/test";
import { runJoinJob } from "../../../backend/clips/render/join-job.ts";
import { axeViolations, hydrated, keepScreenshot, laptop, phone } from "../../services/browser.ts";
import { addPlayer, type PopulatedProduct, steamIds } from "../../services/populated-product.ts";
import { expect, test } from "../fixtures.ts";

/** The page must not be wider than the window. */
async function fits(page: Page): Promise<void> {
  const { width, window } = await page.evaluate(() => ({
    width: document.documentElement.scrollWidth,
    window: innerWidth,
  }));
  expect(width).toBeLessThanOrEqual(window);
}

async function joinAll({ services }: PopulatedProduct): Promise<void> {
  const waiting = await services.database
    .selectFrom("clips")
    .select("id")
    .where("match_id", "is", null)
    .where("status", "=", "queued")
    .execute();
  for (const { id: clipId } of waiting) {
    const signal = new AbortController().signal;
    await runJoinJob(services, { clipId }, { signal, attempt: 0, isLastAttempt: true, isAutomatic: false });
  }
}

for (const javaScript of [true, false]) {
  const way = javaScript ? "with JavaScript" : "without JavaScript";
  const withoutScriptsLong = { tag: javaScript ? [] : "@long" };

  test(
    `Clips are chosen, put in order and joined into a compilation with a page of its own, ${way}`,
    withoutScriptsLong,
    async ({ product, visit }) => {
      const { page, problems } = await visit({ as: product.players.maker, javaScript });
      await page.goto("/clips");
      if (javaScript) await hydrated(page);
      await page.getByRole("link", { name: "Make a compilation" }).click();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("New compilation");
      const create = page.getByRole("button", { name: /^Create compilation/ });
      await expect(create).toBeDisabled();
      const chosen = page.getByRole("region", { name: "Your choice" });
      const add = page.getByRole("link", { name: /^Add / });
      const names: string[] = [];
      for (let index = 0; index < 3; index++) {
        names.push(((await add.first().getAttribute("aria-label")) ?? "").replace("Add ", ""));
        await add.first().click();
        await expect(chosen.getByRole("listitem")).toHaveCount(index + 1);
      }
      await chosen.getByRole("link", { name: `Move ${names[2]} up`, exact: true }).click();
      await expect(chosen.getByRole("listitem").nth(1)).toContainText(names[2] ?? "");
      if (javaScript) await expect(page.locator(":focus")).toHaveAttribute("aria-label", `Move ${names[2]} up`);
      await chosen.getByRole("link", { name: `Take ${names[0]} out`, exact: true }).click();
      await expect(chosen.getByRole("listitem")).toHaveCount(2);
      await expect(chosen.getByRole("status")).toHaveText(/^2 \/ 10 · \d:\d\d$/);
      if (javaScript) expect(await axeViolations(page)).toEqual([]);
      await fits(page);
      await keepScreenshot(page, `compile-${javaScript ? "laptop" : "plain"}`);

      await page.getByLabel("Name (optional)").fill(`Week in review ${way}`);
      await create.click();
      await expect(page).toHaveURL(/\/clips\/\d+$/);
      await expect(page.getByText("Video is queued for processing...")).toBeVisible();
      await joinAll(product);
      await page.reload();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Week in review ${way}`);
      const parts = page.getByRole("region", { name: "2 clips" });
      await expect(parts.getByRole("listitem").first()).toContainText(names[2] ?? "");
      await expect(parts.getByRole("listitem").first()).toContainText("0:00");
      await expect(parts.getByRole("link", { name: names[2] ?? "", exact: true })).toHaveAttribute(
        "href",
        /^\/clips\/\d+$/,
      );
      await expect(page.locator("video")).toHaveCount(1);
      await expect(page.locator('meta[property="og:video"]')).toHaveAttribute("content", /\/video\/clips\/\d+\//);
      if (javaScript) expect(await axeViolations(page)).toEqual([]);
      await keepScreenshot(page, `compilation-${javaScript ? "laptop" : "plain"}`);
      const second = parts.getByRole("link", { name: /^Jump to / }).nth(1);
      const begin = Number(/[?&]t=([\d.]+)$/.exec((await second.getAttribute("href")) ?? "")?.[1]);
      expect(begin).toBeGreaterThan(1);
      await second.click();
      if (javaScript) {
        const at = () => page.locator("video").evaluate((video: HTMLVideoElement) => video.currentTime);
        await expect.poll(at).toBeGreaterThanOrEqual(begin - 0.1);
      } else {
        await expect(page.locator("video source")).toHaveAttribute("src", new RegExp(`#t=${begin}$`));
      }
      // It belongs to no single match, so clips of its maker follow.
      await expect(page.getByRole("link", { name: "The match", exact: true })).toHaveCount(0);
      await expect(page.getByRole("heading", { name: "More clips of this player" })).toBeVisible();
      await expect(page.getByRole("heading", { name: /^More clips on/ })).toHaveCount(0);
      await page.getByRole("link", { name: "Edit", exact: true }).click();
      await expect(page.getByText("A compilation stays as it was joined.")).toBeVisible();
      await page.getByRole("link", { name: "Join its clips again" }).click();
      await expect(page).toHaveURL(/\/clips\/compile\?clip=\d+&clip=\d+$/);
      await expect(chosen.getByRole("listitem")).toHaveCount(2);
      await expect(chosen.getByRole("listitem").first()).toContainText(names[2] ?? "");
      await page.goto("/clips");
      await expect(page.getByRole("region", { name: "Compilations", exact: true })).toContainText(
        `Week in review ${way}`,
      );
      expect(problems).toEqual([]);
    },
  );

  test(
    `Home, a player's clips and one's own are narrowed down by map, type and player, ${way}`,
    withoutScriptsLong,
    async ({ product, visit }) => {
      const { page, problems } = await visit({ as: product.players.maker, javaScript, viewport: laptop });
      for (const path of ["/", `/users/${steamIds.maker}/clips`, "/clips"]) {
        await page.goto(path);
        if (javaScript) await hydrated(page);
        const filters = page.getByRole("search", { name: "Filter clips" });
        await filters.getByLabel("Type").selectOption({ label: "Ninja Defuse" });
        if (!javaScript) await filters.getByRole("button", { name: "Show" }).click();
        await expect(page).toHaveURL(/type=ninja_defuse/);
        await expect(filters.getByLabel("Type")).toHaveValue("ninja_defuse");
        await expect(page.getByRole("link", { name: "Clear" })).toBeVisible();
        if (path === "/") {
          await expect(page.getByRole("region", { name: "Best One Taps" })).toContainText("No clips available");
          await expect(page.getByRole("region", { name: "Best Ninja Defuses" })).not.toContainText(
            "No clips available",
          );
        } else await expect(page.getByRole("article").first()).toBeVisible();
        await filters.getByLabel("Player").fill("nobody of this name");
        await filters.getByRole("button", { name: "Show" }).click();
        await expect(page).toHaveURL(/player=nobody/);
        if (path === "/") await expect(page.getByText("No clips available")).toHaveCount(9);
        else await expect(page.getByText("No clip fits these filters.")).toBeVisible();
        if (javaScript) expect(await axeViolations(page)).toEqual([]);
        await fits(page);
        await page.getByRole("link", { name: "Clear" }).click();
        await expect(page).not.toHaveURL(/type=|player=/);
      }
      expect(problems).toEqual([]);
    },
  );

  test(
    `Highlights of all matches are found, ticked and taken to their match, ${way}`,
    withoutScriptsLong,
    async ({ product, visit }) => {
      const { page, problems } = await visit({ as: product.players.maker, javaScript });
      await page.goto("/matches");
      if (javaScript) await hydrated(page);
      await page.getByRole("link", { name: "All highlights" }).click();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("My Highlights");
      const place = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "My Matches" });
      await expect(place.first()).toHaveAttribute("aria-current", "page");
      const lead = javaScript ? "link" : "button";
      await expect(page.getByRole(lead, { name: "Yours" })).toHaveAttribute("aria-current", "true");
      await page.getByRole(lead, { name: "Everybody's" }).click();
      await expect(page).toHaveURL(/player=all/);
      // The address changes before the list does.
      await expect(page.getByRole(lead, { name: "Everybody's" })).toHaveAttribute("aria-current", "true");
      const filters = page.getByRole("search", { name: "Filter highlights" });
      await filters.getByLabel("Type").selectOption({ label: "Ace" });
      if (!javaScript) await filters.getByRole("button", { name: "Show" }).click();
      await expect(page).toHaveURL(/type=ace/);
      const cards = page.getByRole("article");
      await expect(cards.first().getByRole("heading")).toHaveText(/^Ace/);
      await expect(cards.getByRole("heading").filter({ hasNotText: /^Ace/ })).toHaveCount(0);
      if (javaScript) expect(await axeViolations(page)).toEqual([]);
      await fits(page);
      await keepScreenshot(page, `highlights-${javaScript ? "laptop" : "plain"}`);

      const ticks = page.getByRole("checkbox");
      await ticks.nth(0).check();
      await ticks.nth(1).check();
      await page.getByRole("button", { name: "Make a clip of these" }).click();
      // The same demo under two maps: one highlight of each.
      const several = page.getByRole("region", { name: "These are from 2 matches" });
      await expect(several.getByRole("link")).toHaveCount(2);
      await expect(ticks.nth(0)).toBeChecked();
      await several.getByRole("link").first().click();
      await expect(page).toHaveURL(/\/matches\/[\w-]+\?highlight=\d+$/);
      if (javaScript) await hydrated(page);
      await expect(page.locator('input[name="highlight"]:checked')).toHaveCount(1);
      expect(problems).toEqual([]);
    },
  );

  test(
    `Ticked highlights stay ticked on other pages and under other filters, until they are unticked, ${way}`,
    withoutScriptsLong,
    async ({ product, visit }) => {
      const { page, problems } = await visit({ as: product.players.maker, javaScript });
      await page.goto("/highlights?player=all");
      if (javaScript) await hydrated(page);
      const lead = javaScript ? "link" : "button";
      const turn = (name: string) => page.getByRole(lead, { name, exact: true }).click();
      const number = page.getByRole("navigation", { name: "Pages of highlights" }).getByRole("paragraph");
      const status = page.locator(".create-bar").getByRole("status");
      const ticks = page.getByRole("main").getByRole("checkbox");
      const says = (here: number, elsewhere: number) =>
        expect(status).toHaveText(
          javaScript
            ? `${here + elsewhere} ticked${elsewhere > 0 ? `, ${elsewhere} of them not shown here` : ""}`
            : elsewhere > 0
              ? `${elsewhere} ticked that are not shown here`
              : "",
        );
      const first = (await ticks.first().getAttribute("value")) ?? "";
      const tick = (value: string) => page.locator(`input[type=checkbox][value="${value}"]`);
      await ticks.first().check();
      await turn("Next page");
      await expect(number).toHaveText("2");
      await says(0, 1);
      const second = (await ticks.first().getAttribute("value")) ?? "";
      await ticks.first().check();
      // From one match each, as many as a clip may have.
      const filters = page.getByRole("search", { name: "Filter highlights" });
      await filters.getByLabel("Type").selectOption({ label: "Ninja Defuse" });
      if (!javaScript) await filters.getByRole("button", { name: "Show" }).click();
      await expect(page).toHaveURL(/type=ninja_defuse/);
      await says(0, 2);
      if (javaScript) expect(await axeViolations(page)).toEqual([]);
      await fits(page);
      await keepScreenshot(page, `highlights-kept-${javaScript ? "laptop" : "plain"}`);
      await filters.getByLabel("Player").fill("nobody of that name");
      await filters.getByLabel("Player").press("Enter");
      await expect(page.getByText("No highlight fits these filters.")).toBeVisible();
      await expect(page).toHaveURL(/player=nobody/);
      await says(0, 2);
      await turn("Clear");
      await expect(page).not.toHaveURL(/type=|player=/);
      await turn("Everybody's");
      await expect(tick(first)).toBeChecked();
      await says(1, 1);
      await page.reload();
      if (javaScript) await hydrated(page);
      await expect(tick(first)).toBeChecked();
      await says(1, 1);
      await turn("Next page");
      await expect(tick(second)).toBeChecked();
      await turn("Previous page");
      await expect(tick(first)).toBeChecked();
      await tick(first).uncheck();
      await turn("Next page");
      await expect(number).toHaveText("2");
      await turn("Previous page");
      await expect(number).toHaveText("1");
      await expect(tick(first)).not.toBeChecked();
      await says(0, 1);
      if (javaScript) {
        await tick(first).check();
        await page.goBack();
        await expect(number).toHaveText("2");
        await expect(tick(second)).toBeChecked();
        await says(1, 1);
        await page.goForward();
        await expect(number).toHaveText("1");
        await expect(tick(first)).toBeChecked();
      }
      await page.getByRole("button", { name: "Untick all" }).click();
      await says(0, 0);
      await expect(page.locator("main :checked[type=checkbox]")).toHaveCount(0);
      await expect(page).not.toHaveURL(/pick=/);
      expect(problems).toEqual([]);
    },
  );

  test(
    `A highlight of one page and one of another are taken to their matches, by name, ${way}`,
    withoutScriptsLong,
    async ({ product, visit }) => {
      const { page, problems } = await visit({ as: product.players.maker, javaScript });
      await page.goto("/highlights?player=all");
      if (javaScript) await hydrated(page);
      const number = page.getByRole("navigation", { name: "Pages of highlights" }).getByRole("paragraph");
      const ticks = page.getByRole("main").getByRole("checkbox");
      const first = (await ticks.first().getAttribute("value")) ?? "";
      await ticks.first().check();
      await page.getByRole(javaScript ? "link" : "button", { name: "Next page", exact: true }).click();
      await expect(number).toHaveText("2");
      const values = await ticks.evaluateAll((all) => all.map((one) => one.getAttribute("value") ?? ""));
      const isOfFirst = (value: string) => value.split(":")[0] === first.split(":")[0];
      const other = values.find((value) => !isOfFirst(value)) ?? "";
      await page.locator(`input[value="${other}"]`).check();
      await page.getByRole("button", { name: "Make a clip of these" }).click();
      const several = page.getByRole("region", { name: "These are from 2 matches" });
      await expect(several).toBeInViewport();
      if (javaScript) await expect(several.getByRole("heading")).toBeFocused();
      await expect(several.getByRole("link")).toHaveText([/^(?!Match ).+: 1 ticked$/, /^(?!Match ).+: 1 ticked$/]);
      await expect(number).toHaveText("2");
      await expect(page.locator(`input[value="${other}"]`)).toBeChecked();

      await page.locator(`input[value="${other}"]`).uncheck();
      const same = values.filter(isOfFirst).slice(0, 5);
      for (const value of same) await page.locator(`input[value="${value}"]`).check();
      if (javaScript && same.length === 5) {
        await expect(page.getByText("Too many highlights of one match (6/5 max)")).toBeVisible();
        await expect(page.getByRole("button", { name: "Make a clip of these" })).toBeDisabled();
      }
      for (const value of same.slice(1)) await page.locator(`input[value="${value}"]`).uncheck();
      await page.getByRole("button", { name: "Make a clip of these" }).click();
      await expect(page).toHaveURL(new RegExp(`/matches/${first.split(":")[0]}\\?highlight=\\d+&highlight=\\d+$`));
      expect(problems).toEqual([]);
    },
  );
}

test("Highlights are found by the days that their cards show, in the visitor's time zone", async ({
  product,
  visit,
}) => {
  const { database } = product.services;
  // Eight in the evening in Bogotá.
  const played_at = "2026-11-21T01:00:00Z";
  await database.updateTable("demos").set({ played_at }).where("sha256", "=", product.demoSha256).execute();
  for (const [zone, shown, day, other] of [
    ["America/Bogota", "November 20, 2026 at 08:00 PM", "2026-11-20", "2026-11-21"],
    ["Asia/Tokyo", "November 21, 2026 at 10:00 AM", "2026-11-21", "2026-11-20"],
  ] as const) {
    const { page, context } = await visit({ as: product.players.maker, javaScript: false });
    await context.addCookies([{ name: "tz", value: zone, url: product.url }]);
    await page.goto("/highlights?player=all");
    const filters = page.getByRole("search", { name: "Filter highlights" });
    await filters.getByLabel("Played from").fill(day);
    await filters.getByLabel("until", { exact: true }).fill(day);
    await filters.getByRole("button", { name: "Show" }).click();
    await expect(page.getByRole("article").first()).toContainText(shown);
    await expect(page.getByRole("article").filter({ hasNotText: shown })).toHaveCount(0);
    await page.goto(`/highlights?player=all&from=${other}&until=${other}`);
    await expect(page.getByText("No highlight fits these filters.")).toBeVisible();
  }
});

test("On phones the filters of highlights are folded until one is set, cards have the moment's picture, and nothing is there to filter for who has none", async ({
  product,
  visit,
}) => {
  for (const javaScript of [true, false]) {
    const { page, problems } = await visit({ as: product.players.maker, viewport: phone, javaScript });
    await page.goto("/highlights?player=all");
    if (javaScript) await hydrated(page);
    const type = page.getByLabel("Type");
    await expect(type).toBeHidden();
    await expect(page.locator("article .still img").first()).toBeVisible();
    const picture = (await page.locator("article .still img").first().getAttribute("src")) ?? "";
    expect(picture).toMatch(/\/pictures\/\w+\/highlight-\d+\.webp$/);
    expect((await page.request.get(picture)).status()).toBe(200);
    await keepScreenshot(page, `highlights-folded-${javaScript ? "phone" : "plain"}`);
    await page.getByText("Filters", { exact: true }).click();
    await type.selectOption({ label: "Ninja Defuse" });
    if (!javaScript) await page.getByRole("button", { name: "Show" }).click();
    await expect(page).toHaveURL(/type=ninja_defuse/);
    await expect(type).toBeVisible();
    await fits(page);
    expect(problems).toEqual([]);
  }
  const { page } = await visit({ as: product.players.newcomer });
  await page.goto("/highlights");
  await expect(page.getByText("There are no highlights yet.")).toBeVisible();
  await expect(page.getByLabel("Type")).toHaveCount(0);
  await expect(page.getByRole("search")).toHaveCount(0);
});

test("A newcomer is led to the sample in one press, and every Steam ID has a page", async ({ product, visit }) => {
  const newcomer = await addPlayer(product);
  const { page, problems } = await visit({ as: newcomer });
  await page.goto("/");
  await hydrated(page);
  await keepScreenshot(page, "home-newcomer");
  await page.getByRole("button", { name: "Try the sample match" }).click();
  await expect(page).toHaveURL(/\/matches\/[\w-]+$/);
  await page.goto("/");
  await expect(page.getByRole("button", { name: "Try the sample match" })).toHaveCount(0);

  await page.goto("/users/76561198012345678/clips");
  await expect(page.getByText("This user hasn't created any clips yet.")).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);
  await keepScreenshot(page, "user-unknown-laptop");
  expect(problems).toEqual([]);
});

test("Lists of Home begin with different clips, and none of these pages is wider than its window", {
  tag: "@long",
}, async ({ product, visit }) => {
  const { page, problems } = await visit({ as: product.players.maker });
  for (const path of ["/", "/clips", "/clips/compile", "/highlights", `/users/${steamIds.maker}/clips`]) {
    await page.setViewportSize(phone);
    await page.goto(path);
    for (const viewport of [phone, { width: 768, height: 1024 }, laptop, { width: 1920, height: 1080 }]) {
      await page.setViewportSize(viewport);
      await fits(page);
      await keepScreenshot(page, `width-${viewport.width}${path.replaceAll("/", "-")}`);
    }
  }
  await page.goto("/");
  const shown: (string | null)[] = [];
  for (const name of ["Newest Clips", "Most Viewed", "Most Liked"]) {
    shown.push(await page.getByRole("region", { name }).locator('a[href^="/clips/"]').getAttribute("href"));
  }
  expect(new Set(shown).size).toBe(3);
  expect(problems).toEqual([]);
});
