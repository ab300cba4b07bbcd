import type { Locator, Page } from "playwright/test";
import { customMoments } from "../../../contract/custom-moments.ts";
import type { Highlight } from "../../../contract/schemas/highlights.ts";
import type { MatchDetail } from "../../../contract/schemas/matches.ts";
import { ApiVisitor } from "../../services/api-visitor.ts";
import {
  axeViolations,
  holdRequests,
  hydrated,
  keepScreenshot,
  laptop,
  phone,
  requestsOf,
} from "../../services/browser.ts";
import type { Product } from "../../services/product.ts";
import { uniqueSteamId } from "../../services/unique.ts";
import { expect } from "../fixtures.ts";
import { test } from "../testing/played-match.ts";

const viewer = (page: Page) => page.locator("section:has(> div > canvas)");
const position = (page: Page) => viewer(page).getByRole("slider", { name: "Position" });

/** Another player with the same match, from their own import. */
async function friendWithMatch({ url }: Product) {
  const friend = new ApiVisitor(url);
  const steamId = uniqueSteamId();
  await friend.signIn(steamId, "Friend");
  const imported = await friend.call<MatchDetail>("POST", "/api/matches/import-sample/");
  const { id } = await friend.poll<MatchDetail>(`/api/matches/${imported.id}/`, (found) => found.can_create_clips, {
    seconds: 120,
  });
  return { friend, steamId, matchId: id };
}

/** Signs a friend in with a button somewhere on a page, as a person does at the identity provider. */
async function signInFrom(place: Locator, steamId: string): Promise<void> {
  const page = place.page();
  await place.getByRole("button", { name: "Sign in through Steam" }).first().click();
  await page.locator('input[name="steam_id"]').fill(steamId);
  await page.locator('input[name="persona_name"]').fill("Friend");
  await page.locator('form button[type="submit"], form button:not([type])').first().click();
}

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

for (const window of [phone, laptop]) {
  test(`Nothing in the window moves when a round's viewer has come, ${window.width} wide`, async ({
    visit,
    played,
  }) => {
    const { page, problems } = await visit({ as: played.player, viewport: window });
    const release = await holdRequests(page, /round-viewer-[^/]*\.js/);
    await page.goto(`/matches/${played.match.id}/replay`);
    await hydrated(page);
    await page.evaluate(() => {
      Object.assign(globalThis, { moved: 0 });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          (globalThis as unknown as { moved: number }).moved += (entry as PerformanceEntry & { value: number }).value;
        }
      }).observe({ type: "layout-shift" });
    });
    release();
    await expect(position(page)).toBeEnabled();
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))));
    expect(await page.evaluate(() => (globalThis as unknown as { moved: number }).moved)).toBeLessThan(0.02);
    expect(problems).toEqual([]);
  });
}

test("No sound card is opened before somebody presses something, and from then on a round is heard", async ({
  visit,
  played,
}) => {
  const { page, problems } = await visit({ as: played.player, viewport: laptop });
  await page.addInitScript(() => {
    const audio = { opened: 0, heard: 0 };
    const { AudioContext: Real } = window;
    const { start } = AudioBufferSourceNode.prototype;
    AudioBufferSourceNode.prototype.start = function (...given) {
      audio.heard++;
      start.apply(this, given);
    };
    class Counted extends Real {
      constructor() {
        super();
        audio.opened++;
      }
    }
    Object.assign(window, { audio, AudioContext: Counted });
    // To the browser, everything that Playwright evaluates counts as user activation.
    let hasBeenActive = false;
    addEventListener("pointerdown", () => (hasBeenActive = true), true);
    Object.defineProperty(navigator, "userActivation", { get: () => ({ hasBeenActive }) });
  });
  const audio = () => page.evaluate(() => (window as unknown as { audio: { opened: number; heard: number } }).audio);
  await page.goto(`/matches/${played.match.id}/replay?round=3`);
  await hydrated(page);
  await expect(viewer(page).getByRole("button", { name: "Sound" })).toBeEnabled({ timeout: 60_000 });
  await expect.poll(async () => Number(await position(page).inputValue())).toBeGreaterThan(45);
  expect(await audio()).toEqual({ opened: 0, heard: 0 });
  await page.getByRole("heading", { name: /Replay$/ }).click();
  await expect.poll(async () => (await audio()).heard).toBeGreaterThan(0);
  expect((await audio()).opened).toBe(1);
  expect(problems).toEqual([]);
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
  // In a focused list, letters select options instead of being the viewer's keys.
  const sound = viewer(page).getByRole("button", { name: "Sound" });
  const isOn = (await sound.getAttribute("aria-pressed")) ?? "";
  await follow.press("m");
  await expect(sound).toHaveAttribute("aria-pressed", isOn);
  const followed = await follow.inputValue();
  const other = followed === "0" ? "1" : "0";
  await follow.selectOption(other);
  await expect(page).toHaveURL(new RegExp(`player=${other}$`));
  await expect(position(page)).toBeEnabled({ timeout: 60_000 });
  const name = played.rounds.players[Number(other)]?.name ?? "";
  await expect(page.getByRole("region", { name: `Round 3, with ${name}` })).toBeVisible();

  // The address opens at this place.
  const round = played.rounds.rounds.find(({ recorded }) => recorded.length > 0)!;
  const seconds = (round.recorded[0]!.start_tick - round.start_tick) / played.rounds.tick_rate + 3;
  await page.goto(`/matches/${played.match.id}/replay?round=${round.number}&t=${seconds}&player=${other}`);
  await expect(position(page)).toBeEnabled({ timeout: 60_000 });
  await expect.poll(async () => Number(await position(page).inputValue())).toBeGreaterThanOrEqual(90);
  expect(Number(await position(page).inputValue())).toBeLessThan(390);
  await page.setViewportSize(phone);
  await keepScreenshot(page, "replay-390");
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  expect(problems).toEqual([]);
});

test("Who played in the match is followed when they watch it, and the score of every round is their team's", async ({
  visit,
  played,
}) => {
  const { product, match, rounds } = played;
  const steamId = match.highlights.find(({ player_steam_id: id }) => id)?.player_steam_id ?? "";
  const own = new ApiVisitor(product.url);
  await own.signIn(steamId, "In the match");
  const { id } = await own.call<MatchDetail>("POST", "/api/matches/import-sample/");
  await own.poll<MatchDetail>(`/api/matches/${id}/`, (found) => found.pictures_url !== null, { seconds: 60 });
  const { page, problems } = await visit({ as: own, viewport: laptop });
  const release = await holdRequests(page, "**/track/?*");
  await page.goto(`/matches/${id}/replay`);
  await expect(viewer(page).getByRole("status").first()).toHaveText("Loading round...");
  release();
  await expect(position(page)).toBeEnabled();
  const name = rounds.players.find(({ steam_id }) => steam_id === steamId)?.name ?? "";
  for (const number of [1, 2]) {
    await page.getByRole("link", { name: new RegExp(`^Round ${number},`) }).click();
    await expect(viewer(page)).toHaveAccessibleName(`Round ${number}, with ${name}`);
  }
  // Neither team's score ever falls.
  const scores = await page.getByText(/^Team 1 \d+ – \d+ Team 2$/).allTextContents();
  expect(scores).toHaveLength(rounds.rounds.length);
  const wins = scores.map((text) => (text.match(/\d+ – \d+/)?.[0] ?? "").split(" – ").map(Number));
  for (const [at, [first = 0, second = 0]] of wins.entries()) {
    const [before = 0, ofOther = 0] = wins[Math.max(0, at - 1)] ?? [];
    expect(first >= before && second >= ofOther, scores[at]).toBe(true);
  }
  expect(problems).toEqual([]);
});

test("A round plays from going live to its end, and then the next begins", { tag: "@long" }, async ({
  visit,
  played,
}) => {
  const { rounds, tick_rate: tickRate } = played.rounds;
  for (const { number, recorded, start_tick: from, kills } of rounds) {
    expect(recorded, `round ${number}`).toHaveLength(1);
    expect(recorded[0]!.start_tick).toBe(from);
    expect(recorded[0]!.end_tick).toBeGreaterThan(kills.at(-1)!.tick);
  }
  const { page, problems } = await visit({ as: played.player, viewport: laptop });
  const [span] = rounds[4]!.recorded;
  const seconds = (span!.end_tick - span!.start_tick) / tickRate;
  await page.goto(`/matches/${played.match.id}/replay?round=5`);
  await expect(position(page)).toBeEnabled({ timeout: 60_000 });
  const frames = Number(await position(page).getAttribute("max")) + 1;
  expect(Math.abs(frames / 30 - seconds)).toBeLessThan(1);
  await position(page).fill(String(Math.round(frames / 2)));
  await expect.poll(async () => Number(await position(page).inputValue())).toBeGreaterThan(frames / 2 + 20);
  await keepScreenshot(page, "replay-midround-1280");
  await position(page).fill(String(frames - 45));
  // Reading the events of a round is not interrupted.
  const read = page.locator("details", { hasText: "Round 5" }).getByRole("link").first();
  await read.focus();
  await expect(page).toHaveURL(/round=6/, { timeout: 30_000 });
  await expect(page.locator("details[open]")).toHaveCount(2);
  await expect(read).toBeFocused();
  expect(problems).toEqual([]);
});

test("With another player, and in the next round, the viewer goes on as it was: its focus, its speed, paused or not", {
  tag: "@long",
}, async ({ visit, played }) => {
  const { page, problems } = await visit({ as: played.player, viewport: laptop });
  await page.goto(`/matches/${played.match.id}/replay?round=3`);
  await expect(position(page)).toBeEnabled({ timeout: 60_000 });
  const speed = viewer(page).getByLabel("Speed");
  await speed.selectOption("2");
  await viewer(page).getByRole("button", { name: "Pause" }).click();
  const follow = viewer(page).getByLabel("Follow");
  const other = (await follow.inputValue()) === "0" ? "1" : "0";
  await follow.focus();
  await follow.selectOption(other);
  const name = played.rounds.players[Number(other)]?.name ?? "";
  await expect(page.getByRole("region", { name: `Round 3, with ${name}` })).toBeVisible();
  await expect(position(page)).toBeEnabled({ timeout: 60_000 });
  await expect(follow).toBeFocused();
  await expect(speed).toHaveValue("2");
  // Not by its key: letters belong to the list, which has the focus.
  await viewer(page).getByRole("button", { name: "Play" }).click();
  await expect(viewer(page).getByRole("button", { name: "Pause" })).toBeVisible();

  const frames = Number(await position(page).getAttribute("max")) + 1;
  await position(page).fill(String(frames - 45));
  await expect(page).toHaveURL(/round=4/, { timeout: 30_000 });
  await expect(position(page)).toBeEnabled({ timeout: 60_000 });
  await expect(position(page)).toBeFocused();
  await expect(speed).toHaveValue("2");
  await expect(viewer(page).getByRole("button", { name: "Pause" })).toBeVisible();

  // A kill in the current round by the followed player is also jumped to.
  const { start_tick: start, kills } = played.rounds.rounds[3]!;
  const kill = kills.find(({ attacker }) => String(attacker) === other) ?? kills[0]!;
  await viewer(page).getByRole("button", { name: "Pause" }).click();
  const listed = page.locator("details[open]").getByRole("link");
  const at = [...kills, ...played.rounds.rounds[3]!.bomb].map(({ tick }) => tick).sort((a, b) => a - b);
  await listed.nth(at.indexOf(kill.tick)).click();
  const seconds = Math.max(0, (kill.tick - start) / played.rounds.tick_rate - 2);
  await expect.poll(async () => Math.abs(Number(await position(page).inputValue()) / 30 - seconds)).toBeLessThan(0.1);
  expect(problems).toEqual([]);
});

test("Where what plays cannot be loaded, the replay says so and is loaded anew on a press", async ({
  visit,
  played,
}) => {
  const { page } = await visit({ as: played.player, viewport: phone });
  const lost = "**/assets/round-viewer-*.js";
  await page.route(lost, (route) => route.abort());
  await page.goto(`/matches/${played.match.id}/replay?round=4&t=6`);
  const alert = page.getByRole("region", { name: "Round 4", exact: true }).getByRole("alert");
  await expect(alert).toContainText("could not be loaded");
  await page.unroute(lost);
  await alert.getByRole("link", { name: "Try again" }).click();
  await expect(position(page)).toBeEnabled({ timeout: 60_000 });
  await expect(page).toHaveURL(/round=4&t=/);
});

test("A server that cannot read a round just now says so in its own words, and it is tried again: by itself, and on a press", async ({
  visit,
  played,
}) => {
  const { page } = await visit({ as: played.player, viewport: { width: 320, height: 640 } });
  const detail = "This server's file store is out of reach at the moment. Please try again in a few seconds.";
  const asked = requestsOf(page, "/track/?");
  const away = { is: true, waitSeconds: 1 };
  await page.route("**/track/?*", (route) => {
    const headers = { "Retry-After": String(away.waitSeconds) };
    return away.is ? route.fulfill({ status: 503, headers, json: { error: "unavailable", detail } }) : route.continue();
  });
  await page.goto(`/matches/${played.match.id}/replay?round=4&t=6`);
  const alert = viewer(page).getByRole("alert");
  const again = alert.getByRole("button", { name: "Try again" });
  await expect(alert).toContainText("or wait 1 s");
  await expect(alert.locator("p").first()).toHaveText(detail);
  const height = (await viewer(page).boundingBox())?.height ?? 0;
  // Nothing of it covers the content below the picture.
  const picture = (await viewer(page).locator("canvas").boundingBox())!;
  for (const part of await alert.locator("p").all()) {
    const { y, height: high } = (await part.boundingBox())!;
    expect(y).toBeGreaterThanOrEqual(picture.y);
    expect(y + high).toBeLessThanOrEqual(picture.y + picture.height);
  }
  await keepScreenshot(page, "replay-away-320");
  // A few tries by itself, then only after a press, which starts over.
  await expect.poll(() => asked.length, { timeout: 20_000 }).toBe(4);
  await expect(alert).toContainText(detail);
  await expect(alert).not.toContainText("or wait");
  away.waitSeconds = 3600;
  await again.focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => asked.length).toBe(5);
  await expect(alert).toContainText(detail);
  await expect(alert).not.toContainText("or wait");
  await expect(viewer(page)).toBeFocused();
  away.is = false;
  await again.click();
  await expect(position(page)).toBeEnabled({ timeout: 60_000 });
  await expect.poll(async () => Number(await position(page).inputValue())).toBeGreaterThanOrEqual(180);
  await viewer(page).getByRole("button", { name: "Pause" }).click();
  expect(Math.abs(((await viewer(page).boundingBox())?.height ?? 0) - height)).toBeLessThan(1);

  Object.assign(away, { is: true, waitSeconds: 2 });
  const round = page.getByRole("navigation", { name: "Rounds" }).getByRole("link", { name: /^Round 5,/ });
  await round.click();
  await expect(alert).toContainText("or wait 2 s");
  away.is = false;
  await expect(position(page)).toBeEnabled({ timeout: 60_000 });
  await expect(round).toBeFocused();
});

test("Another player of the same round is seen with what was loaded, also while it is being loaded", async ({
  visit,
  played,
}) => {
  const { page, problems } = await visit({ as: played.player, viewport: laptop });
  const asked = requestsOf(page, "/track/?");
  const release = await holdRequests(page, "**/track/?*");
  await page.goto(`/matches/${played.match.id}/replay?round=4&player=0`);
  const follow = viewer(page).getByLabel("Follow");
  await expect.poll(() => asked.length).toBe(1);
  const names = played.rounds.players.map(({ name }) => name);
  for (const chosen of ["1", "2"]) {
    await follow.selectOption(chosen);
    await expect(page.getByRole("region", { name: `Round 4, with ${names[Number(chosen)]}` })).toBeVisible();
    release();
    await expect(position(page)).toBeEnabled({ timeout: 60_000 });
    await expect.poll(async () => Number(await position(page).inputValue())).toBeGreaterThan(0);
  }
  expect(asked).toHaveLength(1);
  expect(problems).toEqual([]);
});

test("Of rounds that are chosen one after another the last is loaded and shown; the others are given up", async ({
  visit,
  played,
}) => {
  const { page, problems } = await visit({ as: played.player, viewport: laptop });
  const roundOf = (address: string) => Number(new URL(address).searchParams.get("round"));
  const asked: number[] = [];
  const givenUp: number[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/track/?")) asked.push(roundOf(request.url()));
  });
  page.on("requestfailed", (request) => {
    if (request.url().includes("/track/?")) givenUp.push(roundOf(request.url()));
  });
  const release = await holdRequests(page, "**/track/?*");
  await page.goto(`/matches/${played.match.id}/replay?round=2`);
  await expect.poll(() => asked).toEqual([2]);
  const bar = page.getByRole("navigation", { name: "Rounds" });
  for (const number of [3, 4, 3]) await bar.getByRole("link", { name: new RegExp(`^Round ${number},`) }).click();
  await expect.poll(() => givenUp).toEqual([2, 3, 4]);
  await expect(viewer(page).getByRole("alert")).toHaveCount(0);
  release();
  await expect(position(page)).toBeEnabled({ timeout: 60_000 });
  await expect(page.getByRole("region", { name: /^Round 3, with / })).toBeVisible();
  const [span] = played.rounds.rounds[2]!.recorded;
  const seconds = (span!.end_tick - span!.start_tick) / played.rounds.tick_rate;
  expect(Math.abs((Number(await position(page).getAttribute("max")) + 1) / 30 - seconds)).toBeLessThan(1);
  await expect(page).toHaveURL(/round=3/);
  expect(asked).toEqual([2, 3, 4, 3]);

  // Leaving also gives up.
  await page.unroute("**/track/?*");
  await holdRequests(page, "**/track/?*");
  await bar.getByRole("link", { name: /^Round 6,/ }).click();
  await expect.poll(() => asked).toHaveLength(5);
  await page.getByRole("link", { name: "Back to the match" }).click();
  await expect.poll(() => givenUp).toEqual([2, 3, 4, 6]);
  expect(problems).toEqual([]);
});

test("The link to a moment is copied, and where there is no clipboard it is selected and said how", async ({
  visit,
  played,
}) => {
  const { page, context, problems } = await visit({ as: played.player, viewport: laptop });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(`/matches/${played.match.id}/replay?round=4&t=6`);
  await expect(position(page)).toBeEnabled({ timeout: 60_000 });
  await viewer(page).getByRole("button", { name: "Pause" }).click();
  await position(page).fill("240");
  const copy = viewer(page).getByRole("button", { name: "Copy link to this moment" });
  await copy.click();
  await expect(viewer(page).getByText("Copied")).toBeVisible();
  const address = new RegExp(`/matches/${played.match.id}/replay\\?round=4&t=8&player=\\d+$`);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(address);

  // As on plain http, and in a browser that also refuses the old way.
  await page.evaluate(() => {
    Object.defineProperty(navigator, "clipboard", { value: undefined });
    document.execCommand = () => false;
  });
  await copy.click();
  await expect(viewer(page).getByText("Press Ctrl+C to copy what is selected")).toBeVisible();
  const field = viewer(page).getByLabel("Address of this moment");
  await expect(field).toBeFocused();
  await expect(field).toHaveValue(address);
  const selected = () =>
    field.evaluate((input: HTMLInputElement) => input.value.slice(input.selectionStart ?? 0, input.selectionEnd ?? 0));
  await expect.poll(selected).toMatch(address);
  expect(problems).toEqual([]);
});

test("What is pressed while a round is loaded counts, and it does not begin to play where nobody sees it", async ({
  visit,
  played,
}) => {
  const { rounds, tick_rate: tickRate } = played.rounds;
  const { page, problems } = await visit({ as: played.player, viewport: laptop });
  // The latest of all flags, and its position among those of its round.
  const flags = played.match.highlights.map(({ round_number: number, kills, start_tick }) => {
    const start = rounds.find((round) => round.number === number)?.start_tick ?? 0;
    return { number, seconds: ((kills[0]?.tick ?? start_tick) - start) / tickRate - 2 };
  });
  const flag = [...flags].sort((a, b) => b.seconds - a.seconds)[0]!;
  expect(flag.seconds).toBeGreaterThan(8);
  const place = flags.filter(({ number }) => number === flag.number).indexOf(flag);
  const release = await holdRequests(page, "**/track/?*");
  await page.goto(`/matches/${played.match.id}/replay?round=${flag.number}&t=6`);
  await viewer(page).getByRole("button", { name: "Mark from here" }).click();
  await expect(page.getByRole("region", { name: "Mark a moment" }).getByLabel("From second")).toHaveValue("6");
  await viewer(page).locator("button.chip").nth(place).click();
  await page.evaluate(() => Object.defineProperty(document, "visibilityState", { get: () => "hidden" }));
  release();
  await expect(position(page)).toBeEnabled({ timeout: 60_000 });
  await expect
    .poll(async () => Math.abs(Number(await position(page).inputValue()) / 30 - flag.seconds))
    .toBeLessThan(0.1);
  await expect(viewer(page).getByRole("button", { name: "Play" })).toBeVisible();
  expect(problems).toEqual([]);
});

test("A form that names no player, as that of a bot's moment, is refused with what to do", async ({ played }) => {
  const fields = new URLSearchParams({ intent: "mark", round: "2", player: "", from: "3", to: "9", name: "" });
  const answer = await played.player.request("POST", `/matches/${played.match.id}/replay`, fields);
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain("Choose the player that the moment follows.");
});

test("A moment is marked in the viewer by keys and buttons, and is chosen for a clip", async ({ visit, played }) => {
  const { page, problems } = await visit({ as: played.player, viewport: laptop });
  await page.goto(`/matches/${played.match.id}/replay?round=4&t=6`);
  await expect(position(page)).toBeEnabled({ timeout: 60_000 });
  const pause = viewer(page).getByRole("button", { name: "Pause" });
  if (await pause.isVisible()) await pause.click();
  await position(page).fill("240");
  await position(page).press("i");
  const form = page.getByRole("region", { name: "Mark a moment" });
  await expect(form.getByLabel("Round")).toHaveValue("4");
  await expect(form.getByLabel("From second")).toHaveValue("8");
  await position(page).fill("495");
  await viewer(page).getByRole("button", { name: "To here" }).click();
  await expect(form.getByLabel("To second")).toHaveValue("16.5");
  await expect(viewer(page).getByText("0:08 – 0:16")).toBeVisible();
  await viewer(page).getByRole("link", { name: "Name and save" }).click();
  await expect(page.getByLabel("Name, if you like")).toBeFocused();
  await form.getByLabel("Name, if you like").fill("Quiet rotation");
  await keepScreenshot(page, "replay-mark-1280");
  expect(await axeViolations(page)).toEqual([]);
  await form.getByRole("button", { name: "Save 8.5 s" }).click();
  await expect(form.getByText("The moment is marked.")).toBeVisible();
  await expect(form.getByRole("list", { name: "Marked moments" })).toContainText("Quiet rotation by ");
  await expect(viewer(page).getByRole("button", { name: /Quiet rotation by/ })).toBeVisible();
  await page.setViewportSize(phone);
  await keepScreenshot(page, "replay-mark-390");
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await page.setViewportSize(laptop);

  await form.getByRole("link", { name: "Make a clip of it" }).click();
  const card = page.locator("label", { hasText: "Quiet rotation" });
  await card.scrollIntoViewIfNeeded();
  await expect(card).toContainText("Round 4");
  await card.getByRole("checkbox").check();
  await hydrated(page);
  await keepScreenshot(page, "match-custom-1280");
  await expect(card).toHaveAttribute("data-active", "true");
  await page.getByRole("button", { name: "Preview selection" }).click();
  await expect(position(page)).toBeEnabled({ timeout: 60_000 });
  await expect.poll(async () => Number(await position(page).inputValue())).toBeGreaterThan(60);
  await keepScreenshot(page, "preview-custom-1280");
  expect(problems).toEqual([]);
});

test("A moment that cannot be sent for want of a network stays in its form", { tag: "@long" }, async ({
  visit,
  played,
}) => {
  const { page, context } = await visit({ as: played.player, viewport: laptop });
  await page.goto(`/matches/${played.match.id}/replay?round=2`);
  await expect(position(page)).toBeEnabled({ timeout: 60_000 });
  const form = page.getByRole("region", { name: "Mark a moment" });
  await form.getByLabel("From second").fill("3");
  await form.getByLabel("To second").fill("9");
  await form.getByLabel("Name, if you like").fill("Typed & kept");
  await context.setOffline(true);
  await form.getByRole("button", { name: "Save 6 s" }).click();
  await expect(form.getByRole("alert")).toContainText("The server cannot be reached.");
  await context.setOffline(false);
  await expect(form.getByLabel("To second")).toHaveValue("9");
  await expect(form.getByLabel("Name, if you like")).toHaveValue("Typed & kept");
});

test("With the broadest name of a moment nothing is cut off on a phone", { tag: "@long" }, async ({
  visit,
  played,
}) => {
  const { match, player, rounds } = played;
  const name = "W".repeat(customMoments.nameCharacters);
  const followed = rounds.players.findIndex(({ team, steam_id }) => team !== null && steam_id !== null);
  const moment = { round: 5, player: followed, from: 3, to: 9, name };
  const { id } = await player.call<Highlight>("POST", `/api/matches/${match.id}/highlights/`, moment);
  const { page } = await visit({ as: player, viewport: phone });
  await page.goto(`/matches/${match.id}/replay?round=5`);
  await expect(position(page)).toBeEnabled({ timeout: 60_000 });
  await expect(viewer(page).getByRole("button", { name: `${name} by` })).toBeVisible();
  // Content that the viewer clips must not widen the page.
  const rightEdges = () =>
    viewer(page)
      .locator("button, select, input, a")
      .evaluateAll((controls) => controls.map((control) => control.getBoundingClientRect().right));
  await expect.poll(async () => Math.max(...(await rightEdges()))).toBeLessThanOrEqual(phone.width);
  const marked = page.getByRole("list", { name: "Marked moments" }).getByText(name);
  expect(await marked.evaluate((text) => text.getBoundingClientRect().right)).toBeLessThanOrEqual(phone.width);
  await keepScreenshot(page, "replay-broad-name-390");
  await page.goto(`/matches/${match.id}/preview?preview=${id}`);
  await expect(page.getByRole("heading", { name })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await player.call("DELETE", `/api/matches/${match.id}/highlights/${id}/`);
});

test("Without JavaScript a moment is marked by a form, which says what is wrong, and taken away", async ({
  visit,
  played,
}) => {
  const { page, problems } = await visit({ as: played.player, javaScript: false, viewport: phone });
  await page.goto(`/matches/${played.match.id}/replay?round=2`);
  const form = page.getByRole("region", { name: "Mark a moment" });
  await expect(form.getByLabel("Round")).toHaveValue("2");
  await form.getByLabel("From second").fill("3");
  await form.getByLabel("To second").fill("40");
  await form.getByLabel("Name, if you like").fill("Lurk by foot");
  await form.getByRole("button", { name: "Save the moment" }).click();
  await expect(form.getByRole("alert")).toHaveText("A moment lasts from 2 to 20 seconds.");
  await expect(form.getByLabel("Name, if you like")).toHaveValue("Lurk by foot");
  await form.getByLabel("To second").fill("11.5");
  await form.getByRole("button", { name: /^Save/ }).click();
  await expect(form.getByText("The moment is marked.")).toBeVisible();
  const marked = form
    .getByRole("list", { name: "Marked moments" })
    .getByRole("listitem")
    .filter({ hasText: "Lurk by foot" });
  await expect(marked).toContainText("Round 2, 0:03");
  await keepScreenshot(page, "replay-mark-no-js-390");
  await page.goto(`/matches/${played.match.id}`);
  await expect(page.locator("label", { hasText: "Lurk by foot" }).getByRole("checkbox")).toBeVisible();
  await page.goto(`/matches/${played.match.id}/replay?round=2`);
  await marked.getByRole("button", { name: /^Remove Lurk by foot/ }).click();
  await expect(marked).toHaveCount(0);
  // A refused form answers 400, which is no problem of the page.
  expect(problems.filter((problem) => !/400/.test(problem))).toEqual([]);
});

test("Without JavaScript the rounds stand there with their kills", async ({ visit, played }) => {
  const { page, problems } = await visit({ as: played.player, javaScript: false, viewport: phone });
  await page.goto(`/matches/${played.match.id}/replay?round=2`);
  const [, second] = played.rounds.rounds;
  const round = page.getByRole("region", { name: "Round 2", exact: true });
  await expect(round.locator("p")).toHaveText("Playing a round needs JavaScript. What happened in it is listed below.");
  await expect(round.locator("p")).toBeVisible();
  expect((await round.boundingBox())?.height).toBeLessThan(120);
  const shown = page.locator("details[open] li");
  await expect(shown).toHaveCount((second?.kills.length ?? 0) + (second?.bomb.length ?? 0));
  // Text that does not fit beside the time continues below the names.
  for (const line of await shown.all()) {
    const [time, ...words] = await line.locator(".figure, .figure + span > *").all();
    const right = await time!.evaluate((element) => element.getBoundingClientRect().right);
    for (const word of words) expect((await word.boundingBox())?.x).toBeGreaterThan(right);
  }
  await page
    .getByRole("navigation", { name: "Rounds" })
    .getByRole("link", { name: /^Round 4,/ })
    .click();
  await expect(page).toHaveURL(/round=4/);
  await keepScreenshot(page, "replay-no-js-390");
  expect(problems).toEqual([]);
});

test("The address of a moment, sent to a friend who has the match, leads to it, signed in or not, with JavaScript or without", {
  tag: "@long",
}, async ({ visit, played }) => {
  const { friend, steamId, matchId: id } = await friendWithMatch(played.product);
  const moment = "replay?round=5&t=12&player=3";
  const sent = `/matches/${played.match.id}/${moment}`;
  for (const javaScript of [true, false]) {
    const { page, problems, context } = await visit({ as: friend, javaScript });
    await page.goto(sent);
    await expect(page).toHaveURL(new RegExp(`/matches/${id}/replay\\?round=5&t=1[2-9][.\\d]*&player=3$`));
    await expect(page.locator("details[open] summary")).toContainText("Round 5");
    if (javaScript) {
      await expect(position(page)).toBeEnabled({ timeout: 60_000 });
      await expect.poll(async () => Number(await position(page).inputValue())).toBeGreaterThanOrEqual(12 * 30);
    }
    await page.goto(`/match/${played.match.id}`);
    await expect(page).toHaveURL(new RegExp(`/matches/${id}$`));
    await expect(page.getByText("Match not found")).toHaveCount(0);
    expect(problems).toEqual([]);
    await context.close();
  }

  for (const javaScript of [true, false]) {
    const { page, context } = await visit({ javaScript, viewport: phone });
    await page.goto(sent);
    await expect(page.getByRole("alert")).toHaveText("Sign in to open that page.");
    if (javaScript) {
      expect(await axeViolations(page)).toEqual([]);
      await keepScreenshot(page, "replay-sent-390");
    }
    await signInFrom(page.locator("main"), steamId);
    await expect(page).toHaveURL(new RegExp(`/matches/${id}/replay\\?round=5&t=1[2-9][.\\d]*&player=3`));
    await expect(page.locator("details[open] summary")).toContainText("Round 5");
    await context.close();
  }

  const stranger = new ApiVisitor(played.product.url);
  await stranger.signIn(uniqueSteamId(), "Stranger");
  expect((await stranger.request("GET", sent)).status).toBe(404);
  await friend.call("DELETE", `/api/matches/${id}/delete/`);
});

test("A session that ends while a moment is marked: round, second, player and what was typed come back with the sign-in", {
  tag: "@long",
}, async ({ visit, played }) => {
  const { friend, steamId, matchId } = await friendWithMatch(played.product);
  const person = played.rounds.players.findIndex(({ team, steam_id }) => team === 1 && steam_id !== null);
  const asked = `/matches/${matchId}/replay?round=4&t=6&player=${person}`;
  const ended = "Your session has ended. Sign in again to continue.";
  for (const way of ["save", "notice", "without JavaScript"]) {
    const javaScript = way !== "without JavaScript";
    await friend.signIn(steamId, "Friend");
    const { page, context } = await visit({ as: friend, javaScript });
    await page.goto(asked);
    const form = page.getByRole("region", { name: "Mark a moment" });
    if (javaScript) {
      await expect(position(page)).toBeEnabled({ timeout: 60_000 });
      await viewer(page).getByRole("button", { name: "Pause" }).click();
      await position(page).fill("240");
    }
    await form.getByLabel("From second").fill("8");
    await form.getByLabel("To second").fill("16.5");
    await form.getByLabel("Name, if you like").fill("Kept & typed");
    await friend.call("POST", "/api/auth/logout-everywhere/", {});
    if (way === "notice") {
      // A page rarely checks who is signed in.
      await page.evaluate(() => {
        const { now } = Date;
        Date.now = () => now() + 60_000;
      });
      await page.getByRole("heading", { name: /Replay$/ }).click();
    } else await form.getByRole("button", { name: /^Save/ }).click();
    await signInFrom(page.getByText(ended).locator(".."), steamId);
    await expect(page.getByRole("heading", { name: /Replay$/ })).toBeVisible();
    await expect(page.locator("details[open] summary")).toContainText("Round 4");
    await expect(form.getByLabel("Round")).toHaveValue("4");
    await expect(form.getByLabel("Player")).toHaveValue(String(person));
    await expect(form.getByLabel("From second")).toHaveValue("8");
    await expect(form.getByLabel("To second")).toHaveValue("16.5");
    await expect(form.getByLabel("Name, if you like")).toHaveValue("Kept & typed");
    if (javaScript) {
      await expect(viewer(page).getByLabel("Follow")).toHaveValue(String(person));
      await expect(position(page)).toBeEnabled({ timeout: 60_000 });
      await expect.poll(async () => Number(await position(page).inputValue())).toBeGreaterThanOrEqual(240);
    } else await expect(page).toHaveURL(/[?&]t=8(&|$)/);
    await context.close();
  }
  await friend.signIn(steamId, "Friend");
  await friend.call("DELETE", `/api/matches/${matchId}/delete/`);
});

test("A browser that takes few addresses at a time, or none, lets the position be dragged, and the last one is kept", async ({
  visit,
  played,
}) => {
  const { page, problems } = await visit({ as: played.player, viewport: laptop });
  await page.goto(`/matches/${played.match.id}/replay?round=3`);
  await expect(position(page)).toBeEnabled({ timeout: 60_000 });
  await viewer(page).getByRole("button", { name: "Pause" }).click();
  // Safari and Firefox allow about a hundred in half a minute.
  const takeAddresses = (count: number) =>
    page.evaluate((most) => {
      let left = most;
      history.replaceState = (...given) => {
        if (left-- <= 0) throw new DOMException("replaceState() is called too often", "SecurityError");
        History.prototype.replaceState.apply(history, given);
      };
    }, count);
  await takeAddresses(30);
  const last = Number(await position(page).getAttribute("max"));
  await position(page).evaluate((slider: HTMLInputElement, end) => {
    const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;
    const frames = Array.from({ length: Math.floor(end / 45) }, (_, i) => i * 45);
    for (const frame of [...frames, ...[...frames].reverse(), ...frames, 300]) {
      setValue?.call(slider, String(frame));
      slider.dispatchEvent(new Event("input", { bubbles: true }));
    }
  }, last);
  await expect(position(page)).toHaveValue("300");
  await expect(page).toHaveURL(/round=3&t=10&player=\d$/);
  await takeAddresses(0);
  await position(page).fill("90");
  await expect(position(page)).toHaveValue("90");
  await page
    .getByRole("navigation", { name: "Rounds" })
    .getByRole("link", { name: /^Round 2,/ })
    .click();
  await expect(page.getByRole("region", { name: "Round 2", exact: true })).toBeVisible();
  expect(problems).toEqual([]);
});

test("On a phone the bar shows the round that is on, and the page stays where it is", async ({ visit, played }) => {
  const { page, problems } = await visit({ as: played.player, viewport: phone });
  await page.goto(`/matches/${played.match.id}/replay?round=8`);
  const bar = page.getByRole("navigation", { name: "Rounds" });
  await expect(bar.getByRole("link", { name: /^Round 8,/ })).toBeInViewport({ ratio: 1 });
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await hydrated(page);
  await page.locator("summary", { hasText: "Round 1" }).click();
  const list = page.locator("details", { hasText: "Round 1" });
  await list.getByRole("link").first().click();
  const first = bar.getByRole("link", { name: /^Round 1,/ });
  await expect.poll(async () => (await first.boundingBox())?.x).toBeGreaterThanOrEqual(0);
  await expect(list.getByRole("link").first()).toBeInViewport();
  expect(problems).toEqual([]);
});

test("A replay is its players' alone", async ({ played }) => {
  const stranger = new ApiVisitor(played.product.url);
  await stranger.signIn(uniqueSteamId(), "Stranger");
  expect((await stranger.request("GET", `/api/matches/${played.match.id}/rounds/`)).status).toBe(404);
  expect((await stranger.request("GET", `/api/matches/${played.match.id}/track/?round=1`)).status).toBe(404);
  expect((await played.player.request("GET", `/api/matches/${played.match.id}/track/?round=99`)).status).toBe(404);
});
