import { readFileSync } from "node:fs";
import type { ClipDetail } from "../../../contract/schemas/clips.ts";
import { axeViolations, hydrated, keepScreenshot, laptop, phone } from "../../services/browser.ts";
import { expect, test } from "../fixtures.ts";

test("Its owner gets from the clip's page what records it in the game, without JavaScript too; nobody else does", async ({
  product,
  visit,
}) => {
  const { clipId, players } = product;
  const clip = await players.maker.call<ClipDetail>("GET", `/api/matches/clips/${clipId}/`);
  for (const javaScript of [true, false]) {
    const { page, context, problems } = await visit({
      as: players.maker,
      javaScript,
      viewport: javaScript ? laptop : phone,
    });
    await page.goto(`/clips/${clipId}`);
    if (javaScript) await hydrated(page);
    await page.getByRole("link", { name: "Record in game" }).click();
    await expect(page.getByRole("heading", { name: "Record it in the game" })).toBeVisible();
    await expect(page.getByText(clip.display_name)).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    // axe needs JavaScript.
    if (javaScript) expect(await axeViolations(page)).toEqual([]);
    await keepScreenshot(page, `clip-record-${javaScript ? 1280 : "no-js-390"}`);

    await page.getByLabel(/^Your demo file/).fill("C:\\demos\\match #1.dem");
    const config = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download the config" }).click();
    const downloaded = await config;
    expect(downloaded.suggestedFilename()).toBe(`clip-${clipId}.json`);
    expect(JSON.parse(readFileSync(await downloaded.path(), "utf8"))).toMatchObject({
      demoPath: "C:\\demos\\match #1.dem",
      width: clip.width,
      sequences: [{ number: 1 }],
    });
    const commands = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download the commands" }).click();
    const xml = readFileSync(await (await commands).path(), "utf8");
    const step = await page.getByRole("listitem").filter({ hasText: "demo_gototick" }).textContent();
    const firstTick = /demo_gototick (\d+)/.exec(step ?? "")?.[1];
    expect(Number(firstTick)).toBeLessThan(Number(/<c tick="(\d+)">sv_cheats 1/.exec(xml)?.[1]));
    expect(xml).toContain("mirv_streams record start");
    expect(problems).toEqual([]);
    await context.close();
  }

  const stranger = await visit({ as: players.limited });
  await stranger.page.goto(`/clips/${clipId}`);
  await expect(stranger.page.getByRole("link", { name: "Record in game" })).toHaveCount(0);
  expect((await stranger.page.goto(`/clips/${clipId}/record`))?.status()).toBe(404);
  const addresses = ["", "csdm.json", "hlae.xml"].map((name) => `/api/matches/clips/${clipId}/in-game/${name}`);
  for (const address of addresses) {
    expect((await players.limited.request("GET", address)).status, address).toBe(404);
    expect((await fetch(`${product.url}${address}`)).status, address).toBe(401);
  }
  await stranger.context.close();
});
