import type { Page } from "playwright/test";
import { holdRequests, hydrated, keepScreenshot, phone } from "../../services/browser.ts";
import { addCompletedMatch, steamIds } from "../../services/populated-product.ts";
import { addClip } from "../../services/seeded-rows.ts";
import { unique } from "../../services/unique.ts";
import { expect, test } from "../fixtures.ts";

interface Focus {
  name: string;
  isVisible: boolean;
  /** Nothing has the focus. */
  isNowhere: boolean;
}

/** The focused element: its accessible name, if it is text or a label, and whether it has a visible focus ring. */
function focus(page: Page): Promise<Focus> {
  return page.evaluate(() => {
    const element = document.activeElement as HTMLElement;
    const ring = element.closest("label") ?? element;
    // A link that covers its card draws its ring around the card.
    const styles = [getComputedStyle(element), getComputedStyle(ring), getComputedStyle(element, "::after")];
    const isVisible = styles.some(({ outlineStyle, outlineWidth }) => {
      return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
    });
    const name = element.getAttribute("aria-label") ?? ring.textContent ?? "";
    // Inside a player the browser draws a ring around its own controls.
    return {
      name: name.replaceAll(/\s+/g, " ").trim(),
      isVisible: isVisible || element instanceof HTMLVideoElement,
      isNowhere: element === document.body,
    };
  });
}

/** Presses Tab until the wanted element has the focus; every element on the way must show its focus. */
async function tabTo(page: Page, wanted: RegExp): Promise<void> {
  const seen: string[] = [];
  for (let step = 0; step < 90; step++) {
    await page.keyboard.press("Tab");
    const { name, isVisible, isNowhere } = await focus(page);
    if (!isNowhere) expect(isVisible, `focus ring of “${name}”`).toBe(true);
    if (wanted.test(name)) return;
    seen.push(name);
  }
  throw new Error(`Tab never came to ${wanted}: ${seen.join(" | ")}`);
}

test("A player signs in, chooses, creates, and deletes with the keyboard alone", { tag: "@long" }, async ({
  product,
  visit,
}) => {
  const { page, problems } = await visit();
  await page.goto("/");
  await hydrated(page);
  await page.keyboard.press("Tab");
  expect(await focus(page)).toEqual({ name: "Skip to content", isVisible: true, isNowhere: false });
  await expect.poll(() => page.evaluate(() => document.activeElement?.getBoundingClientRect().top)).toBeGreaterThan(0);
  await keepScreenshot(page, "keyboard-skip-link-1280");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("content");
  await tabTo(page, /^Sign in through Steam$/);
  await page.keyboard.press("Enter");
  await page.waitForURL(/local-steam/);
  // The form suggests the player of the seeded match.
  await expect(page.locator("#steam_id")).toHaveValue(steamIds.maker);
  await tabTo(page, /^Sign in$/);
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.pathname === "/" && url.port === new URL(product.url).port);
  await hydrated(page);

  await tabTo(page, /^My Matches$/);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "My Matches" })).toBeVisible();
  // On a new page the focus starts at its content.
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("content");
  await tabTo(page, /^View Details$/);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: /^Match Highlights/ })).toBeVisible();
  const before = Number(/\((\d+)\)/.exec((await page.locator("#clips-heading").textContent()) ?? "(0)")?.[1]);

  await tabTo(page, /^None$/);
  await page.keyboard.press("Enter");
  await tabTo(page, /^AceRound 1/);
  await page.keyboard.press("Space");
  await tabTo(page, /^Wallbang/);
  await page.keyboard.press("Space");
  // Enter in a checkbox neither sends the form nor presses a filter.
  await page.keyboard.press("Enter");
  await expect(page.locator("input[name=highlight]:checked")).toHaveCount(2);
  await tabTo(page, /^Create Clip \(2 active\)$/);
  await keepScreenshot(page, "keyboard-create-1280");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: `Created Clips (${before + 1})` })).toBeVisible();

  await page.locator("#content").focus();
  await tabTo(page, /^Delete quietOtter/);
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Delete Clip" });
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");
  // A closed dialog is hidden at once and removed a moment later; only then does the button open another.
  await expect(page.locator("dialog")).toHaveCount(0);
  expect((await focus(page)).name).toMatch(/^Delete quietOtter/);
  await page.keyboard.press("Enter");
  await expect(dialog).toBeVisible();
  await tabTo(page, /^Delete$/);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: `Created Clips (${before})` })).toBeVisible();

  await page.goto("/");
  await hydrated(page);
  // A request that still polls for the clip would be refused after the sign-out.
  await expect.poll(() => page.evaluate(() => localStorage.getItem("awaited-clips") ?? "[]")).toBe("[]");
  await tabTo(page, /^Logout$/);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Sign in through Steam" }).first()).toBeVisible();
  expect(problems).toEqual([]);
});

for (const path of ["/clips", "/highlights", `/users/${steamIds.maker}/clips`]) {
  test(`Filtering and paging keep the focus, and going back shows what was chosen then: ${path}`, async ({
    product,
    visit,
  }) => {
    const { page, problems } = await visit({ as: product.players.maker });
    await page.goto(path);
    await hydrated(page);
    const filters = page.getByRole("search");
    const type = filters.getByLabel("Type");
    const player = filters.getByLabel("Player");
    const clear = filters.getByRole("link", { name: "Clear", exact: true });
    const show = filters.getByRole("button", { name: "Show" });
    // Only the player's own highlights are shown, which need not include an ace.
    const own = page.locator("article h2 label").first();
    const label = path === "/highlights" ? ((await own.textContent()) ?? "").split(" ·")[0] : "Ace";
    await type.focus();
    await type.selectOption({ label: `${label}` });
    const chosen = await type.inputValue();
    await expect(clear).toBeVisible();
    await expect(type).toHaveValue(chosen);
    await expect(type).toBeFocused();
    await player.fill("nobody of that name");
    await page.keyboard.press("Enter");
    await expect(page.getByText(/^No (clip|highlight) fits these filters\.$/)).toBeVisible();
    await expect(player).toBeFocused();
    await player.fill("");
    await show.focus();
    await page.keyboard.press("Enter");
    await expect(page.getByText(/^No (clip|highlight) fits these filters\.$/)).toHaveCount(0);
    await expect(show).toBeFocused();
    await clear.focus();
    await page.keyboard.press("Enter");
    await expect(clear).toHaveCount(0);
    await expect(type).toHaveValue("");
    await expect(show).toBeFocused();
    await page.goBack();
    await expect(clear).toBeVisible();
    await expect(type).toHaveValue(chosen);
    await expect(player).toHaveValue("");
    expect(problems).toEqual([]);
  });
}

test("Paging through found highlights keeps the focus on the arrow and the ticks, and Tab puts nothing under the bar", async ({
  product,
  visit,
}) => {
  const { page, problems } = await visit({ as: product.players.maker });
  await page.goto("/highlights?player=all");
  await hydrated(page);
  for (let step = 0; step < 60; step++) {
    await page.keyboard.press("Tab");
    const covered = await page.evaluate(() => {
      const bar = document.querySelector(".create-bar");
      const element = document.activeElement;
      if (!bar || !element || element === document.body || bar.contains(element)) return null;
      const { top, bottom } = element.getBoundingClientRect();
      return bottom > bar.getBoundingClientRect().top && top < innerHeight ? element.outerHTML.slice(0, 120) : null;
    });
    expect(covered).toBeNull();
  }
  const ticked = page.getByRole("status").filter({ hasText: "ticked" });
  await page.getByRole("main").getByRole("checkbox").first().check();
  await expect(ticked).toHaveText("1 ticked");
  const next = page.getByRole("link", { name: "Next page" });
  await next.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("navigation", { name: "Pages of highlights" })).toContainText("2");
  await expect(ticked).toHaveText("1 ticked, 1 of them not shown here");
  await expect(page.locator(":focus")).toHaveAttribute("aria-label", "Next page");
  await page.getByLabel("Played from").fill("2001-02-03");
  await page.keyboard.press("Enter");
  const clearDay = page.getByRole("link", { name: 'Clear "Played from"' });
  await clearDay.focus();
  await page.keyboard.press("Enter");
  await expect(clearDay).toHaveCount(0);
  await expect(page.getByLabel("Played from", { exact: true })).toBeFocused();
  await page.getByRole("button", { name: "Untick all" }).focus();
  await page.keyboard.press("Enter");
  await expect(ticked).toHaveText("0 ticked");
  await expect(page.getByRole("main").getByRole("checkbox").first()).toBeFocused();
  expect(problems).toEqual([]);
});

test("More clips by the keyboard: the focus goes to the first of them, and it is read out how many came", async ({
  product,
  visit,
}) => {
  const { page, problems } = await visit({ as: product.players.maker });
  // Where lists do not load by themselves: with a screen reader's browser, and in any page that is not scrolled.
  await page.addInitScript(() => {
    window.IntersectionObserver = class {
      observe() {}
      unobserve() {}
      disconnect() {}
    } as unknown as typeof IntersectionObserver;
  });
  await page.goto("/clips");
  await hydrated(page);
  const groups = page.getByRole("main").getByRole("region", { name: /^Clips of / });
  const more = page.getByRole("link", { name: "More clips" });
  await expect(groups).toHaveCount(5);
  for (const [before, after] of [
    [5, 10],
    [10, 12],
  ] as const) {
    const clips = await page.locator("main article").count();
    const answer = await holdRequests(page, /\/clips(\.data)?\?.*offset=/);
    await more.focus();
    await page.keyboard.press("Enter");
    await expect(page.getByText("Loading more clips...")).toBeVisible();
    await expect(more).toBeFocused();
    answer();
    await expect(groups).toHaveCount(after);
    await page.unrouteAll();
    await expect(groups.nth(before).getByRole("heading", { level: 2 })).toBeFocused();
    await expect(groups.nth(before).getByRole("heading", { level: 2 })).toBeInViewport();
    const come = (await page.locator("main article").count()) - clips;
    await expect(page.getByText(`${come} more clips`)).toBeAttached();
  }
  await expect(more).toHaveCount(0);
  expect(problems).toEqual([]);
});

test("What the last clips take the place of keeps its focus: they have it", async ({ product, visit }) => {
  const { page, problems } = await visit({ as: product.players.maker });
  await page.goto("/clips?offset=5");
  await hydrated(page);
  const groups = page.getByRole("main").getByRole("region", { name: /^Clips of / });
  const answer = await holdRequests(page, /\/clips(\.data)?\?.*offset=10/);
  const more = page.getByRole("link", { name: "More clips" });
  await more.focus();
  await expect(page.getByText("Loading more clips...")).toBeVisible();
  await expect(more).toBeFocused();
  answer();
  await expect(groups).toHaveCount(7);
  await expect(groups.nth(5).getByRole("heading", { level: 2 })).toBeFocused();
  expect(problems).toEqual([]);
});

test("Older clips to choose from: the list has the focus from its heading on, also where no more are left", async ({
  product,
  visit,
}) => {
  const { page, problems } = await visit({ as: product.players.maker });
  await page.goto("/clips/compile");
  await hydrated(page);
  const older = page.getByRole("link", { name: "Older clips" });
  for (const offset of [5, 10]) {
    await older.focus();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(new RegExp(`offset=${offset}$`));
    await expect(page.getByRole("heading", { name: "Your clips" })).toBeFocused();
    await expect(page.getByRole("heading", { name: "Your clips" })).toBeInViewport();
  }
  await expect(older).toHaveCount(0);
  const count = await page.getByRole("link", { name: /^Add / }).count();
  await expect(page.getByText(new RegExp(`^${count} clips?$`))).toBeAttached();
  expect(problems).toEqual([]);
});

test("With its last clip a group hands the focus to the next one's heading, the last group to what stands in its place", async ({
  product,
  visit,
}) => {
  const { database } = product.services;
  for (const name of ["One", "Other"]) {
    const { userId, matchId } = await addCompletedMatch(product, "newcomer");
    await addClip(database, product.clipId, { userId, matchId, name });
  }
  const { page, problems } = await visit({ as: product.players.newcomer });
  await page.goto("/clips");
  await hydrated(page);
  const groups = page.getByRole("main").getByRole("region");
  await expect(groups).toHaveCount(2);
  const second = groups.nth(1).getByRole("heading", { level: 2 });
  const secondMatch = await second.getByRole("link").getAttribute("href");
  await groups
    .first()
    .getByRole("link", { name: /^Delete / })
    .focus();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(groups).toHaveCount(1);
  await expect(page.locator(":focus").getByRole("link")).toHaveAttribute("href", `${secondMatch}`);
  await groups
    .first()
    .getByRole("link", { name: /^Delete / })
    .focus();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page.getByRole("heading", { name: "No clips yet" })).toBeFocused();
  expect(problems).toEqual([]);
});

test("What is pressed keeps the focus while it is sent, whether it is taken or not", async ({ product, visit }) => {
  const { page, context, problems } = await visit({ as: product.players.busy });
  await page.goto("/matches");
  await hydrated(page);
  const form = page.locator('form:has(input[name="demo_url"])');
  await form.locator("input[type=url]").fill(`https://demos.example/${unique("focus")}.dem`);
  let answer = await holdRequests(page, "**/*", "POST");
  const send = form.getByRole("button");
  await send.focus();
  await page.keyboard.press("Enter");
  await expect(send).toHaveText("Uploading...");
  await expect(send).toBeDisabled();
  await expect(send).toBeFocused();
  answer();
  await expect(form.getByText("Demo uploaded successfully!")).toBeVisible();
  await expect(send).toHaveText("Import");
  await expect(send).toBeFocused();
  await page.unrouteAll();

  await page.goto(`/clips/${product.clips.completed}/edit`);
  await hydrated(page);
  answer = await holdRequests(page, "**/*", "POST");
  const rename = page.getByRole("button", { name: "Save the name" });
  await rename.focus();
  await page.keyboard.press("Enter");
  await expect(rename).toBeDisabled();
  await expect(rename).toBeFocused();
  answer();
  await expect(page).not.toHaveURL(/edit$/);
  await page.unrouteAll();

  await page.getByRole("link", { name: /^Delete / }).click();
  const remove = page.getByRole("dialog").getByRole("button", { name: "Delete" });
  await remove.focus();
  await context.setOffline(true);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog").getByText("Failed to delete clip")).toBeVisible();
  await expect(remove).toBeFocused();
  await context.setOffline(false);
  expect(problems.filter((problem) => !problem.includes("ERR_INTERNET_DISCONNECTED"))).toEqual([]);
});

test("What goes once it was pressed hands the focus to what it stood in", async ({ product, visit }) => {
  const { database } = product.services;
  const { userId, matchId } = await addCompletedMatch(product, "newcomer");
  const clipId = await addClip(database, product.clipId, { userId, matchId, name: "For me" });
  await database.updateTable("clips").set({ made_for_you: true }).where("id", "=", clipId).execute();
  const { page, problems } = await visit({ as: product.players.newcomer });
  await page.addInitScript(() => {
    // Chromium's headless shell refuses without asking.
    Object.defineProperty(Notification, "permission", { get: () => "default" });
    Notification.requestPermission = async () => "granted";
  });

  await page.goto("/clips");
  await hydrated(page);
  const keep = page.getByRole("button", { name: "Keep For me" });
  await keep.focus();
  await page.keyboard.press("Enter");
  await expect(keep).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "For me" })).toBeFocused();

  await page.goto(`/clips/${clipId}`);
  await hydrated(page);
  const add = page.getByRole("button", { name: "Add format 1080p" });
  await add.focus();
  await page.keyboard.press("Enter");
  await expect(add).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "Formats" })).toBeFocused();

  await page.goto(`/matches/${matchId}/replay`);
  await hydrated(page);
  await page.getByLabel("From second").fill("5");
  await page.getByLabel("To second").fill("9");
  const save = page.getByRole("button", { name: /^Save/ });
  await save.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText("The moment is marked.")).toBeVisible();
  await expect(save).toBeFocused();
  const remove = page.getByRole("button", { name: /^Remove / });
  await remove.focus();
  await page.keyboard.press("Enter");
  await expect(remove).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "Mark a moment" })).toBeFocused();

  await page.goto(`/match/${matchId}`);
  await hydrated(page);
  await page.locator("label:has(input[name=highlight])").first().click();
  await page.getByRole("button", { name: "Create Clip (1 active)" }).click();
  const notify = page.getByRole("button", { name: "Notify me" });
  await notify.focus();
  await page.keyboard.press("Enter");
  await expect(notify).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Open the clip" })).toBeFocused();
  await page.getByRole("link", { name: "Open the clip" }).click();
  await expect(page).toHaveURL(/\/clips\/\d+$/);
  await notify.focus();
  await page.keyboard.press("Enter");
  await expect(notify).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  expect(problems).toEqual([]);
});

test("Every link, button and field is at least 44 pixels high under a thumb", { tag: "@long" }, async ({
  product,
  visit,
}) => {
  const { page } = await visit({ as: product.players.busy, viewport: phone });
  for (const path of [
    "/",
    "/matches",
    "/matches?page=2",
    "/matches/busy",
    "/clips",
    `/clips/${product.clips.completed}`,
  ]) {
    await page.goto(path);
    await hydrated(page);
    const small = await page.locator("a, button, input:not([type=hidden]), summary").evaluateAll((all) =>
      all.flatMap((element) => {
        // A checkbox is as large as its label; a link that covers its card, or is in a sentence, has no size of its own.
        const target = element.closest("label") ?? element;
        const { width, height } = target.getBoundingClientRect();
        const isHidden = width < 2 || height < 2 || getComputedStyle(target).visibility === "hidden";
        const isCover = target.classList.contains("cover-link");
        return isHidden || isCover || height >= 43.5 ? [] : [`${target.outerHTML.slice(0, 120)}: ${height}`];
      }),
    );
    expect(small, path).toEqual([]);
  }
});
