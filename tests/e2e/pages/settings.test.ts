import { sql } from "kysely";
import { runForgetJob } from "../../../backend/library/delete-user.ts";
import type { Services } from "../../../backend/services.ts";
import { ApiVisitor } from "../../services/api-visitor.ts";
import {
  axeViolations,
  everyWindow,
  hydrated,
  keepScreenshot,
  laptop,
  phone,
  tooWide,
} from "../../services/browser.ts";
import { addPlayer } from "../../services/populated-product.ts";
import { userIdOf } from "../../services/seeded-rows.ts";
import { callWithToken, tokenOf } from "../../services/token-calls.ts";
import { uniqueSteamId } from "../../services/unique.ts";
import { expect, test } from "../fixtures.ts";

for (const javaScript of [true, false]) {
  const way = javaScript ? "with JavaScript" : "without JavaScript";

  test(`A player signs out another device, takes a copy of the data and deletes the account, ${way}`, {
    tag: javaScript ? [] : "@long",
  }, async ({ product, visit }) => {
    const steamId = uniqueSteamId();
    const [here, elsewhere] = [new ApiVisitor(product.url), new ApiVisitor(product.url)];
    for (const device of [here, elsewhere]) await device.signIn(steamId, "Player leaving");
    const { page, problems } = await visit({ as: here, javaScript, viewport: javaScript ? laptop : phone });
    await page.goto("/");
    if (javaScript) await hydrated(page);
    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "Account" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Settings");
    if (javaScript) expect(await axeViolations(page)).toEqual([]);
    await keepScreenshot(page, `settings-account-${javaScript ? 1280 : 390}`);

    const devices = page.getByRole("region", { name: "Where you are signed in" });
    await expect(devices.getByRole("listitem")).toHaveCount(2);
    await expect(devices.getByRole("listitem").filter({ hasText: "This device" })).toHaveCount(1);
    await devices.getByRole("button", { name: "Sign out: Firefox on Linux" }).click();
    await expect(devices.getByRole("status")).toHaveText("Signed out there.");
    await expect(devices.getByRole("listitem")).toHaveCount(1);
    expect((await elsewhere.request("GET", "/api/account/sessions/")).status).toBe(401);

    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: /^Download my data/ }).click();
    expect((await download).suggestedFilename()).toBe(`clutchcast-${steamId}.zip`);

    const { id: userId } = await product.services.database
      .selectFrom("users")
      .select("id")
      .where("steam_id", "=", steamId)
      .executeTakeFirstOrThrow();
    await page.getByRole("checkbox", { name: /^Delete my account/ }).check();
    await page.getByRole("button", { name: "Delete my account" }).click();
    await expect(page.getByRole("status").filter({ hasText: "Your account is being deleted." })).toBeVisible();
    await expect(page.getByRole("banner").getByRole("button", { name: "Sign in through Steam" })).toBeVisible();
    await runForgetJob(product.services, { userId });
    const left = await product.services.database.selectFrom("users").where("id", "=", userId).selectAll().execute();
    expect(left).toEqual([]);
    expect(problems).toEqual([]);
  });
}

test("The settings are for the signed-in alone, and nothing of them is wider than a phone", async ({
  product,
  visit,
}) => {
  const stranger = await visit();
  await stranger.page.goto("/settings");
  await expect(stranger.page).toHaveURL(({ pathname }) => pathname === "/");
  const { page } = await visit({ as: product.players.hostile, viewport: phone });
  await page.goto("/settings/account");
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
});

test("A player signs out everywhere, and revokes the access tokens with it only if the box is ticked", async ({
  product,
  visit,
}) => {
  const steamId = uniqueSteamId();
  for (const javaScript of [true, false]) {
    for (const isTicked of [false, true]) {
      const player = new ApiVisitor(product.url);
      await player.signIn(steamId, "Player leaving");
      const { token } = await tokenOf(player, ["read"]);
      const { page, context } = await visit({ as: player, javaScript });
      await page.goto("/settings/account");
      const box = page.getByRole("checkbox", { name: "Revoke my access tokens too" });
      await expect(box).not.toBeChecked();
      if (isTicked) await box.check();
      await page.getByRole("button", { name: "Sign out everywhere" }).click();
      const said = isTicked
        ? "You are signed out on all devices, and your access tokens are revoked."
        : "You are signed out on all devices.";
      await expect(page.getByRole("status").filter({ hasText: "You are signed out" })).toHaveText(said);
      const { status } = await callWithToken(product.url, token, "GET", "/api/auth/standing/");
      expect(status).toBe(isTicked ? 401 : 200);
      await context.close();
    }
  }
});

/** Many entries of every kind, with the longest allowed texts. */
async function fillSettings(database: Services["database"], steamId: string): Promise<void> {
  const userId = await userIdOf(database, steamId);
  const url = `https://${"a-long-name.".repeat(8)}example.org/${"hook".repeat(40)}`;
  const problem = `${"long-name.".repeat(20)} cannot be reached.`;
  await sql`
    INSERT INTO sessions (id_hash, user_id, created_at, last_seen_at, expires_at, device)
    SELECT md5(random()::text) || md5(random()::text), ${userId}, now(), now(), now() + interval '9 days', ${"W".repeat(40)}
    FROM generate_series(1, 30)`.execute(database);
  await sql`
    INSERT INTO access_tokens (user_id, name, token_hash, first_characters, scopes, expires_at)
    SELECT ${userId}, ${"W".repeat(64)}, md5(random()::text) || md5(random()::text), 'clutchcast_pat_abcd',
      'read import create', NULL
    FROM generate_series(1, 20)`.execute(database);
  await sql`
    INSERT INTO webhooks (user_id, kind, url, secret, events, is_on, off_reason, created_at)
    SELECT ${userId}, 'script', ${url}, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      '{clip.ready,clip.failed,clip.format_ready,clip.format_failed,match.imported}', n % 2 = 0,
      'The receiver said that it is gone (410).', now()
    FROM generate_series(1, 5) n`.execute(database);
  await sql`
    INSERT INTO webhook_deliveries (webhook_id, user_id, message_id, event, subject, state, tries, tried_at, problem)
    SELECT min(id), ${userId}, 'msg_' || n, 'clip.format_failed', n::text, 'failed', 8, now(), ${problem}
    FROM webhooks, generate_series(1, 60) n WHERE user_id = ${userId} GROUP BY n`.execute(database);
  await sql`
    INSERT INTO automation (user_id, is_on, choice, min_score, players, settings, clips_per_day, since, next_look_at,
      looked_at, problem)
    VALUES (${userId}, true, 'above', 37.5, 'team', '{}', 20, now(), now() + interval '1 hour', now(),
      ${`Leetify cannot be asked right now, so ${"recent ".repeat(30)}matches are missing.`})`.execute(database);
}

test("Full to the brim, the settings fit phones, tablets, laptops, wide screens and a zoom of 200 %, and pass axe", {
  tag: "@long",
}, async ({ product, visit }) => {
  const player = await addPlayer(product);
  await fillSettings(product.services.database, player.steamId);
  for (const javaScript of [true, false]) {
    const { page, context, problems } = await visit({ as: player, javaScript, viewport: phone });
    for (const path of ["/settings", "/settings/notifications", "/settings/access", "/settings/account"]) {
      await page.goto(path);
      if (javaScript) await hydrated(page);
      for (const viewport of everyWindow) {
        await page.setViewportSize(viewport);
        expect(await tooWide(page), `${path} at ${viewport.width}`).toEqual([]);
        if (!javaScript || (viewport !== phone && viewport !== laptop)) continue;
        const name = `full${path.replaceAll("/", "-")}-${viewport.width}`;
        await keepScreenshot(page, name);
        expect(await axeViolations(page), name).toEqual([]);
      }
      // Only the text is twice as large.
      await page.setViewportSize(laptop);
      await page.locator("html").evaluate((html) => html.style.setProperty("font-size", "200%"));
      expect(await tooWide(page), `${path} with large text`).toEqual([]);
    }
    expect(problems).toEqual([]);
    await context.close();
  }
});
