import type { Page } from "playwright/test";
import type { MatchDetail, MatchRounds } from "../../../contract/api.ts";
import { ApiVisitor } from "../../services/api-visitor.ts";
import { axeViolations, hydrated, keepScreenshot, laptop, phone } from "../../services/browser.ts";
import { type Product, startProduct } from "../../services/product.ts";
import { uniqueSteamId } from "../../services/unique.ts";
import { test as browserTest, expect } from "../fixtures.ts";

interface WithMatch {
  /** In a process of its own, with workers, and one player's match with its pictures. */
  played: { product: Product; player: ApiVisitor; match: MatchDetail; rounds: MatchRounds };
}

const test = browserTest.extend<object, WithMatch>({
  played: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from this pattern what a fixture needs.
    async ({}, use) => {
      const product = await startProduct({ REQUESTS_PER_MINUTE: "100000" });
      const player = new ApiVisitor(product.url);
      await player.signIn(uniqueSteamId(), "Watcher");
      const { id } = await player.call<MatchDetail>("POST", "/api/matches/import-sample/");
      const seconds = { seconds: 120 };
      const match = await player.poll<MatchDetail>(
        `/api/matches/${id}/`,
        (found) => found.pictures_url !== null,
        seconds,
      );
      const rounds = await player.call<MatchRounds>("GET", `/api/matches/${id}/rounds/`);
      await use({ product, player, match, rounds });
      await product.stop();
    },
    { scope: "worker", timeout: 240_000 },
  ],
  address: ({ played }, use) => use(played.product.url),
});

const viewer = (page: Page) => page.locator("section:has(> div > canvas)");
const position = (page: Page) => viewer(page).getByRole("slider", { name: "Position" });

test("What is recorded of a round lies within it, and what happened in it is told whole", async ({ played }) => {
  const { rounds, tick_rate: tickRate, players } = played.rounds;
  expect(rounds).toHaveLength(8);
  for (const { number, recorded, start_tick: from, end_tick: to, kills } of rounds) {
    for (const span of recorded) {
      expect(span.start_tick, `round ${number}`).toBeGreaterThanOrEqual(from);
      expect(span.end_tick, `round ${number}`).toBeLessThanOrEqual(to);
    }
    expect((to - from) / tickRate).toBeGreaterThan(5);
    expect(kills.length).toBeGreaterThan(0);
  }
  expect(players.filter(({ team }) => team !== null)).toHaveLength(10);
});

test("A round plays with any player, and the address holds the moment", async ({ visit, played }) => {
  const { page, problems } = await visit({ as: played.player, viewport: laptop });
  await page.goto(`/matches/${played.match.id}`);
  await page.getByRole("link", { name: "Watch the match" }).click();
  await expect(page.getByRole("heading", { name: /Replay$/ })).toBeVisible();
  await hydrated(page);
  const bar = page.getByRole("navigation", { name: "Rounds" });
  await expect(bar.getByRole("link")).toHaveCount(8);
  await bar.getByRole("link", { name: /^Round 3,/ }).click();
  await expect(page).toHaveURL(/round=3/);
  await expect(position(page)).toBeEnabled({ timeout: 60_000 });
  await expect.poll(async () => Number(await position(page).inputValue())).toBeGreaterThan(45);
  await expect(page).toHaveURL(/round=3&t=[\d.]+&player=\d/);
  await viewer(page).getByRole("button", { name: "Pause" }).click();
  await keepScreenshot(page, "replay-1280");
  expect(await axeViolations(page)).toEqual([]);

  const follow = viewer(page).getByLabel("Follow");
  const followed = await follow.inputValue();
  const other = followed === "0" ? "1" : "0";
  await follow.selectOption(other);
  await expect(page).toHaveURL(new RegExp(`player=${other}$`));
  await expect(position(page)).toBeEnabled({ timeout: 60_000 });
  const name = played.rounds.players[Number(other)]?.name ?? "";
  await expect(page.getByRole("region", { name: `Round 3, with ${name}` })).toBeVisible();

  // A friend who has the match, too, opens the address.
  const round = played.rounds.rounds.find(({ recorded }) => recorded.length > 0)!;
  const seconds = (round.recorded[0]!.start_tick - round.start_tick) / played.rounds.tick_rate + 3;
  await page.goto(`/matches/${played.match.id}/replay?round=${round.number}&t=${seconds}&player=${other}`);
  await expect(position(page)).toBeEnabled({ timeout: 60_000 });
  expect(Number(await position(page).inputValue())).toBeGreaterThanOrEqual(90);
  expect(Number(await position(page).inputValue())).toBeLessThan(390);
  await page.setViewportSize(phone);
  await keepScreenshot(page, "replay-390");
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  expect(problems).toEqual([]);
});

test("Without JavaScript the rounds stand there with their kills", async ({ visit, played }) => {
  const { page, problems } = await visit({ as: played.player, javaScript: false, viewport: phone });
  await page.goto(`/matches/${played.match.id}/replay?round=2`);
  const [, second] = played.rounds.rounds;
  const shown = page.locator("details[open] li");
  await expect(shown).toHaveCount((second?.kills.length ?? 0) + (second?.bomb.length ?? 0));
  await page
    .getByRole("navigation", { name: "Rounds" })
    .getByRole("link", { name: /^Round 4,/ })
    .click();
  await expect(page).toHaveURL(/round=4/);
  await keepScreenshot(page, "replay-no-js-390");
  expect(problems).toEqual([]);
});

test("A replay is its players' alone", async ({ played }) => {
  const stranger = new ApiVisitor(played.product.url);
  await stranger.signIn(uniqueSteamId(), "Stranger");
  expect((await stranger.request("GET", `/api/matches/${played.match.id}/rounds/`)).status).toBe(404);
  expect((await stranger.request("GET", `/api/matches/${played.match.id}/track/?round=1`)).status).toBe(404);
  expect((await played.player.request("GET", `/api/matches/${played.match.id}/track/?round=99`)).status).toBe(404);
});
