import { sql } from "kysely";
import type { Page } from "playwright/test";
import { axeViolations, hydrated, keepScreenshot, laptop, phone } from "../../services/browser.ts";
import { coveredByTabbing } from "../../services/covered-focus.ts";
import { addCompletedMatch, type PopulatedProduct } from "../../services/populated-product.ts";
import { finishClip } from "../../services/seeded-rows.ts";
import { expect, test } from "../fixtures.ts";

/** A match with 65 highlights, some by the maker, who played in it. */
async function crowdedMatch(product: PopulatedProduct): Promise<string> {
  const { matchId } = await addCompletedMatch(product, "maker");
  const { database } = product.services;
  await sql`
    INSERT INTO highlights (demo_sha256, type, round, player, kills_count, score, reason, start_tick, end_tick, moments)
    SELECT h.demo_sha256, h.type, h.round, h.player, h.kills_count, h.score - n, h.reason, h.start_tick, h.end_tick, h.moments
    FROM highlights h JOIN matches m ON m.demo_sha256 = h.demo_sha256 AND m.id = ${matchId}, generate_series(1, 3) n
    ORDER BY n, h.id LIMIT 43`.execute(database);
  return matchId;
}

const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
const createButton = (page: Page) => page.getByRole("button", { name: /^(Create Clip|Too many)/ });
const filters = (page: Page) => page.getByRole("complementary", { name: "Filters" });

/** At a zoom of 200 % a laptop's window has half as many CSS pixels in each direction. */
const zoomed = { width: laptop.width / 2, height: laptop.height / 2 };

test("After every filter nothing is wider than the window and the create button is in it, with 65 highlights", {
  tag: "@long",
}, async ({ product, visit }) => {
  const matchId = await crowdedMatch(product);
  const { page, problems } = await visit({ as: product.players.maker, viewport: phone });
  await page.goto(`/matches/${matchId}`);
  await hydrated(page);
  await expect(page.getByRole("heading", { name: "Match Highlights (65)" })).toBeVisible();
  // Once open they stay open, and from 1024 pixels on they always are.
  await page.locator("label, button", { hasText: "Filters" }).click();
  for (const viewport of [phone, { width: 768, height: 1024 }, zoomed, laptop, { width: 1920, height: 1080 }]) {
    await page.setViewportSize(viewport);
    for (const name of ["All", /^Special Kills/, /^Multikills/, /^Other/, "Granite Row", /^northern_pik/, "None"]) {
      const exact = typeof name === "string" && name !== "Granite Row";
      await filters(page).getByRole("button", { name, exact }).click();
      expect(await overflow(page), `${viewport.width}: ${name}`).toBeLessThanOrEqual(0);
      const box = await createButton(page).boundingBox();
      expect(box && box.x >= 0 && box.x + box.width <= viewport.width, `${viewport.width}: ${name}`).toBe(true);
      expect(box && box.y >= 0 && box.y + box.height <= viewport.height, `${viewport.width}: ${name}`).toBe(true);
    }
    await filters(page).getByRole("button", { name: "All" }).click();
    await expect(createButton(page)).toHaveText("Too many highlights (65/5 max)");
    await keepScreenshot(page, `match-crowded-${viewport.width}`);
    if (viewport === phone || viewport === laptop) expect(await axeViolations(page)).toEqual([]);
  }
  expect(problems).toEqual([]);
});

test("A player's own highlights stand first, the best before the others, then the best of the match", async ({
  product,
  visit,
}) => {
  for (const javaScript of [true, false]) {
    const { page, context } = await visit({ as: product.players.maker, javaScript });
    await page.goto(`/matches/${product.matchId}`);
    await expect(page.getByRole("heading", { name: "Your best" })).toBeVisible();
    await expect(page.getByRole("heading", { name: "Best of the match" })).toBeVisible();
    const players = await page.locator("label:has(input[name=highlight]) bdi.truncate").allTextContents();
    const own = players.filter((name) => name === "sable.").length;
    expect(own).toBeGreaterThan(0);
    expect(players.slice(0, own)).toEqual(Array.from({ length: own }, () => "sable."));
    // The best are also the player's own, which are visible; each scene is ticked only once.
    await page.getByRole("button", { name: "Tick the best 3" }).click();
    const cards = page.locator("label:has(input[name=highlight]:checked)");
    await expect(cards).toHaveCount(3);
    await expect(page.locator("label:has(.top-pick) input[name=highlight]:checked")).toHaveCount(3);
    await expect(cards.filter({ hasText: "sable." })).toHaveCount(3);
    const rounds = await cards.getByText(/^Round \d+$/).allTextContents();
    expect(new Set(rounds).size).toBe(3);
    await page.getByRole("button", { name: "By round" }).click();
    await expect(page.getByRole("heading", { name: "Your best" })).toHaveCount(0);
    await context.close();
  }
  const other = await visit({ as: product.players.busy });
  await other.page.goto("/matches/busy");
  await expect(other.page.getByRole("heading", { name: "Your best" })).toHaveCount(0);
  await expect(other.page.locator("label:has(input[name=highlight])").first()).toContainText("1v5 Clutch");
});

test("No control that gets the focus is covered by the bar or the header, whatever the bar holds", {
  tag: "@long",
}, async ({ product, visit }) => {
  const matchId = await crowdedMatch(product);
  for (const viewport of [phone, zoomed, laptop]) {
    const { page, context } = await visit({ as: product.players.maker, viewport });
    await page.goto(`/matches/${matchId}`);
    await hydrated(page);
    const tabbed = async (state: string, presses = 60) => {
      await page.getByRole("heading", { level: 1 }).evaluate((heading) => {
        scrollTo(0, 0);
        heading.tabIndex = -1;
        heading.focus();
      });
      for (const key of ["Tab", "Shift+Tab"]) {
        const { stops, covered } = await coveredByTabbing(page, key, presses);
        // A video's own controls handle some of the keys themselves.
        expect(stops, `${viewport.width} ${state} ${key}`).toBeGreaterThan(presses - 10);
        expect(covered, `${viewport.width} ${state} ${key}`).toEqual([]);
      }
    };
    await tabbed("as it comes");
    // In a wide window they are always visible.
    if (viewport !== laptop) {
      await page.getByText("Settings", { exact: true }).first().click();
      await tabbed("unfolded", 40);
      await page.getByText("Settings", { exact: true }).first().click();
    }
    await page.locator("label:has(input[name=highlight])").nth(3).click();
    await createButton(page).press("Enter");
    await expect(page.getByRole("link", { name: /^(Open the clip|Watch it)$/ })).toBeVisible();
    await tabbed("with a clip made", 40);
    await context.close();
  }
});

test("After Create the ticks are gone, the new clip has the focus and says how far it is; the same once more is offered", async ({
  product,
  visit,
}) => {
  const { matchId } = await addCompletedMatch(product, "newcomer");
  const { database } = product.services;
  const { page, problems } = await visit({ as: product.players.newcomer });
  await page.goto(`/matches/${matchId}`);
  await hydrated(page);
  const wallbang = page.locator("label:has(input[name=highlight])").filter({ hasText: "Wallbang" }).first();
  await wallbang.click();
  await createButton(page).press("Enter");
  await expect(createButton(page)).toHaveText("Create Clip (0 active)");
  await expect(page.locator("input[name=highlight]:checked")).toHaveCount(0);
  const bar = page.locator(".create-bar");
  await expect(bar.getByRole("status")).toHaveText("Your clip is on its way.");
  await expect(bar.getByText(/^Queued \(Position \d+\)$/)).toBeVisible();
  const clip = await database
    .selectFrom("clips")
    .select("id")
    .where("match_id", "=", matchId)
    .executeTakeFirstOrThrow();
  const href = () => page.evaluate(() => document.activeElement?.getAttribute("href"));
  await expect.poll(href).toBe(`/clips/${clip.id}`);

  const report = (progress: number) =>
    database.updateTable("clips").set({ status: "processing", progress }).where("id", "=", clip.id).execute();
  await report(0.4);
  await expect(bar.getByText(/^40 %/)).toBeVisible();
  await report(0.5);
  await expect(bar.getByText(/^50 % · .* left$/)).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);
  await keepScreenshot(page, "match-clip-under-way-1280");

  await wallbang.click();
  await createButton(page).click();
  await expect(bar.getByRole("status")).toHaveText("This clip is being made already.");
  await keepScreenshot(page, "match-clip-being-made-already-1280");
  await expect(wallbang.locator("input")).toBeChecked();
  await finishClip(database, product.clipId, clip.id);
  await expect(bar.getByRole("link", { name: "Watch it" })).toHaveAttribute("href", `/clips/${clip.id}`);
  await expect(bar.getByText("Your clip is ready.")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Created Clips (1)" })).toBeVisible();
  expect(problems).toEqual([]);

  const plain = await visit({ as: product.players.newcomer, javaScript: false, viewport: phone });
  await plain.page.goto(`/matches/${matchId}`);
  await plain.page.locator("label:has(input[name=highlight])").filter({ hasText: "Wallbang" }).first().click();
  await createButton(plain.page).click();
  await expect(plain.page.getByText("You have this clip already.")).toBeVisible();
  await expect(plain.page.locator("input[name=highlight]:checked")).toHaveCount(1);
  await keepScreenshot(plain.page, "match-same-clip-no-js-390");
  expect(await database.selectFrom("clips").select("id").where("match_id", "=", matchId).execute()).toHaveLength(1);
});

test("On a phone the bar is one row until something is ticked, with JavaScript or without", async ({
  product,
  visit,
}) => {
  for (const javaScript of [true, false]) {
    const { page, context } = await visit({ as: product.players.maker, viewport: phone, javaScript });
    await page.goto(`/matches/${product.matchId}`);
    if (javaScript) await hydrated(page);
    const bar = page.locator(".match-bar");
    const height = async () => (await bar.boundingBox())?.height;
    expect(await height()).toBeLessThan(80);
    await expect(bar.getByRole("button", { name: "Preview selection" })).toHaveCount(0);
    await keepScreenshot(page, "match-bar-empty-390");
    await page.locator("label:has(input[name=highlight])").first().click();
    expect(await height()).toBeGreaterThan(100);
    await context.close();
  }
});

test("On a tablet the bar is one row, with nothing ticked and with two", async ({ product, visit }) => {
  const { page } = await visit({ as: product.players.maker, viewport: { width: 768, height: 1024 } });
  await page.goto(`/matches/${product.matchId}`);
  await hydrated(page);
  const height = async () => (await page.locator(".match-bar").boundingBox())?.height;
  expect(await height()).toBeLessThan(80);
  for (const index of [0, 1]) await page.locator("label:has(input[name=highlight])").nth(index).click();
  await expect(createButton(page)).toHaveText("Create Clip (2 active)");
  expect(await height()).toBeLessThan(80);
});

test("Whoever comes back to a match finds what was ticked there, by filters and by hand; whoever opens it anew does not", async ({
  product,
  visit,
}) => {
  const { matchId } = await addCompletedMatch(product, "newcomer");
  const { page, problems } = await visit({ as: product.players.newcomer });
  await page.goto(`/matches/${matchId}`);
  await hydrated(page);
  await filters(page)
    .getByRole("button", { name: /^Clutches/ })
    .click();
  const byHand = page.locator("label:has(input[name=highlight])").filter({ hasText: "Wallbang" }).first();
  await byHand.click();
  const isKept = async () => {
    await expect(createButton(page)).toHaveText("Create Clip (5 active)");
    await expect(page.locator("input[name=highlight]:checked")).toHaveCount(5);
    await expect(byHand).toHaveAttribute("data-override", "true");
    await expect(filters(page).getByRole("button", { name: /^Clutches/, pressed: true })).toBeVisible();
  };
  await isKept();
  // By client-side navigation, by whole page loads, and by reloading.
  for (const link of ["Watch the match", "What counts as a highlight"]) {
    await page.locator("main").getByRole("link", { name: link }).click();
    await expect(page).not.toHaveURL(new RegExp(`/matches/${matchId}$`));
    await page.goBack();
    await hydrated(page);
    await isKept();
  }
  await page.reload();
  await hydrated(page);
  await isKept();
  await page.goto(`/matches/${matchId}?again`);
  await hydrated(page);
  await expect(createButton(page)).toHaveText("Create Clip (0 active)");
  expect(problems).toEqual([]);
});

test("What is said of a new clip follows it until it is ready, and goes with it", { tag: "@long" }, async ({
  product,
  visit,
}) => {
  const { matchId } = await addCompletedMatch(product, "newcomer");
  const { database } = product.services;
  const { page, problems } = await visit({ as: product.players.newcomer });
  await page.goto(`/matches/${matchId}`);
  await hydrated(page);
  await page.locator("label:has(input[name=highlight])").filter({ hasText: "Wallbang" }).first().click();
  await createButton(page).click();
  const bar = page.locator(".create-bar");
  await expect(bar.getByText("Your clip is on its way.")).toBeVisible();
  const clip = await database
    .selectFrom("clips")
    .select("id")
    .where("match_id", "=", matchId)
    .executeTakeFirstOrThrow();
  await finishClip(database, product.clipId, clip.id);
  await expect(bar.getByText("Your clip is ready.")).toBeVisible();
  await expect(bar.getByText("Your clip is on its way.")).toHaveCount(0);
  await page.getByRole("link", { name: /^Delete quietOtter/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page.getByRole("heading", { name: /^Created Clips/ })).toHaveCount(0);
  await expect(bar.getByText("Your clip is ready.")).toHaveCount(0);
  await expect(bar.getByRole("link", { name: /^(Watch it|Open the clip)$/ })).toHaveCount(0);
  expect(problems).toEqual([]);
});

test("Cards of highlights, and what a clip shows, lead to their players' clips and tick nothing", {
  tag: "@long",
}, async ({ product, visit }) => {
  for (const [javaScript, viewport] of [
    [true, phone],
    [false, laptop],
  ] as const) {
    const { page, context, problems } = await visit({ as: product.players.maker, javaScript, viewport });
    await page.goto(`/matches/${product.matchId}`);
    if (javaScript) await hydrated(page);
    const card = page.locator("label:has(input[name=highlight])").filter({ hasText: "sable." }).first();
    const link = card.getByRole("link", { name: "Clips of sable." });
    await link.scrollIntoViewIfNeeded();
    expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(24);
    await keepScreenshot(page, `match-player-links-${viewport.width}`);
    await link.click();
    await expect(page).toHaveURL(/\/users\/76561199999900009\/clips$/);
    await page.goBack();
    await expect(page.getByRole("heading", { name: /^Match Highlights/ })).toBeVisible();
    await expect(page.locator("input[name=highlight]:checked")).toHaveCount(0);

    await page.goto(`/clips/${product.clipId}`);
    const shown = page.getByRole("region", { name: "In this clip" });
    await keepScreenshot(page, `clip-player-links-${viewport.width}`);
    const maker = shown.getByRole("link", { name: /^Clips of / }).first();
    expect((await maker.boundingBox())?.height).toBeGreaterThanOrEqual(24);
    await maker.click();
    await expect(page).toHaveURL(/\/users\/\d{17}\/clips$/);
    expect(problems).toEqual([]);
    await context.close();
  }
});

test("Pictures and previews of a match come to its open pages once they are made", { tag: "@long" }, async ({
  product,
  visit,
}) => {
  const { matchId } = await addCompletedMatch(product, "maker");
  const { database } = product.services;
  const { page, problems } = await visit({ as: product.players.maker });
  await page.goto(`/matches/${matchId}`);
  await hydrated(page);
  const tick = page.locator("input[name=highlight]").first();
  await tick.check();
  await expect(page.getByRole("button", { name: /^Preview/ })).toHaveCount(0);
  const replay = await page.context().newPage();
  await replay.goto(`/matches/${matchId}/replay`);
  await expect(replay.getByText("The map of this match is still being drawn.")).toBeVisible();

  const match = database.selectFrom("matches").select("demo_sha256").where("id", "=", matchId);
  const made = database.selectFrom("demos").select("pictures_key").where("sha256", "=", product.demoSha256);
  expect((await made.executeTakeFirstOrThrow()).pictures_key).not.toBeNull();
  await database.updateTable("demos").set({ pictures_key: made }).where("sha256", "=", match).execute();
  await expect(page.getByRole("button", { name: /^Preview .+, round/ })).toHaveCount(22);
  const still = page.locator(".still img").first();
  await expect.poll(() => still.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(640);
  await expect(tick).toBeChecked();
  await expect(replay.locator("section:has(> div > canvas)").getByRole("slider", { name: "Position" })).toBeEnabled();
  // The pictures belong to the first match: deleting this one would delete them for both.
  await database.updateTable("demos").set({ pictures_key: null }).where("sha256", "=", match).execute();
  expect(problems).toEqual([]);
});

test("What is pressed as soon as React has a match's page stays chosen", async ({ product, visit }) => {
  const { page, problems } = await visit({ as: product.players.maker });
  // Between the commit that makes buttons work and React's passive effects, which have a task of their own.
  await page.addInitScript(() => {
    interface Fiber {
      return: Fiber | null;
      tag: number;
      memoizedState: { isDehydrated?: boolean } | null;
      stateNode: { current: Fiber };
    }
    const [hostRoot, suspense] = [3, 13];
    const isCommitted = (element: Element) => {
      const key = Object.keys(element).find((name) => name.startsWith("__reactFiber$"));
      let fiber = key ? (element as unknown as Record<string, Fiber>)[key]! : null;
      for (; fiber?.return; fiber = fiber.return) if (fiber.tag === suspense && fiber.memoizedState) return false;
      return fiber?.tag === hostRoot && fiber.stateNode.current.memoizedState?.isDehydrated === false;
    };
    const pressOnce = () => {
      const button = document.querySelector<HTMLButtonElement>("button[name=toggle][value=best]");
      if (!button || document.documentElement.dataset.pressed || !isCommitted(button)) return;
      document.documentElement.dataset.pressed = "true";
      button.click();
    };
    window.MessageChannel = class extends MessageChannel {
      constructor() {
        super();
        const { port1 } = this;
        const setHandler = Object.getOwnPropertyDescriptor(MessagePort.prototype, "onmessage")!.set!;
        Object.defineProperty(port1, "onmessage", {
          set(handler: (event: MessageEvent) => void) {
            setHandler.call(port1, (event: MessageEvent) => {
              pressOnce();
              handler(event);
            });
          },
        });
      }
    };
  });
  await page.goto(`/matches/${product.matchId}`);
  await expect(page.locator("html")).toHaveAttribute("data-pressed", "true");
  await expect(page.locator("input[name=highlight]:checked")).toHaveCount(3);
  await expect(page.getByRole("button", { name: /^Create Clip/ })).toHaveText("Create Clip (3 active)");
  expect(problems).toEqual([]);
});

test("A tick draws its card, the count and the button anew: no other card, no filter, no setting", async ({
  product,
  visit,
}) => {
  const { page } = await visit({ as: product.players.maker });
  await page.goto(`/matches/${product.matchId}`);
  await hydrated(page);
  const ticks = page.locator("input[name=highlight]");
  await expect(page.getByRole("button", { name: /^Create Clip/ })).toHaveText("Create Clip (0 active)");
  // React stores an element's props of the last drawing on it: a different object after every drawing.
  const drawn = () =>
    page.evaluate(() => {
      const elements = [...document.querySelectorAll("input[name=highlight], .filter, fieldset input")];
      const kept = globalThis as unknown as { drawnBefore?: unknown[] };
      const now = elements.map((element) => {
        const key = Object.keys(element).find((name) => name.startsWith("__reactProps"));
        return (element as unknown as Record<string, unknown>)[key ?? ""];
      });
      const before = kept.drawnBefore;
      kept.drawnBefore = now;
      return before ? elements.filter((_, i) => before[i] !== now[i]).map((element) => element.outerHTML) : null;
    });
  await drawn();
  await ticks.nth(1).check();
  await expect(page.getByRole("button", { name: /^Create Clip/ })).toHaveText("Create Clip (1 active)");
  const anew = (await drawn()) ?? [];
  expect(anew.filter((html) => !/value="(best|order:\w+)"/.test(html))).toEqual([
    expect.stringContaining(`value="${await ticks.nth(1).inputValue()}"`),
  ]);
  await filters(page).getByRole("button", { name: "All" }).click();
  await expect(ticks.nth(2)).toBeChecked();
  expect((await drawn())?.length).toBeGreaterThan(await ticks.count());
});
