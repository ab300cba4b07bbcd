import { axeViolations, hydrated, keepScreenshot, phone } from "../../services/browser.ts";
import { addPlayer } from "../../services/populated-product.ts";
import { callWithToken, tokenOf } from "../../services/token-calls.ts";
import { expect, test } from "../fixtures.ts";

for (const javaScript of [true, false]) {
  const how = javaScript ? "with" : "without";
  test(`A player makes a token, sees it once, uses it and revokes it, ${how} JavaScript`, {
    tag: javaScript ? [] : "@long",
  }, async ({ product, visit }) => {
    const player = await addPlayer(product);
    const { page, problems } = await visit({ as: player, javaScript });
    const statusOf = async (token: string) =>
      (await callWithToken(product.url, token, "GET", "/api/auth/standing/")).status;
    await page.goto("/settings/account");
    await page.getByRole("link", { name: "Access tokens" }).click();
    await expect(page).toHaveURL(/\/settings\/access$/);
    if (javaScript) await hydrated(page);
    await expect(page.getByText("No tokens yet.")).toBeVisible();

    // A refused form keeps its contents.
    await page.getByRole("textbox", { name: "Name" }).fill("Clip bot");
    await page.getByRole("checkbox", { name: /^read / }).uncheck();
    await page.getByRole("button", { name: "Make a token" }).click();
    await expect(page.getByRole("alert").filter({ hasText: "Choose what the token may do." })).toBeVisible();
    await expect(page.getByRole("textbox", { name: "Name" })).toHaveValue("Clip bot");

    await page.getByRole("checkbox", { name: /^read / }).check();
    await page.getByRole("checkbox", { name: /^create / }).check();
    await page.getByLabel("Expires").selectOption("after 30 days");
    await page.getByRole("button", { name: "Make a token" }).click();
    const shown = page.getByLabel("The new token");
    const token = await shown.inputValue();
    expect(token).toMatch(/^clutchcast_pat_[\w-]{43}$/);
    expect(await statusOf(token)).toBe(200);
    const item = page.getByRole("listitem").filter({ hasText: "Clip bot" });
    await expect(item).toContainText(token.slice(0, 19));
    if (javaScript) {
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      await page.getByRole("button", { name: "Copy the token" }).click();
      await expect(page.getByText("Copied")).toBeVisible();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token);
      // The form is empty again for the next token.
      await expect(page.getByRole("textbox", { name: "Name" })).toHaveValue("");
      expect(await axeViolations(page)).toEqual([]);
    }

    await page.goto("/settings/access");
    if (javaScript) await hydrated(page);
    expect(await page.content()).not.toContain(token);
    await expect(item).toContainText("Last used");
    await page.getByRole("button", { name: "Revoke: Clip bot" }).click();
    await expect(page.getByText("Revoked. Nothing can use this token any more.")).toBeVisible();
    await expect(item).toHaveCount(0);
    expect(await statusOf(token)).toBe(401);
    expect(problems.filter((problem) => !problem.includes("status of 400"))).toEqual([]);
  });
}

test("The page of access tokens, on a laptop and a phone", async ({ product, visit }) => {
  const player = await addPlayer(product);
  const { token } = await tokenOf(player, ["read", "import", "create"], { name: "Import on my server" });
  await callWithToken(product.url, token, "GET", "/api/matches/");
  await tokenOf(player, ["read"], { name: `A name as long as a name can be, ${"x".repeat(31)}`, expires_in_days: 365 });
  const { page } = await visit({ as: player });
  await page.goto("/settings/access");
  await hydrated(page);
  await page.getByRole("textbox", { name: "Name" }).fill("Clip bot");
  await page.getByRole("button", { name: "Make a token" }).click();
  await expect(page.getByLabel("The new token")).toBeVisible();
  await keepScreenshot(page, "access-tokens-1280");
  expect(await axeViolations(page)).toEqual([]);
  await page.setViewportSize(phone);
  await keepScreenshot(page, "access-tokens-390");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(phone.width);
  await page.goto("/api/docs/guide/");
  await keepScreenshot(page, "api-guide-390");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(phone.width);
});

test("The settings of access tokens are for those who are signed in", async ({ visit }) => {
  const { page } = await visit();
  await page.goto("/settings/access");
  await expect(page).toHaveURL(/\/\?login=needed&next=%2Fsettings%2Faccess$/);
});
