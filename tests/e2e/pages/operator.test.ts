import { sql } from "kysely";
import type { Locator } from "playwright/test";
import { giveSigns } from "../../../backend/supervision/process-signs.ts";
import { countStoredBlobs } from "../../../backend/supervision/storage-census.ts";
import type { FailurePage } from "../../../contract/schemas/operator.ts";
import { axeViolations, hydrated, keepScreenshot, laptop, phone } from "../../services/browser.ts";
import { isOfManyMachines } from "../../services/many-machines/shared-parts.ts";
import {
  failedClipError,
  failedMatchError,
  type PopulatedProduct,
  steamIds,
} from "../../services/populated-product.ts";
import { userIdOf } from "../../services/seeded-rows.ts";
import { expect, test } from "../fixtures.ts";

/** Jobs after all their tries have failed; no worker runs here. */
async function leaveFailures(product: PopulatedProduct): Promise<void> {
  const { database, jobs } = product.services;
  await database.executeQuery(sql`DELETE FROM pgboss.job`.compile(database));
  const ownerId = await userIdOf(database, steamIds.busy);
  await jobs.send("render", { clipId: product.clips.failed }, { ownerId });
  await jobs.send("import", { matchId: "busy-failed" }, { ownerId });
  await jobs.send("import", { matchId: "busy-gone" }, { ownerId });
  await jobs.send("loop", { clipId: product.clips.completed }, { ownerId });
  for (const map of ["de_nuke", "de_train"]) await jobs.send("map", { map }, { ownerId: null });
  await sql`
    UPDATE pgboss.job SET state = 'failed', retry_count = retry_limit, completed_on = now(), output = jsonb_build_object('message', CASE
      WHEN name = 'render' THEN E'The renderer ended with signal SIGKILL after 41 % of frame-001873\\n    at child'
      WHEN name = 'import' THEN 'connect ECONNREFUSED 203.0.113.7:443'
      ELSE 'The file is damaged: unexpected end of input' END)
  `.execute(database);
  // Waiting and running jobs.
  for (let n = 0; n < 3; n++) await jobs.send("share", { clipId: product.clips.completed }, { ownerId });
  await sql`UPDATE pgboss.job SET created_on = now() - interval '47 minutes' WHERE state = 'created'`.execute(database);
  // Results from the previous test are cached for some seconds, by each web in turn.
  const { rows } = await sql<{ id: string }>`SELECT id FROM pgboss.job WHERE state = 'failed' ORDER BY id`.execute(
    database,
  );
  const shown = async () => {
    const asked = "/api/operator/failures/?limit=20&offset=0";
    const { results } = await product.players.operator.call<FailurePage>("GET", asked);
    return results.map(({ id }) => id).sort();
  };
  const left = rows.map(({ id }) => id);
  await expect.poll(async () => [await shown(), await shown()], { timeout: 20_000 }).toEqual([left, left]);
}

const textOfMain = (main: Locator) => main.textContent();

test("To everybody but an operator the page is one that does not exist", { tag: "@long" }, async ({
  product,
  visit,
}) => {
  for (const as of [undefined, product.players.maker]) {
    for (const javaScript of [false, true]) {
      const { page } = await visit({ as, javaScript });
      const nothing = await page.goto("/there-is-nothing");
      const expected = {
        status: nothing?.status(),
        title: await page.title(),
        main: await textOfMain(page.locator("main")),
      };
      expect(expected.status).toBe(404);
      for (const path of ["/operator", "/operator/", "/operator?page=2"]) {
        const answer = await page.goto(path);
        const shown = {
          status: answer?.status(),
          title: await page.title(),
          main: await textOfMain(page.locator("main")),
        };
        expect(shown, path).toEqual(expected);
      }
      await expect(page.getByRole("link", { name: "Operator" })).toHaveCount(0);
    }
    const { page } = await visit({ as });
    await page.goto("/");
    for (const form of [
      { intent: "retry", id: "x" },
      { intent: "retry-cause", queue: "map", cause: "x" },
    ]) {
      expect((await page.request.post("/operator", { form })).status()).toBe(404);
    }
  }
});

test("An operator sees how the installation stands, at 390 and 1280 px and for axe", async ({ product, visit }) => {
  await leaveFailures(product);
  const signs = await giveSigns(product.services);
  await countStoredBlobs(product.services, { everyMs: 0 });
  const { page, problems } = await visit({ as: product.players.operator, viewport: phone });
  await page.goto("/");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Operator" }).click();
  await expect(page.getByRole("heading", { name: "Operator", exact: true })).toBeVisible();
  await expect(page).toHaveTitle("Operator - Clutchcast");
  const main = page.getByRole("main");
  for (const text of [
    failedClipError,
    failedMatchError,
    isOfManyMachines ? "Web" : "Web and worker",
    "Deleted since",
    "Broken clip",
  ]) {
    await expect(main).toContainText(text);
  }
  const queue = page.getByRole("region", { name: "Queue" });
  await expect(queue.getByRole("row", { name: "Share files 3 0 47 min" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Storage" }).getByRole("row", { name: /^Videos 1 / })).toBeVisible();
  for (const viewport of [phone, laptop]) {
    await page.setViewportSize(viewport);
    await keepScreenshot(page, `operator-${viewport.width}`);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    expect(await axeViolations(page)).toEqual([]);
  }
  expect(problems).toEqual([]);
  await signs.end();
});

for (const javaScript of [true, false]) {
  test(`What failed goes back to the queue by a button, JavaScript ${javaScript ? "on" : "off"}`, {
    tag: javaScript ? [] : "@long",
  }, async ({ product, visit }) => {
    await leaveFailures(product);
    const { page } = await visit({ as: product.players.operator, javaScript });
    await page.goto("/operator");
    if (javaScript) await hydrated(page);
    const failures = page.getByRole("region", { name: "Failures" });
    await failures.getByRole("button", { name: /^Retry: Match busy-failed/ }).click();
    await expect(page.getByRole("main").getByRole("status").first()).toContainText(
      "The import job is back in the queue.",
    );
    await expect(failures.getByRole("button", { name: /^Retry: Match busy-failed/ })).toHaveCount(0);

    await failures
      .getByRole("listitem")
      .filter({ hasText: "Maps" })
      .filter({ has: page.getByRole("button", { name: "Retry all" }) })
      .getByRole("button", { name: "Retry all" })
      .click();
    await expect(page.getByRole("main").getByRole("status").first()).toContainText("2 jobs are back in the queue.");

    await failures.getByRole("button", { name: /^Retry: Clip “Broken clip”/ }).click();
    await expect(page.getByRole("main").getByRole("status").first()).toContainText(
      "has as many clips in the queue as fit",
    );
    const { rows } = await sql<{ name: string; jobs: number }>`
      SELECT name, count(*)::int AS jobs FROM pgboss.job WHERE state < 'active' GROUP BY name ORDER BY name
    `.execute(product.services.database);
    expect(rows).toEqual([
      { name: "import", jobs: 1 },
      { name: "map", jobs: 2 },
      { name: "share", jobs: 3 },
    ]);
    const update = { status: "failed", error: failedMatchError } as const;
    await product.services.database.updateTable("matches").set(update).where("id", "=", "busy-failed").execute();
  });
}

test("An open page tells what is new by itself, and stays while the server is away", { tag: "@long" }, async ({
  product,
  visit,
}) => {
  await leaveFailures(product);
  const { page } = await visit({ as: product.players.operator });
  await page.goto("/operator");
  await hydrated(page);
  const row = page.getByRole("region", { name: "Queue" }).getByRole("row", { name: /^Share files/ });
  await expect(row).toHaveAccessibleName("Share files 3 0 47 min");
  await product.services.jobs.send("share", { clipId: product.clips.completed }, { ownerId: null });
  await expect(row).toHaveAccessibleName("Share files 4 0 47 min", { timeout: 30_000 });
  await page.route("**/session", (route) => route.abort());
  await expect(page.getByText("Connection lost, trying again")).toBeVisible({ timeout: 30_000 });
  await expect(row).toBeVisible();
});

// Like a laptop at a zoom of 200 %.
test("An operator's header fits windows that are hardly wider than a phone, name included", async ({
  product,
  visit,
}) => {
  const { page } = await visit({ as: product.players.operator });
  for (const width of [640, 700, 768, 1024]) {
    await page.setViewportSize({ width, height: 400 });
    await page.goto("/terms");
    expect(await page.evaluate(() => document.documentElement.scrollWidth), `${width} px`).toBe(width);
    const header = page.getByRole("banner");
    const name = await header.getByTitle("Your public clips page").boundingBox();
    const settings = await header.getByRole("link", { name: "Settings" }).boundingBox();
    expect(name?.width, `${width} px`).toBeGreaterThan(72);
    expect((name?.x ?? 0) + (name?.width ?? 0), `${width} px`).toBeLessThanOrEqual(settings?.x ?? 0);
    await keepScreenshot(page, `operator-header-${width}`);
  }
});
