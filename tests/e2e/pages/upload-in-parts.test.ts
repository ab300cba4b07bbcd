import { randomBytes } from "node:crypto";
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright/test";
import { limits } from "../../../contract/limits.ts";
import type { MatchList } from "../../../contract/schemas/matches.ts";
import { ApiVisitor } from "../../services/api-visitor.ts";
import { holdRequests, hydrated, keepScreenshot, laptop, phone, setSession } from "../../services/browser.ts";
import { type Product, startProduct } from "../../services/product.ts";
import { type ShakyLine, startShakyLine } from "../../services/shaky-line.ts";
import { uniqueSteamId } from "../../services/unique.ts";
import { test as browserTest, expect } from "../fixtures.ts";

const partBytes = limits.uploadPartBytes;
const reel = readFileSync(new URL("../../fixtures/demos/highlights-reel.dem.gz", import.meta.url));
/** Pages, scripts and heads that go up beside the file. */
const elseBytes = 256 * 1024;

interface Started {
  product: Product;
  /** Ends the process like a power cut, and starts it again on the same data and port. */
  restart(): Promise<void>;
}

interface ForThisFile {
  /** In a separate process, with workers that import. */
  started: Started;
}

interface ForOneTest {
  line: ShakyLine;
  player: ApiVisitor & { steamId: string };
  folder: string;
}

const test = browserTest.extend<ForOneTest, ForThisFile>({
  started: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from this pattern what a fixture needs.
    async ({}, use) => {
      const product = await startProduct();
      const { dataDirectory, port } = product;
      const started: Started = {
        product,
        async restart() {
          await started.product.kill();
          started.product = await startProduct({}, { dataDirectory, port });
        },
      };
      await use(started);
      await started.product.stop();
      rmSync(dataDirectory, { recursive: true, force: true });
    },
    { scope: "worker", timeout: 120_000 },
  ],
  line: async ({ started }, use) => {
    const line = await startShakyLine(started.product.port);
    await use(line);
    await line.close();
  },
  address: ({ line }, use) => use(line.url),
  player: async ({ started }, use) => {
    const steamId = uniqueSteamId();
    const visitor = new ApiVisitor(started.product.url);
    await visitor.signIn(steamId, "On a train");
    await use(Object.assign(visitor, { steamId }));
  },
  // biome-ignore lint/correctness/noEmptyPattern: as above.
  folder: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), "clutchcast-test-"));
    await use(folder);
    rmSync(folder, { recursive: true });
  },
});

/**
 * A real demo as a gzip of two whole parts and a rest: empty members before it make it as large as recordings of real matches are, but
 * read in a second.
 */
function largeDemo(folder: string, name = "match.dem.gz"): { path: string; bytes: number } {
  const extra = 0xffff;
  const head = Buffer.from([0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 3, extra & 0xff, extra >> 8]);
  const rest = Buffer.from([3, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  const members = Math.ceil((2.5 * partBytes) / extra);
  const packed = Buffer.concat([
    ...Array.from({ length: members }, () => Buffer.concat([head, randomBytes(extra), rest])),
    reel,
  ]);
  const path = join(folder, name);
  writeFileSync(path, packed);
  return { path, bytes: packed.length };
}

const form = (page: Page) => page.locator("#import-file");
const row = (page: Page, name = "match.dem.gz") => form(page).getByRole("listitem").filter({ hasText: name });

async function open(page: Page): Promise<void> {
  await page.goto("/matches");
  await hydrated(page);
}

async function upload(page: Page, path: string): Promise<void> {
  await form(page).locator("input[type=file]").setInputFiles(path);
  await form(page).getByRole("button", { name: "Upload", exact: true }).click();
}

const isUploaded = (page: Page) =>
  expect(row(page).getByText("Uploaded", { exact: true })).toBeVisible({ timeout: 60_000 });
const kept = (page: Page) => page.evaluate(() => localStorage.getItem("unfinished-uploads"));
const unfinished = ({ product }: Started) => readdirSync(join(product.dataDirectory, "blobs", ".unfinished"));

/** More than one part, and less than two. */
const within = 1.5 * partBytes;

test("A large demo whose connection breaks off goes on where it was, less than a part goes up twice, and it is imported", async ({
  visit,
  line,
  player,
  folder,
}) => {
  const demo = largeDemo(folder);
  const { page } = await visit({ as: player, viewport: phone });
  await open(page);
  const before = line.bytesUp();
  line.cutAt(before + within);
  await upload(page, demo.path);
  await expect(row(page).getByRole("status")).toHaveText(
    /^The connection was lost\. When it is back, the upload continues where it stopped\./,
  );
  await keepScreenshot(page, "upload-in-parts-cut-390");
  // Back, and cut a second time, in the last part.
  const again = before + demo.bytes + 0.25 * partBytes;
  line.cutAt(again);
  await expect.poll(() => line.bytesUp(), { timeout: 60_000 }).toBeGreaterThanOrEqual(again);
  await expect(row(page).getByRole("status")).toHaveText(/^The connection was lost/);
  line.mend();
  await isUploaded(page);
  expect(line.bytesUp() - before).toBeGreaterThan(demo.bytes);
  expect(line.bytesUp() - before).toBeLessThan(demo.bytes + partBytes + elseBytes);
  const { results } = await player.poll<MatchList>(
    "/api/matches/",
    ({ results: all }) => all[0]?.processing_status === "completed",
  );
  expect(results).toHaveLength(1);
  await expect(page.getByText(/\d+ Highlights/).first()).toBeVisible({ timeout: 60_000 });
  expect(await kept(page)).toBe("[]");
});

test("A file that is chosen again after its tab was closed goes on where it was, and says so", async ({
  visit,
  line,
  player,
  folder,
}) => {
  const demo = largeDemo(folder);
  const { page, context } = await visit({ as: player, viewport: laptop });
  await open(page);
  const before = line.bytesUp();
  line.holdAt(before + within);
  await upload(page, demo.path);
  await expect.poll(() => line.bytesUp() - before).toBeGreaterThan(within);
  // With it goes what the machine's buffers had taken from the tab.
  line.cutAt(0);
  await page.close();
  line.mend();
  const again = await context.newPage();
  await open(again);
  line.holdAt(line.bytesUp() + 0.25 * partBytes);
  await upload(again, demo.path);
  await expect(row(again).getByRole("status")).toHaveText(
    `Resumed at ${Math.floor((partBytes / demo.bytes) * 100)} %.`,
  );
  await keepScreenshot(again, "upload-in-parts-goes-on-1280");
  await again.setViewportSize(phone);
  await keepScreenshot(again, "upload-in-parts-goes-on-390");
  line.mend();
  await isUploaded(again);
  expect(line.bytesUp() - before).toBeLessThan(demo.bytes + partBytes + elseBytes);
  expect(await kept(again)).toBe("[]");
});

test("A large upload that is cancelled is gone from the server, too", async ({ visit, line, player, folder }) => {
  const demo = largeDemo(folder);
  const { page, problems } = await visit({ as: player });
  await open(page);
  line.holdAt(line.bytesUp() + within);
  await upload(page, demo.path);
  await expect(row(page).getByText(/^[4-9]\d %$/)).toBeVisible();
  const [{ id }] = JSON.parse((await kept(page)) ?? "");
  const address = `/api/matches/uploads/${id}/`;
  expect((await player.request("GET", address)).status).toBe(200);
  await row(page).getByRole("button", { name: "Cancel the upload of match.dem.gz" }).click();
  await expect(row(page).getByText("Cancelled")).toBeVisible();
  line.mend();
  await expect.poll(async () => (await player.request("GET", address)).status).toBe(404);
  expect(await kept(page)).toBe("[]");
  expect((await player.call<MatchList>("GET", "/api/matches/")).results).toEqual([]);
  await expect(form(page).getByRole("button", { name: "Upload", exact: true })).toBeEnabled();
  expect(problems).toEqual([]);
});

test("A large upload goes on after the server was ended like by a power cut", { tag: "@long" }, async ({
  visit,
  started,
  line,
  player,
  folder,
}) => {
  const demo = largeDemo(folder);
  const { page } = await visit({ as: player });
  await open(page);
  const before = line.bytesUp();
  line.holdAt(before + within);
  await upload(page, demo.path);
  await expect.poll(() => line.bytesUp() - before).toBeGreaterThan(within);
  await started.restart();
  line.mend();
  await isUploaded(page);
  expect(line.bytesUp() - before).toBeLessThan(demo.bytes + partBytes + elseBytes);
});

test("A large upload goes on after a sign-in elsewhere", { tag: "@long" }, async ({
  visit,
  started,
  line,
  player,
  folder,
}) => {
  const demo = largeDemo(folder);
  const { page, context } = await visit({ as: player });
  await open(page);
  const before = line.bytesUp();
  line.holdAt(before + within);
  await upload(page, demo.path);
  await expect.poll(() => line.bytesUp() - before).toBeGreaterThan(within);
  await player.call("POST", "/api/auth/logout/");
  line.mend();
  await expect(page.getByText("Your session has ended. Sign in again to continue.").first()).toBeVisible();
  const again = new ApiVisitor(started.product.url);
  await again.signIn(player.steamId, "On a train");
  await setSession(context, line.url, again);
  // The server gives a session its anti-forgery token again.
  await context.clearCookies({ name: "XSRF-TOKEN" });
  await form(page).getByRole("button", { name: "Upload", exact: true }).click();
  await isUploaded(page);
  expect(line.bytesUp() - before).toBeLessThan(demo.bytes + 2 * partBytes + elseBytes);
});

test("A large upload that the server no longer has is begun anew, and waits while the server is away", {
  tag: "@long",
}, async ({ visit, started, line, player, folder }) => {
  const demo = largeDemo(folder);
  const { page } = await visit({ as: player });
  await open(page);
  const before = line.bytesUp();
  let isAway = true;
  await page.route(/\/parts\/3\/$/, async (route) => {
    if (!isAway) return route.continue();
    isAway = false;
    const body = { error: "unavailable", detail: "This server's file store is out of reach at the moment." };
    await route.fulfill({ status: 503, json: body, headers: { "Retry-After": "5" } });
  });
  await upload(page, demo.path);
  await expect(row(page).getByRole("status")).toHaveText(/^The server cannot be reached right now\./);
  for (const name of unfinished(started)) rmSync(join(started.product.dataDirectory, "blobs", ".unfinished", name));
  await isUploaded(page);
  expect(line.bytesUp() - before).toBeGreaterThan(demo.bytes + 2 * partBytes);
  expect(await kept(page)).toBe("[]");
});

test("A part that never goes through is tried three times, and the next press goes on after those that did", {
  tag: "@long",
}, async ({ visit, line, player, folder }) => {
  const demo = largeDemo(folder);
  const { page } = await visit({ as: player });
  await page.clock.install();
  await open(page);
  const before = line.bytesUp();
  // Of the first part two tries fail: they do not count any more once it is there.
  const tries = { 1: 0, 2: 0 };
  await page.route(/\/parts\/[12]\/$/, async (route) => {
    const number = route.request().url().endsWith("/1/") ? 1 : 2;
    if (++tries[number] <= (number === 1 ? 2 : 3)) await route.abort("connectionreset");
    else await route.continue();
  });
  await upload(page, demo.path);
  await expect
    .poll(async () => {
      await page.clock.fastForward(5000);
      return row(page).getByText("Failed to upload demo file").count();
    })
    .toBe(1);
  expect(tries).toEqual({ 1: 3, 2: 3 });
  await form(page).getByRole("button", { name: "Upload", exact: true }).click();
  await expect(row(page).getByText("Uploaded", { exact: true })).toBeVisible();
  expect(tries).toEqual({ 1: 3, 2: 4 });
  expect(line.bytesUp() - before).toBeLessThan(demo.bytes + elseBytes);
});

test("A large upload waits while a proxy says that there is nothing, or in a number of its own that the server is away", {
  tag: "@long",
}, async ({ visit, line, player, folder }) => {
  const demo = largeDemo(folder);
  const { page } = await visit({ as: player });
  await page.clock.install();
  await open(page);
  const before = line.bytesUp();
  // As Traefik while a container is started anew, and Cloudflare's tunnel while nothing is at its end.
  const nothing = { contentType: "text/plain", body: "404 page not found" };
  const answers = [404, 530, 408].map((status) => ({ ...nothing, status }));
  let looks = 0;
  await page.route(/\/parts\/[23]\/$/, async (route) => {
    const answer = answers.shift();
    await (answer ? route.fulfill(answer) : route.continue());
  });
  await page.route(/\/session$/, async (route) => {
    const isAway = answers.length === 2 && looks++ < 2;
    await (isAway ? route.fulfill({ ...nothing, status: 404 }) : route.continue());
  });
  await upload(page, demo.path);
  await expect
    .poll(async () => {
      await page.clock.fastForward(5000);
      return row(page).getByText("Uploaded", { exact: true }).count();
    })
    .toBe(1);
  expect(looks).toBe(3);
  expect(answers).toEqual([]);
  expect(line.bytesUp() - before).toBeLessThan(demo.bytes + elseBytes);
});

test("Each beginning of a large upload has its own tries", { tag: "@long" }, async ({ visit, player, folder }) => {
  const demo = largeDemo(folder);
  const { page } = await visit({ as: player });
  await page.clock.install();
  await open(page);
  let isGone = false;
  const breaks: Record<string, number> = { 1: 2, 2: 2 };
  await page.route(/\/parts\/\d\/$/, async (route) => {
    const number = /(\d)\/$/.exec(route.request().url())![1]!;
    if (!isGone && number === "3") {
      isGone = true;
      return route.fulfill({ status: 404, json: { error: "not_found", detail: "This upload is no longer here." } });
    }
    const isBroken = isGone && (breaks[number] ?? 0) > 0;
    if (isBroken) breaks[number]!--;
    await (isBroken ? route.abort("connectionreset") : route.continue());
  });
  await upload(page, demo.path);
  await expect
    .poll(async () => {
      await page.clock.fastForward(5000);
      return row(page).getByText("Uploaded", { exact: true }).count();
    })
    .toBe(1);
  expect(breaks).toEqual({ 1: 0, 2: 0 });
});

test("A proxy that takes no parts so large is named, and so is a file that was changed after it was chosen", async ({
  visit,
  player,
  folder,
}) => {
  const demo = largeDemo(folder);
  const { page } = await visit({ as: player, viewport: phone });
  await open(page);
  let isStrict = true;
  await page.route(/\/parts\/2\/$/, async (route) => {
    if (!isStrict) return route.continue();
    await route.fulfill({ status: 413, contentType: "text/html", body: "<h1>413 Request Entity Too Large</h1>" });
  });
  await upload(page, demo.path);
  await expect(row(page).getByRole("alert")).toHaveText(
    "A proxy between you and this server does not accept so much data at once. Please tell whoever runs the server.",
  );
  await keepScreenshot(page, "upload-in-parts-proxy-390");
  isStrict = false;
  appendFileSync(demo.path, "more");
  // A browser compares whole seconds.
  const later = new Date(Date.now() + 60_000);
  utimesSync(demo.path, later, later);
  await form(page).getByRole("button", { name: "Upload", exact: true }).click();
  await expect(row(page).getByRole("alert")).toHaveText(
    "This file was changed, moved or deleted after you chose it. Please choose it again.",
  );
  await upload(page, demo.path);
  await isUploaded(page);
});

test("Two tabs with the same file do not end each other's upload", { tag: "@long" }, async ({
  visit,
  started,
  player,
  folder,
}) => {
  const demo = largeDemo(folder);
  const { page, context } = await visit({ as: player });
  const other = await context.newPage();
  const before = unfinished(started);
  const releases: (() => void)[] = [];
  for (const tab of [page, other]) {
    await open(tab);
    releases.push(await holdRequests(tab, /\/parts\/2\/$/));
    await upload(tab, demo.path);
    await expect(row(tab).getByText(/^[3-9]\d %$/)).toBeVisible();
  }
  expect(unfinished(started)).toHaveLength(before.length + 2);
  await row(other).getByRole("button", { name: "Cancel the upload of match.dem.gz" }).click();
  await expect.poll(() => unfinished(started).length).toBe(before.length + 1);
  for (const release of releases) release();
  await isUploaded(page);
  expect(unfinished(started)).toEqual(before);
  expect((await player.call<MatchList>("GET", "/api/matches/")).results).toHaveLength(1);
});
