import { ApiVisitor } from "../../services/api-visitor.ts";
import { axeViolations, hydrated, keepScreenshot, laptop, phone } from "../../services/browser.ts";
import { isOfManyMachines } from "../../services/many-machines/shared-parts.ts";
import { userIdOf } from "../../services/seeded-rows.ts";
import { uniqueSteamId } from "../../services/unique.ts";
import { startWebhookReceiver } from "../../services/webhook-receiver.ts";
import { expect, test } from "../fixtures.ts";

for (const javaScript of [true, false]) {
  const way = javaScript ? "with JavaScript" : "without JavaScript";

  test(`A player switches automatic clips on, chooses which, and switches them off with one press, ${way}`, {
    tag: javaScript ? [] : "@long",
  }, async ({ product, visit }) => {
    const player = new ApiVisitor(product.url);
    await player.signIn(uniqueSteamId(), "Player automatic");
    const viewport = javaScript ? laptop : phone;
    const { page, problems } = await visit({ as: player, javaScript, viewport });
    await page.goto("/");
    if (javaScript) await hydrated(page);
    await page.getByRole("link", { name: "Settings" }).click();
    await expect(page.getByRole("heading", { name: "Automatic clips" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Switch off" })).toHaveCount(0);
    await page.getByRole("radio", { name: "Every highlight that scores at least" }).check();
    await page.getByRole("spinbutton", { name: "Lowest score" }).fill("87.5");
    await page.getByRole("radio", { name: "My team’s" }).check();
    await page.getByRole("checkbox", { name: "X-Ray" }).uncheck();
    await page.getByRole("radio", { name: "Vertical" }).check();
    await expect(page.getByRole("radio", { name: "Everybody, in lists and feeds" })).toBeChecked();
    await page.getByRole("radio", { name: "Only people with the link" }).check();
    await page.getByRole("button", { name: "Switch on" }).click();
    await expect(page.getByRole("status").filter({ hasText: "Saved. Automatic clips are on." })).toBeVisible();
    await expect(page.getByText("Next look")).toBeVisible();
    if (javaScript) expect(await axeViolations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await keepScreenshot(page, `settings-automatic-${viewport.width}`);
    expect(await player.call("GET", "/api/automation/")).toMatchObject({
      ...{ is_on: true, choice: "above", min_score: 87.5, players: "team", clips_per_day: 3, format: "vertical" },
      render_settings: { xray: false, hud: true, watermark: false },
      visibility: "unlisted",
    });
    await page.goto("/settings");
    await expect(page.getByRole("radio", { name: "My team’s" })).toBeChecked();
    await expect(page.getByRole("radio", { name: "Only people with the link" })).toBeChecked();
    await page.getByRole("spinbutton", { name: "Clips a day" }).fill("5");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByRole("status").filter({ hasText: "Saved." })).toBeVisible();
    await page.getByRole("button", { name: "Switch off" }).click();
    await expect(page.getByRole("status").filter({ hasText: "Automatic clips are off." })).toBeVisible();
    expect(await player.call("GET", "/api/automation/")).toMatchObject({
      is_on: false,
      clips_per_day: 5,
      players: "team",
    });
    expect(problems).toEqual([]);
  });

  test(`A player adds a Discord channel and a webhook, tests both and sees what became of them, ${way}`, {
    tag: javaScript ? [] : "@long",
  }, async ({ product, visit }) => {
    const receiver = await startWebhookReceiver();
    let stayHere = () => {};
    try {
      product.services.config.WEBHOOK_ALLOW_HOSTS = [receiver.host];
      // A second web does not know the receiver; with an interception, only this process answers.
      stayHere = product.interceptApi("GET", /^$/, () => undefined);
      const steamId = uniqueSteamId();
      const player = new ApiVisitor(product.url);
      await player.signIn(steamId, "Player told");
      const viewport = javaScript ? laptop : phone;
      const { page, problems } = await visit({ as: player, javaScript, viewport });
      await page.goto("/settings/notifications");
      if (javaScript) await hydrated(page);
      const discord = page.getByRole("region", { name: "Discord" });
      await discord.getByLabel("Webhook URL").fill("https://example.org/no-webhook");
      await discord.getByRole("button", { name: "Save" }).click();
      await expect(discord.getByRole("alert")).toContainText("This is not the address of a Discord webhook.");
      await discord.getByLabel("Webhook URL").fill(`${receiver.url}/api/webhooks/123456/a-token-9876`);
      await discord.getByRole("button", { name: "Save" }).click();
      await expect(discord.getByText(`${receiver.host}/…/1234…/…9876`)).toBeVisible();
      await discord.getByRole("button", { name: /^Send a test message/ }).click();
      await expect(discord.getByRole("status").filter({ hasText: "It arrived: 204" })).toBeVisible();

      const scripts = page.getByRole("region", { name: "Webhooks for scripts" });
      await scripts.getByLabel("Address").fill(`${receiver.url}/hook?key=hidden`);
      await scripts.getByRole("checkbox", { name: "A match is imported" }).check();
      await scripts.getByRole("button", { name: "Add webhook" }).click();
      await expect(scripts.getByLabel("Secret of the new webhook")).toHaveValue(/^whsec_/);
      await keepScreenshot(page, `settings-notifications-secret-${viewport.width}`);
      await expect(scripts.getByText(`${receiver.url}/hook?…`)).toBeVisible();
      receiver.answer(() => ({ status: 410 }));
      await scripts.getByRole("button", { name: /^Send a test message/ }).click();
      await expect(scripts.getByRole("alert").filter({ hasText: "The answer is 410." })).toBeVisible();
      await expect(scripts.getByText("The receiver said that it is gone (410).")).toBeVisible();

      const log = page.getByRole("region", { name: "Delivery log" });
      await expect(log.getByRole("listitem")).toHaveCount(2);
      await expect(log.getByRole("listitem").first()).toContainText(/Failed.*410 · \d+ ms · try 1/s);
      if (javaScript) expect(await axeViolations(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      await keepScreenshot(page, `settings-notifications-${viewport.width}`);
      await scripts.getByRole("button", { name: /^Delete/ }).click();
      await expect(scripts.getByRole("status").filter({ hasText: "Deleted." })).toBeVisible();
      await expect(log.getByRole("listitem")).toHaveCount(1);
      // A failed test message makes the form answer 400.
      expect(problems.filter((problem) => !/400/.test(problem))).toEqual([]);
    } finally {
      stayHere();
      product.services.config.WEBHOOK_ALLOW_HOSTS = [];
      await receiver.close();
    }
  });

  test(`A clip that was made for its player says so to them alone, until they keep it, ${way}`, {
    tag: javaScript ? [] : "@long",
  }, async ({ product, visit, serverWarnings }) => {
    const { database } = product.services;
    const userId = await userIdOf(database, "76561199999900009");
    const clip = await database
      .selectFrom("clips")
      .select(["id", "match_id"])
      .where("user_id", "=", userId)
      .where("status", "=", "completed")
      .where("match_id", "is not", null)
      .orderBy("created_at", "desc")
      .orderBy("id", "desc")
      .limit(1)
      .executeTakeFirstOrThrow();
    const mark = () => database.updateTable("clips").set({ made_for_you: true }).where("id", "=", clip.id).execute();
    await mark();
    const viewport = javaScript ? laptop : phone;
    const stranger = await visit({ as: product.players.newcomer });
    await stranger.page.goto(`/clips/${clip.id}`);
    await expect(stranger.page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(stranger.page.getByText("Made for you")).toHaveCount(0);
    const { page } = await visit({ as: product.players.maker, javaScript, viewport });
    await page.goto("/clips");
    if (javaScript) await hydrated(page);
    const card = page.getByRole("article").filter({ hasText: "Made for you" });
    await expect(card).toHaveCount(1);
    await keepScreenshot(page, `made-for-you-list-${viewport.width}`);
    await card.getByRole("button", { name: /^Keep/ }).click();
    await expect(card).toHaveCount(0);
    await expect(page).toHaveURL(({ pathname }) => pathname === "/clips");
    await mark();
    await page.goto(`/clips/${clip.id}`);
    if (javaScript) await hydrated(page);
    await keepScreenshot(page, `made-for-you-clip-${viewport.width}`);
    await page.getByRole("button", { name: /^Keep/ }).click();
    await expect(page.getByText("Made for you")).toHaveCount(0);
    await expect(page).toHaveURL(({ pathname }) => pathname === `/clips/${clip.id}`);

    await mark();
    const matchPath = `/matches/${clip.match_id}`;
    await page.goto(matchPath);
    if (javaScript) await hydrated(page);
    const refuse = product.interceptApi("POST", /\/keep\/$/, () => Response.json({ error: "no" }, { status: 404 }));
    await card.getByRole("button", { name: /^Keep/ }).click();
    if (javaScript) await expect(card.getByRole("alert")).toHaveText("Failed to keep the clip");
    await expect.poll(() => serverWarnings.join()).toContain("Keep:");
    await expect(page).toHaveURL(({ pathname }) => pathname === matchPath);
    await expect(card).toHaveCount(1);
    refuse();
    await card.getByRole("button", { name: /^Keep/ }).click();
    await expect(card).toHaveCount(0);
    await expect(page.getByRole("heading", { name: /^Created Clips/ })).toBeVisible();
    await expect(page).toHaveURL(({ pathname }) => pathname === matchPath);
  });
}

test("Without a history provider the page says so, and there is nothing to switch on", async ({ product, visit }) => {
  test.skip(isOfManyMachines, "the other web has a configuration of its own");
  const { services } = product;
  const { HISTORY_PROVIDER } = services.config;
  const { page } = await visit({ as: product.players.newcomer });
  const config = services.config;
  try {
    services.config = { ...config, HISTORY_PROVIDER: "none" };
    await page.goto("/settings");
    await expect(page.getByText("This server has no match history provider")).toBeVisible();
    await expect(page.getByRole("button", { name: "Switch on" })).toBeDisabled();
    await keepScreenshot(page, "settings-automatic-none");
    expect(
      (
        await product.players.newcomer.request("POST", "/api/automation/", {
          choice: "best",
          players: "me",
          clips_per_day: 3,
        })
      ).status,
    ).toBe(409);
  } finally {
    services.config = config;
    expect(services.config.HISTORY_PROVIDER).toBe(HISTORY_PROVIDER);
  }
});
