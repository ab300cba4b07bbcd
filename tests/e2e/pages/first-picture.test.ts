import type { Page, Request } from "playwright/test";
import { hydrated, phone } from "../../services/browser.ts";
import { addCompletedMatch } from "../../services/populated-product.ts";
import { expect, test } from "../fixtures.ts";

/** A match's scripts wait for its first picture (decision 172). */

const firstPicture = "img[fetchpriority=high]";
const isScript = (request: Request) => /\/assets\/[^/]+\.js$/.test(new URL(request.url()).pathname);

/** Treats the first picture as `answer` says, and lists the pictures and scripts requested from then on. */
async function withPicture(page: Page, answer: "late" | "never" | "missing"): Promise<string[]> {
  const asked: string[] = [];
  page.on("request", (request) => isScript(request) && asked.push("script"));
  let isFirst = true;
  await page.route("**/thumbnail.jpg*", async (route) => {
    if (!isFirst) return route.continue();
    isFirst = false;
    if (answer === "never") return;
    if (answer === "missing") return route.fulfill({ status: 404 });
    const response = await route.fetch();
    await new Promise((resolve) => setTimeout(resolve, 700));
    asked.push("picture");
    await route.fulfill({ response });
  });
  return asked;
}

test("A match's scripts are asked for once its first picture is painted, and take the page over", async ({
  product,
  visit,
}) => {
  const { page, problems } = await visit({ as: product.players.maker, viewport: phone });
  const asked = await withPicture(page, "late");
  await page.goto(`/match/${product.matchId}`);
  await expect(page.locator(firstPicture)).toHaveCount(1);
  await hydrated(page);
  expect(asked.indexOf("picture")).toBe(0);
  expect(asked.filter((what) => what === "script").length).toBeGreaterThan(5);
  await page.getByRole("button", { name: "All", exact: true }).click();
  await expect(page.getByRole("button", { name: /^Too many highlights/ })).toBeVisible();
  expect(problems).toEqual([]);
});

for (const answer of ["never", "missing"] as const) {
  test(`A match's scripts come when its first picture is ${answer === "never" ? "never there" : "missing"}`, async ({
    product,
    visit,
  }) => {
    const { page } = await visit({ as: product.players.maker, viewport: phone });
    const asked = await withPicture(page, answer);
    await page.goto(`/match/${product.matchId}`, { waitUntil: "commit" });
    await hydrated(page);
    expect(asked).toContain("script");
  });
}

test("A match's scripts come in a browser that does not say what it has painted", async ({ product, visit }) => {
  const { page } = await visit({ as: product.players.maker, viewport: phone });
  await page.addInitScript(() => {
    Object.assign(globalThis, { PerformanceObserver: undefined });
  });
  await page.goto(`/match/${product.matchId}`);
  await hydrated(page);
});

test("Other pages ask for their scripts at once", async ({ product, visit }) => {
  const { page } = await visit({ as: product.players.maker, viewport: phone });
  const asked = await withPicture(page, "late");
  await page.goto("/clips");
  await expect(page.locator(firstPicture)).toHaveCount(1);
  await hydrated(page);
  expect(asked[0]).toBe("script");
});

test("A match without clips asks for its scripts at once, after what is seen of it", async ({ product, visit }) => {
  const { matchId } = await addCompletedMatch(product, "maker");
  const { page } = await visit({ as: product.players.maker, viewport: phone });
  const html = await (await page.request.get(`/match/${matchId}`)).text();
  expect(html).toContain('<link rel="modulepreload" fetchpriority="low" ');
  expect(html).toContain("<script nonce");
  expect(html).toContain(' type="module"');
  await page.goto(`/match/${matchId}`);
  await hydrated(page);
});
