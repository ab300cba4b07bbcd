import type { Clip } from "../../../contract/schemas/clips.ts";
import { axeViolations, hydrated, keepScreenshot, laptop, phone } from "../../services/browser.ts";
import { steamIds } from "../../services/populated-product.ts";
import { addClip, userIdOf } from "../../services/seeded-rows.ts";
import { expect, test } from "../fixtures.ts";

for (const javaScript of [true, false]) {
  const way = javaScript ? "with JavaScript" : "without JavaScript";

  test(`A clip is taken out of the lists by its owner, opens for a friend by its link and for nobody by its number, ${way}`, {
    tag: javaScript ? [] : "@long",
  }, async ({ product, visit }) => {
    const { database } = product.services;
    const id = await addClip(database, product.clipId, {
      userId: await userIdOf(database, steamIds.busy),
      matchId: "busy",
      name: "For my friends",
      minutesAgo: 1,
    });
    const { page, problems } = await visit({
      as: product.players.busy,
      javaScript,
      viewport: javaScript ? laptop : phone,
    });
    await page.goto(`/clips/${id}`);
    if (javaScript) await hydrated(page);
    await page.getByRole("link", { name: "Edit" }).click();
    await page.getByRole("checkbox", { name: /^Only people with the link/ }).check();
    if (javaScript) expect(await axeViolations(page)).toEqual([]);
    await keepScreenshot(page, `edit-unlisted-${javaScript ? 1280 : 390}`);
    await page.getByRole("button", { name: "Save visibility" }).click();
    await expect(page).toHaveURL(/\/clips\/\d+-[\w-]{22}$/);
    await expect(page.getByText("Unlisted", { exact: true })).toBeVisible();
    await keepScreenshot(page, `clip-unlisted-${javaScript ? 1280 : 390}`);
    const shared = page.url();
    // The owner always gets to the address that works for others, however it was opened.
    await page.goto(`/clips/${id}?share=open`);
    await expect(page).toHaveURL(`${shared}?share=open`);
    await expect(page.locator("#share-address")).toHaveValue(new RegExp(shared.split("/").at(-1) ?? ""));
    expect(problems).toEqual([]);

    const friend = await visit({ as: product.players.newcomer, javaScript });
    await friend.page.goto(shared);
    await expect(friend.page.getByRole("heading", { level: 1 })).toHaveText("For my friends");
    await expect(friend.page.locator('meta[name="robots"]')).toHaveAttribute("content", "noindex");
    const likes = friend.page.getByRole("button", { name: /likes?$/ });
    await likes.click();
    await expect(likes).toHaveText(/1/);
    await expect(likes).toHaveAttribute("aria-pressed", "true");
    expect((await friend.page.request.get(`${shared}/embed`)).status()).toBe(200);
    expect(friend.problems).toEqual([]);
    for (const path of ["", "/embed"]) {
      expect((await friend.page.request.get(`${product.url}/clips/${id}${path}`)).status(), path).toBe(404);
    }
    const oembed = (url: string) =>
      friend.page.request.get(`${product.url}/oembed?${new URLSearchParams({ url, format: "json" })}`);
    expect((await oembed(`${product.url}/clips/${id}`)).status()).toBe(404);
    // No cache or search engine keeps an answer with the key.
    expect((await oembed(shared)).headers()["cache-control"]).toBe("private, no-store");
    const file = await friend.page.request.get(shared.replace(/\/clips\/([\w-]+)$/, "/video/clips/$1/poster.jpg"), {
      // The same is true for the redirect to a separate store.
      maxRedirects: 0,
    });
    expect(file.headers()).toMatchObject({
      "x-robots-tag": "noindex",
      "cache-control": expect.stringMatching(/^private, (no-cache|max-age=1800)$/),
    });
    const sitemap = await (await friend.page.request.get(`${product.url}/sitemap.xml`)).text();
    expect(sitemap).toContain(`${product.url}/clips/${product.clipId}</loc>`);
    expect(sitemap).not.toMatch(new RegExp(`/clips/${id}\\b`));
    await friend.page.goto(`/users/${steamIds.busy}/clips`);
    await expect(friend.page.getByText("For my friends")).toHaveCount(0);
  });
}

test("A clip is created unlisted from its match, and the address copied there is the one that its friends can open", async ({
  product,
  visit,
}) => {
  const { page, context } = await visit({ as: product.players.maker });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(`/match/${product.matchId}`);
  await hydrated(page);
  await page.locator('input[name="highlight"]').nth(3).check();
  await page.getByRole("checkbox", { name: /^Unlisted/ }).check();
  const answered = page.waitForResponse((response) => response.request().method() === "POST");
  await page.getByRole("button", { name: /^Create/ }).click();
  await answered;
  const [newest] = await product.players.maker.call<Clip[]>("GET", `/api/matches/${product.matchId}/clips/`);
  expect(newest?.visibility).toBe("unlisted");
  const bar = page.locator(".create-bar");
  await bar.getByRole("button", { name: "Copy link" }).click();
  await expect(bar.getByText("Copied")).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(new RegExp(`^${product.url}/clips/${newest?.public_id}(\\?v=\\w+)?$`));
  expect(newest?.public_id).not.toBe(String(newest?.id));
  if (newest) await product.players.maker.call("DELETE", `/api/matches/clips/${newest.id}/delete/`);
});
