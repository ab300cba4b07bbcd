import { readFileSync } from "node:fs";
import type { Page, Route } from "playwright/test";
import type { Match, MatchList } from "../../../contract/schemas/matches.ts";
import type { ProcessingStatus } from "../../../contract/statuses.ts";
import {
  axeViolations,
  colorName,
  holdRequests,
  hydrated,
  keepScreenshot,
  laptop,
  phone,
  requestsOf,
} from "../../services/browser.ts";
import { addCompletedMatch, addPlayer, type PopulatedProduct, steamIds } from "../../services/populated-product.ts";
import { addClip, addMatch, finishClip, userIdOf } from "../../services/seeded-rows.ts";
import { unique } from "../../services/unique.ts";
import { expect, test } from "../fixtures.ts";

const cards = (page: Page) => page.locator("main article");
const completedMatches = (page: Page) => page.evaluate(() => localStorage.getItem("completedMatches"));

async function setMatch(
  { services: { database } }: PopulatedProduct,
  id: string,
  values: { status: ProcessingStatus; progress?: number; demo_sha256?: string },
) {
  await database.updateTable("matches").set(values).where("id", "=", id).execute();
}

test("Nine matches a page in three columns, the rest on the next, arrows from seven on", { tag: "@long" }, async ({
  product,
  visit,
}) => {
  const { page, context, problems } = await visit({ as: product.players.maker });
  const asked: string[] = [];
  const restore = product.interceptApi("GET", /^\/api\/matches\/$/, ({ url }) => {
    asked.push(new URL(url).search);
    return undefined;
  });
  await page.goto("/matches");
  await hydrated(page);
  await expect(cards(page)).toHaveCount(9);
  const columns = () =>
    page
      .locator("main ul:has(article)")
      .evaluate((list) => getComputedStyle(list).gridTemplateColumns.split(" ").length);
  await expect.poll(columns).toBe(3);
  await expect(page.getByRole("button", { name: "Previous page" })).toBeDisabled();
  await page.getByRole("link", { name: "Next page" }).click();
  await expect(cards(page)).toHaveCount(3);
  const rows = await cards(page).evaluateAll(
    (all) => new Set(all.map((card) => card.getBoundingClientRect().top)).size,
  );
  expect(rows).toBe(1);
  await expect(page.getByRole("button", { name: "Next page" })).toBeDisabled();
  await page.getByRole("link", { name: "Previous page" }).click();
  await expect(cards(page)).toHaveCount(9);
  await page.setViewportSize(phone);
  await expect.poll(columns).toBe(1);
  await page.setViewportSize(laptop);
  expect(asked).toEqual(["?limit=9&offset=0", "?limit=9&offset=9", "?limit=9&offset=0"]);
  restore();
  await expect(page.getByRole("link", { name: /^Delete the match on / })).toHaveCount(9);
  const path = await cards(page).nth(1).getByRole("link", { name: "View Details" }).getAttribute("href");
  expect(path).toMatch(/^\/match\/\w+$/);
  // Anywhere on the card.
  await cards(page)
    .nth(1)
    .click({ position: { x: 200, y: 100 } });
  await page.waitForURL(`**${path}`);
  await page.getByRole("link", { name: "Back", exact: true }).click();
  await page.waitForURL("**/my-matches");
  expect(problems).toEqual([]);
  await context.close();

  const few = await visit({ as: product.players.limited });
  await few.page.goto("/matches");
  await expect(cards(few.page)).toHaveCount(1);
  await expect(few.page.getByRole("navigation", { name: "Pages of matches" })).toHaveCount(0);
  await few.context.close();

  const plain = await visit({ as: product.players.maker, javaScript: false });
  await plain.page.goto("/matches");
  await plain.page.getByRole("link", { name: "Next page" }).click();
  await expect(cards(plain.page)).toHaveCount(3);
});

test("Without JavaScript every chosen file is imported, and each that is not is named with its reason", async ({
  product,
  visit,
  serverWarnings,
}) => {
  const as = await addPlayer(product);
  const { page } = await visit({ as, javaScript: false });
  const { database, blobs } = product.services;
  const upload = async (...names: string[]) => {
    await page.goto("/matches");
    const files = names.map((name) => ({
      name,
      mimeType: "application/octet-stream",
      buffer: Buffer.alloc(400_000, `a demo called ${name} `),
    }));
    await page.locator("#import-file input").setInputFiles(files);
    await page.getByRole("button", { name: "Upload", exact: true }).click();
  };
  const problems = page.locator("#import-file").getByRole("alert").getByRole("paragraph");
  await upload("one.dem", "notes.txt", "two.dem.bz2");
  await expect(page.getByText("2 demos uploaded successfully!")).toBeVisible();
  await expect(problems).toHaveText([/^notes\.txt: This is not a demo file/, /^Choose what is missing/]);
  await expect(cards(page)).toHaveCount(2);

  // Two more places in the queue.
  await upload("three.dem", "four.dem", "five.dem", "six.dem");
  await expect(problems).toHaveText([/^five\.dem, six\.dem: .+ 4 /, /^Choose what is missing/]);
  await expect(cards(page)).toHaveCount(4);
  expect(serverWarnings.join("\n")).toMatch(/upload-file.*429/);

  const rows = await database
    .selectFrom("matches")
    .select("upload_key")
    .where("user_id", "=", await userIdOf(database, as.steamId))
    .orderBy("created_at")
    .execute();
  const stored: string[] = [];
  for (const { upload_key: key } of rows) {
    const file = await blobs.openLocal(key ?? "");
    const text = readFileSync(file.path, "latin1");
    stored.push(`${text.length} ${/^a demo called (\S+) /.exec(text)?.[1]}`);
    await file.release();
  }
  expect(stored).toEqual(["one.dem", "two.dem.bz2", "three.dem", "four.dem"].map((name) => `400000 ${name}`));

  await upload();
  await expect(problems).toHaveText(["Please choose a demo file"]);
});

test("Files that are dropped are uploaded one after the other, and the one that is no demo is named", async ({
  product,
  visit,
}) => {
  const as = await addPlayer(product);
  const { page, problems } = await visit({ as });
  const sent = requestsOf(page, "/matches/upload");
  await page.goto("/matches");
  await hydrated(page);
  const form = page.locator("#import-file");
  const dataTransfer = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    for (const [i, name] of ["one.dem", "notes.txt", "two.dem.bz2"].entries())
      transfer.items.add(new File([new Uint8Array(400_000).fill(i)], name));
    return transfer;
  });
  await form.dispatchEvent("dragover", { dataTransfer });
  await expect(form).toHaveClass(/outline-dashed/);
  await form.dispatchEvent("drop", { dataTransfer });
  await expect(form).not.toHaveClass(/outline-dashed/);
  await expect(cards(page)).toHaveCount(2);
  await expect(form.getByText(/This is not a demo file/)).toBeVisible();
  expect(sent).toHaveLength(2);
  expect(problems).toEqual([]);
});

test("Of six files the fifth waits until there is a place for it, says so, and then goes up by itself, as the sixth does", {
  tag: "@long",
}, async ({ product, visit }) => {
  const as = await addPlayer(product);
  const { page } = await visit({ as, viewport: phone });
  await page.goto("/matches");
  await hydrated(page);
  const files = [1, 2, 3, 4, 5, 6].map((number) => ({
    name: `map-${number}.dem`,
    mimeType: "application/octet-stream",
    buffer: Buffer.alloc(400_000, number),
  }));
  const form = page.locator("#import-file");
  await form.locator("input").setInputFiles(files);
  await form.getByRole("button", { name: "Upload", exact: true }).click();
  const uploaded = form.getByText("Uploaded", { exact: true });
  await expect(uploaded).toHaveCount(4);
  const waiting = form.getByRole("status").filter({ hasText: "The server has no room for another upload" });
  await expect(waiting).toHaveCount(1);
  await expect(form.getByText("Waiting", { exact: true })).toHaveCount(2);
  await keepScreenshot(page, "upload-waits-390");
  for (const count of [5, 6]) {
    const { results } = await as.call<MatchList>("GET", "/api/matches/");
    await as.call("DELETE", `/api/matches/${results[0]?.match_id}/delete/`);
    await expect(uploaded).toHaveCount(count);
  }
  await expect(waiting).toHaveCount(0);
  await expect(form.getByRole("button", { name: "Upload", exact: true })).toBeEnabled();
});

test("An upload is cancelled while it goes up, and while it waits for a network that sent too much; the next ones go up", async ({
  product,
  visit,
}) => {
  const as = await addPlayer(product);
  const { page, problems } = await visit({ as });
  await page.clock.install();
  await page.goto("/matches");
  await hydrated(page);
  const sent: string[] = [];
  const answers: Record<string, (route: Route) => Promise<void>> = {
    // Never answered.
    "goes-up.dem": async () => {},
    "too-many.dem": (route) => route.fulfill({ status: 429, contentType: "text/html", body: "Too many requests" }),
  };
  await page.route(/\/matches\/upload$/, async (route) => {
    const name = /filename="([^"]+)"/.exec(route.request().postDataBuffer()?.toString("latin1") ?? "")?.[1];
    // A request for a place contains no file.
    if (!name) return route.fulfill({ status: 429, contentType: "text/html", body: "Too many requests" });
    sent.push(name);
    await (answers[name] ?? ((kept: Route) => kept.continue()))(route);
  });
  const form = page.locator("#import-file");
  const files = ["goes-up.dem", "too-many.dem", "not-begun.dem", "last.dem"].map((name) => ({
    ...{ name, mimeType: "application/octet-stream" },
    buffer: Buffer.from(unique("demo")),
  }));
  await form.locator("input[type=file]").setInputFiles(files);
  await form.getByRole("button", { name: "Upload", exact: true }).click();
  const row = (name: string) => form.getByRole("listitem").filter({ hasText: name });
  await expect.poll(() => sent).toEqual(["goes-up.dem"]);
  await row("not-begun.dem").getByRole("button", { name: "Cancel the upload of not-begun.dem" }).click();
  await expect(row("not-begun.dem").getByText("Cancelled")).toBeVisible();
  await row("goes-up.dem").getByRole("button", { name: "Cancel the upload of goes-up.dem" }).press("Enter");
  await expect(row("goes-up.dem").getByText("Cancelled")).toBeVisible();
  await expect(row("goes-up.dem")).toBeFocused();

  await expect(row("too-many.dem").getByText("The server has no room for another upload")).toBeVisible();
  await page.clock.fastForward(5000);
  await expect(row("too-many.dem").getByText("The server has no room for another upload")).toBeVisible();
  await keepScreenshot(page, "upload-cancel");
  await row("too-many.dem").getByRole("button", { name: "Cancel the upload of too-many.dem" }).click();
  await expect(row("too-many.dem").getByText("Cancelled")).toBeVisible();
  await expect(row("last.dem").getByText("Uploaded")).toBeVisible();
  await expect(form.getByRole("button", { name: /^Cancel/ })).toHaveCount(0);
  expect(sent).toEqual(["goes-up.dem", "too-many.dem", "last.dem"]);
  expect((await as.call<MatchList>("GET", "/api/matches/")).results).toHaveLength(1);
  expect(problems.filter((problem) => !problem.includes("429"))).toEqual([]);
});

test("An upload whose connection breaks off is sent again when there is one, three times at most", async ({
  product,
  visit,
}) => {
  const as = await addPlayer(product);
  const { page } = await visit({ as });
  await page.clock.install();
  await page.goto("/matches");
  await hydrated(page);
  const sent: string[] = [];
  let isGone = false;
  await page.route(/\/matches\/upload$/, async (route) => {
    const name = /filename="([^"]+)"/.exec(route.request().postDataBuffer()?.toString("latin1") ?? "")?.[1];
    if (name) sent.push(name);
    if (isGone || name === "too-large-for-a-proxy.dem") return route.abort("connectionreset");
    if (name && sent.length === 1) {
      isGone = true;
      return route.abort("connectionreset");
    }
    await route.continue();
  });
  const form = page.locator("#import-file");
  const files = ["on-a-train.dem", "too-large-for-a-proxy.dem"].map((name) => ({
    ...{ name, mimeType: "application/octet-stream" },
    buffer: Buffer.from(unique("demo")),
  }));
  await form.locator("input[type=file]").setInputFiles(files);
  await form.getByRole("button", { name: "Upload", exact: true }).click();
  const row = (name: string) => form.getByRole("listitem").filter({ hasText: name });
  const broken = "When it is back, the file is sent again.";
  await expect(row("on-a-train.dem").getByText(broken)).toBeVisible();
  await keepScreenshot(page, "upload-broken-off");
  const asked = page.waitForEvent("requestfailed");
  await page.clock.fastForward(5000);
  await asked;
  expect(sent).toEqual(["on-a-train.dem"]);
  isGone = false;
  await expect
    .poll(async () => {
      await page.clock.fastForward(5000);
      return row("on-a-train.dem").getByText("Uploaded").count();
    })
    .toBe(1);
  await expect
    .poll(async () => {
      await page.clock.fastForward(5000);
      return row("too-large-for-a-proxy.dem").getByText("Failed to upload demo file").count();
    })
    .toBe(1);
  expect(sent).toEqual([...Array(2).fill("on-a-train.dem"), ...Array(3).fill("too-large-for-a-proxy.dem")]);
  await expect(form.getByRole("button", { name: "Upload", exact: true })).toBeEnabled();
});

test("The longest file name is cut off in the list of uploads: the page is no wider for it", async ({
  product,
  visit,
}) => {
  const as = await addPlayer(product);
  for (const viewport of [phone, laptop]) {
    const { page, problems } = await visit({ as, viewport });
    await page.goto("/matches");
    await hydrated(page);
    const form = page.locator("#import-file");
    // A wrong type is reported at once, without sending anything.
    const name = `${"match730_003712345678901234567_".repeat(6)}.txt`;
    const file = { name, mimeType: "application/octet-stream", buffer: Buffer.from("demo") };
    await form.locator("input[type=file]").setInputFiles([file]);
    await form.getByRole("button", { name: "Upload", exact: true }).click();
    await expect(form.getByText(/This is not a demo file/)).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width);
    const field = await page.getByRole("textbox", { name: /Enter a direct URL/ }).boundingBox();
    expect(field?.width).toBeGreaterThan(300);
    await keepScreenshot(page, `upload-long-name-${viewport.width}`);
    expect(problems).toEqual([]);
  }
});

test("An upload that was begun on a further page leads to the first one, once, nowhere when the player has left, and is seen by one who has come back", {
  tag: "@long",
}, async ({ product, visit }) => {
  const { page, problems } = await visit({ as: product.players.busy });
  const form = page.locator("#import-file");
  /** Chooses and uploads files. @returns lets the server answer */
  const upload = async (...names: string[]) => {
    await page.goto("/matches?page=2");
    await hydrated(page);
    // The queue of imports and its limits do not matter here.
    const end = product.interceptApi("POST", /\/upload-file\/$/, async (request) => {
      await request.arrayBuffer();
      return Response.json({ match_id: "busy" }, { status: 201 });
    });
    const answer = await holdRequests(page, /\/matches\/upload$/);
    const files = names.map((name) => ({
      ...{ name, mimeType: "application/octet-stream" },
      buffer: Buffer.from(unique("demo")),
    }));
    await form.locator("input[type=file]").setInputFiles(files);
    await form.getByRole("button", { name: "Upload", exact: true }).click();
    return { answer, end };
  };
  const stays = await upload("one.dem", "two.dem");
  const before = await page.evaluate(() => history.length);
  stays.answer();
  await expect(form.getByText("Uploaded", { exact: true })).toHaveCount(2);
  await expect(page).toHaveURL(/\/matches$/);
  expect(await page.evaluate(() => history.length)).toBe(before);
  stays.end();
  await page.unrouteAll({ behavior: "ignoreErrors" });

  const leaves = await upload("three.dem");
  await page.getByRole("link", { name: "My Clips" }).first().click();
  await expect(page).toHaveURL(/\/clips$/);
  // The end of an upload triggers this, after which it would lead to My Matches.
  const renewed = page.waitForResponse((response) => new URL(response.url()).pathname === "/clips.data");
  leaves.answer();
  await renewed;
  await expect(page).toHaveURL(/\/clips$/);
  leaves.end();
  await page.unrouteAll({ behavior: "ignoreErrors" });

  const returns = await upload("four.dem");
  await page.getByRole("link", { name: "My Clips" }).first().click();
  await expect(page).toHaveURL(/\/clips$/);
  await page.getByRole("link", { name: "My Matches" }).first().click();
  await expect(page.getByRole("link", { name: "Next page" })).toBeVisible();
  const lists = requestsOf(page, `${new URL(page.url()).pathname}.data`);
  returns.answer();
  await expect.poll(() => lists.length).toBe(1);
  returns.end();
  expect(problems).toEqual([]);
});

test("An import says what it does, thanks for five seconds, is polled every two and fills its card", async ({
  product,
  visit,
}) => {
  const { page, problems } = await visit({ as: await addPlayer(product) });
  const polls = requestsOf(page, "/matches/status");
  await page.clock.install();
  await page.goto("/matches");
  await hydrated(page);
  const field = page.locator('input[name="demo_url"]');
  await expect(field).toHaveAttribute("type", "url");
  await expect(field).toHaveAttribute("placeholder", /^https:\/\/[\w.]+\/demo\.dem$/);
  const form = page.locator('form:has(input[name="demo_url"])');
  await form.getByRole("button", { name: "Import" }).click();
  await expect(form.getByText("Please enter a demo URL")).toBeVisible();
  await field.fill("   ");
  await form.getByRole("button", { name: "Import" }).click();
  await expect(form.getByText("Please enter a demo URL")).toBeVisible();

  const answer = await holdRequests(page, "**/*", "POST");
  const address = `https://demos.example/${unique("fresh")}.dem.bz2`;
  await field.fill(address);
  await form.getByRole("button", { name: "Import" }).click();
  const busy = form.getByRole("button", { name: "Uploading..." });
  await expect(busy).toBeVisible();
  await expect(busy).toBeDisabled();
  await busy.click({ force: true });
  answer();
  await expect(form.getByText("Demo uploaded successfully!")).toBeVisible();
  await expect(field).toHaveValue("");
  await expect(cards(page)).toHaveCount(1);
  await expect(cards(page).getByText("Queued")).toBeVisible();
  await page.clock.fastForward(2500);
  await expect(form.getByText("Demo uploaded successfully!")).toHaveCount(1);
  await page.clock.fastForward(2500);
  await expect(form.getByText("Demo uploaded successfully!")).toHaveCount(0);

  const { id } = await product.services.database
    .selectFrom("matches")
    .select("id")
    .where("demo_url", "=", address)
    .executeTakeFirstOrThrow();
  await setMatch(product, id, { status: "parsing_demo", progress: 0.6 });
  await expect
    .poll(async () => {
      await page.clock.fastForward(2000);
      return cards(page).getByText("Parsing demo").count();
    })
    .toBe(1);
  const before = polls.length;
  await page.clock.fastForward(2000);
  await expect.poll(() => polls.length).toBeGreaterThan(before);

  await setMatch(product, id, { status: "completed", progress: 1, demo_sha256: product.demoSha256 });
  await expect
    .poll(async () => {
      await page.clock.fastForward(2000);
      return cards(page).getByText("22 Highlights").count();
    })
    .toBe(1);
  await expect(page.getByRole("link", { name: "View Details" })).toBeVisible();
  await expect.poll(() => completedMatches(page)).toBe(JSON.stringify([id]));
  // The browser's storage contains no token, only this record.
  expect(await page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)])).toEqual([
    "completedMatches",
  ]);
  await page.waitForLoadState("networkidle");
  const after = polls.length;
  await page.clock.fastForward(60_000);
  expect(polls).toHaveLength(after);

  // Deleted again, so that its record is forgotten.
  await page.getByRole("link", { name: "Delete the match on Dust II" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete Match" });
  await expect(dialog).toContainText(
    "Are you sure you want to delete the match on Dust II ? This action cannot be undone and will also delete all associated highlights.",
  );
  for (const viewport of [laptop, phone]) {
    await page.setViewportSize(viewport);
    expect(await axeViolations(page)).toEqual([]);
    await keepScreenshot(page, `dialog-delete-match-${viewport.width}`);
  }
  await dialog.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page.getByText("No matches available. Import recent matches or upload demos directly.")).toBeVisible();
  await expect.poll(() => completedMatches(page)).toBe("[]");
  expect(problems.filter((problem) => !/ERR_INTERNET_DISCONNECTED|status of 4/.test(problem))).toEqual([]);
});

test("An import that waits says its place in the queue, on its card and on its page, and what it is by now", async ({
  product,
  visit,
}) => {
  const [ahead, player] = [await addPlayer(product), await addPlayer(product)];
  const paste = (of: typeof player) =>
    of.call<Match>("POST", "/api/matches/upload-demo/", {
      demo_url: `https://demos.example/${unique("waiting")}.dem.bz2`,
    });
  const first = await paste(ahead);
  const { id } = await paste(player);
  const { processing } = await player.call<Match>("GET", `/api/matches/${id}/`);
  const place = processing.queue_position ?? 0;
  expect(place).toBeGreaterThan(1);

  const { page, problems } = await visit({ as: player });
  await page.goto("/matches");
  await hydrated(page);
  await expect(cards(page).getByText(`Queued · Place ${place} in the queue`, { exact: true })).toBeVisible();
  await ahead.call("DELETE", `/api/matches/${first.id}/delete/`);
  await expect(cards(page).getByText(`Queued · Place ${place - 1} in the queue`, { exact: true })).toBeVisible();
  expect(problems).toEqual([]);

  const plain = await visit({ as: player, javaScript: false, viewport: phone });
  await plain.page.goto(`/matches/${id}`);
  await expect(plain.page.getByText(`Queued · Place ${place - 1} in the queue`, { exact: true })).toBeVisible();
  await player.call("DELETE", `/api/matches/${id}/delete/`);
});

test("An import that the server refuses says why and keeps the address", async ({ product, visit }) => {
  const { page, context } = await visit({ as: product.players.refused });
  await page.goto("/matches");
  await hydrated(page);
  const form = page.locator('form:has(input[name="demo_url"])');
  await form.locator("input[type=url]").fill("ftp://demos.example/old.dem");
  await form.getByRole("button", { name: "Import" }).click();
  await expect(form.getByRole("alert")).toHaveText(/\S/);
  await expect(form.locator("input[type=url]")).toHaveValue("ftp://demos.example/old.dem");
  const refusal = (await form.getByRole("alert").textContent()) ?? "";
  await context.close();

  const plain = await visit({ as: product.players.refused, javaScript: false });
  await plain.page.goto("/matches");
  const plainForm = plain.page.locator('form:has(input[name="demo_url"])');
  await plainForm.locator("input[type=url]").fill("ftp://demos.example/old.dem");
  await plainForm.getByRole("button", { name: "Import" }).click();
  await expect(plainForm.getByRole("alert")).toHaveText(refusal);
  await expect(plainForm.locator("input[type=url]")).toHaveValue("ftp://demos.example/old.dem");
});

test("A recent match is imported with one click and then stands among the imported ones", async ({
  product,
  visit,
}) => {
  const { page, context, problems } = await visit({ as: product.players.busy });
  await page.goto("/matches?page=2");
  await hydrated(page);
  await expect(page.getByRole("link", { name: /^Powered by/ })).toHaveAttribute("href", "https://leetify.com/");
  const card = cards(page).filter({ hasText: "Nuke" });
  await expect(card.getByRole("link", { name: /at the match history provider$/ })).toHaveAttribute(
    "href",
    "https://leetify.com/app/match-details/recent-one",
  );
  // Among many matches, no import button stands out.
  await expect(page.getByRole("listitem").locator(".btn-primary")).toHaveCount(0);
  const answer = await holdRequests(page, "**/*", "POST");
  await card.getByRole("button", { name: "Import Match" }).click();
  const busy = card.getByRole("button", { name: "Importing..." });
  await expect(busy).toBeVisible();
  await expect(busy).toBeDisabled();
  answer();
  // The answer leads to the list's first page, where the match is first.
  await page.waitForURL(/\/matches$/);
  await expect(cards(page).first()).toContainText("Nuke");
  await expect(cards(page).first().getByText("Queued")).toBeVisible();
  await expect(cards(page).first()).toContainText("13 - 4");
  expect(problems).toEqual([]);
  await context.close();

  const plain = await visit({ as: product.players.busy, javaScript: false });
  await plain.page.goto("/matches?page=2");
  await plain.page.getByRole("button", { name: "Import Match" }).click();
  await plain.page.waitForURL("**/matches");
  await expect(cards(plain.page).first()).toContainText("Train");
  const { database } = product.services;
  const imported = database.deleteFrom("matches").where("source", "=", "recent");
  expect(Number((await imported.executeTakeFirst()).numDeletedRows)).toBe(2);
});

test("A match older than ten minutes that still runs is asked for every thirty seconds", async ({ product, visit }) => {
  const { database } = product.services;
  const player = await addPlayer(product);
  const userId = await userIdOf(database, player.steamId);
  const id = unique("s");
  await addMatch(database, { id, userId, status: "parsing_demo", minutesAgo: 11 });
  const { page } = await visit({ as: player });
  const polls = requestsOf(page, "/matches/status");
  await page.clock.install();
  await page.goto("/matches");
  await hydrated(page);
  await expect(cards(page).getByText("Parsing demo")).toBeVisible();
  await page.clock.fastForward(29_000);
  expect(polls).toEqual([]);
  await page.clock.fastForward(1000);
  await expect.poll(() => polls.length).toBe(1);
  await setMatch(product, id, { status: "failed" });
  // The next interval starts when the previous request has been answered.
  await expect
    .poll(async () => {
      await page.clock.fastForward(30_000);
      return cards(page).getByText("Failed.").count();
    })
    .toBe(1);
  await page.waitForLoadState("networkidle");
  const end = polls.length;
  await page.clock.fastForward("10:00");
  await page.waitForLoadState("networkidle");
  expect(polls).toHaveLength(end);
});

test("A match is headed by icon, map, mode, scores and date, wherever it is shown; its demo can be had when it has one", async ({
  product,
  visit,
}) => {
  const { database } = product.services;
  const { matchId } = await addCompletedMatch(product, "newcomer");
  await addClip(database, product.clipId, {
    userId: await userIdOf(database, steamIds.newcomer),
    matchId,
    name: "Headed",
  });
  await database
    .updateTable("matches")
    .set({ provider_game_mode: "Matchmaking", provider_played_at: new Date("2026-11-02T18:05:00Z") })
    .where("id", "=", matchId)
    .execute();
  const match = await product.players.newcomer.call<{ score_team1: number; score_team2: number; game_mode: string }>(
    "GET",
    `/api/matches/${matchId}/`,
  );
  const { page, context, problems } = await visit({ as: product.players.newcomer });
  await context.addCookies([{ name: "tz", value: "Europe/Berlin", url: product.url }]);
  const mode = { Matchmaking: "Premier", Matchmaking_Competitive: "Competitive" }[match.game_mode] ?? match.game_mode;
  const checkHeading = async () => {
    const heading = page
      .locator("main div")
      .filter({ has: page.locator('> img[src="/map_icons/de_dust2.svg"]') })
      .first();
    const text = (await heading.textContent()) ?? "";
    expect(text).toContain("Dust II");
    expect(text).toContain(mode);
    expect(text).toContain("November 2, 2026 at");
    expect(text).toContain(`Score ${match.score_team1}`);
    expect(text).toContain(`to ${match.score_team2}`);
    await expect(heading.locator("time")).toHaveAttribute("datetime", "2026-11-02T18:05:00.000Z");
  };
  await page.goto(`/match/${matchId}`);
  await checkHeading();
  await expect(page).toHaveTitle("Dust II Match");
  await expect(page.getByRole("link", { name: "Download Demo File" })).toHaveAttribute(
    "href",
    `https://demos.example/${matchId}.dem.bz2`,
  );
  await page.getByRole("main").getByRole("link", { name: "What counts as a highlight" }).click();
  await expect(page.getByRole("heading", { name: "What counts as a highlight" })).toBeVisible();
  await page.goto("/clips");
  await checkHeading();
  await page.goto(`/users/${steamIds.newcomer}/clips`);
  await checkHeading();
  await page.getByRole("link", { name: "Headed" }).click();
  await expect(page.locator("summary", { hasText: "Share" })).toBeVisible();
  await checkHeading();
  const video = page.locator("article video");
  await expect(video).toHaveAttribute("preload", "none");
  await expect(video).toHaveAttribute("controls", "");
  await expect(video).toHaveAttribute("poster", /^\/video\/clips\/\d+\/poster\.jpg/);

  await database.updateTable("matches").set({ demo_url: null }).where("id", "=", matchId).execute();
  await page.goto(`/match/${matchId}`);
  await expect(page.getByRole("heading", { name: /^Match Highlights/ })).toBeVisible();
  await expect(page.getByRole("link", { name: "Download Demo File" })).toHaveCount(0);
  await database.deleteFrom("matches").where("id", "=", matchId).execute();
  expect(problems).toEqual([]);
});

test("Between two questions lie 2 s for new imports, 3 s for clips and 5 s for recent matches", {
  tag: "@long",
}, async ({ product, visit }) => {
  await product.services.database.deleteFrom("matches").where("demo_url", "like", "%/recent-%").execute();
  const { context, problems } = await visit({ as: product.players.busy });
  const questions = await Promise.all(
    (
      [
        ["/matches", "/matches/status?id=", 2000],
        ["/match/busy", "/clips/status?id=", 3000],
        ["/matches?page=2", "/matches/status?demo=", 5000],
      ] as const
    ).map(async ([path, question, everyMs]) => {
      const page = await context.newPage();
      const askedAt: number[] = [];
      page.on("requestfinished", (request) => {
        if (request.url().includes(question)) askedAt.push(request.timing().startTime);
      });
      await page.goto(path);
      return { page, askedAt, everyMs };
    }),
  );
  for (const { askedAt, everyMs, page } of questions) {
    await page.bringToFront();
    const shortest = () => Math.min(...askedAt.slice(1).map((at, index) => at - (askedAt[index] ?? 0)));
    // A busy machine delays one or two requests, but not all of them.
    await expect.poll(shortest, { message: `${everyMs} ms`, timeout: 60_000 }).toBeLessThan(everyMs + 900);
    // Both clocks are read in whole milliseconds.
    expect(shortest(), `${everyMs} ms`).toBeGreaterThanOrEqual(everyMs - 2);
  }

  // For this page, the match is imported elsewhere.
  const [, , recent] = questions.map(({ page }) => page);
  const { demo_url: demoUrl } = await product.players.busy
    .call<{ results: { match_type: string; demo_url: string; map_name: string }[] }>("GET", "/api/matches/?limit=50")
    .then(({ results }) => results.find(({ map_name: map }) => map === "de_train")!);
  await product.players.busy.call("POST", "/api/matches/upload-demo/", { demo_url: demoUrl });
  await expect(recent!.getByRole("button", { name: "Import Match" })).toHaveCount(1);
  await product.services.database.deleteFrom("matches").where("demo_url", "=", demoUrl).execute();
  expect(problems).toEqual([]);
});

test("Every stage of an import has its icon, grey until it is completed or has failed", async ({ product, visit }) => {
  const { page, problems } = await visit({ as: product.players.busy });
  const restore = product.interceptApi("GET", /\/busy-queued\/status\/$/, () =>
    Response.json({
      is_processing: true,
      is_completed: false,
      status: "reticulating",
      status_display: "",
      progress: 0,
    }),
  );
  await page.goto("/matches");
  await hydrated(page);
  const iconOf = async (text: string) => {
    const line = cards(page).locator("p").filter({ hasText: text }).first();
    const name = (await line.locator("use").first().getAttribute("href"))?.split("#")[1];
    return [name, await colorName(line.locator("svg").first()), await line.locator(".spinner").count()];
  };
  const seen = {
    "Processing demo": await iconOf("Processing demo"),
    "Downloading demo": await iconOf("Downloading demo"),
    "Extracting demo": await iconOf("Extracting demo"),
    "Parsing demo": await iconOf("Parsing demo"),
    "Analyzing highlights": await iconOf("Analyzing highlights"),
    "Updating match info": await iconOf("Updating match info"),
    "Loading avatars": await iconOf("Loading avatars"),
    "22 Highlights": await iconOf("22 Highlights"),
  };
  expect(seen).toEqual({
    "Processing demo": ["scan", "grey", 1],
    "Downloading demo": ["download", "grey", 1],
    "Extracting demo": ["box", "grey", 1],
    "Parsing demo": ["scan", "grey", 1],
    "Analyzing highlights": ["target", "grey", 1],
    "Updating match info": ["pencil", "grey", 1],
    "Loading avatars": ["person", "grey", 1],
    "22 Highlights": ["check", "green", 0],
  });
  await expect(cards(page).getByText("reticulating")).toBeVisible();
  await expect.poll(() => iconOf("reticulating")).toEqual(["scan", "grey", 1]);
  restore();
  await expect(cards(page).getByText("reticulating")).toHaveCount(0);
  await expect.poll(() => iconOf("Queued")).toEqual(["clock", "grey", 1]);
  await page.goto("/matches?page=2");
  await expect.poll(() => iconOf("Failed.")).toEqual(["alert", "red", 0]);
  expect(problems).toEqual([]);
});

const highlightCard = (page: Page, label: string, player: string) =>
  page.locator("label:has(input[name=highlight])").filter({ hasText: label }).filter({ hasText: player }).first();
const unfold = (page: Page, what: "Filters" | "Settings") =>
  page.locator("label, button", { hasText: what }).first().click();
const active = (page: Page) => page.locator("label[data-active=true]");

test("Filters enable each other, manual choices get an amber border, All and None clear them", async ({
  product,
  visit,
}) => {
  const { page, problems } = await visit({ as: product.players.maker });
  await page.goto(`/match/${product.matchId}`);
  await hydrated(page);
  const filter = (name: string | RegExp) =>
    page.getByRole("complementary", { name: "Filters" }).getByRole("button", { name });
  const create = page.getByRole("button", { name: /^(Create Clip|Too many)/ });
  await expect(create).toHaveText("Create Clip (0 active)");
  await expect(create).toBeDisabled();

  await filter("Granite Row").click();
  for (const name of [/^Special Kills/, /^Multikills/, /^Clutches/, /sable\./])
    await expect(filter(name)).toHaveAttribute("aria-pressed", "true");
  await expect(filter("Harbour Five")).toHaveAttribute("aria-pressed", "false");
  await expect(active(page)).toHaveCount(8);
  await expect(create).toHaveText("Too many highlights (8/5 max)");
  await expect(create).toBeDisabled();

  await filter("None").click();
  await expect(active(page)).toHaveCount(0);
  await filter(/^Clutches/).click();
  await expect(filter("Granite Row")).toHaveAttribute("aria-pressed", "true");
  await expect(filter("Harbour Five")).toHaveAttribute("aria-pressed", "true");
  await expect(filter(/^Special Kills/)).toHaveAttribute("aria-pressed", "false");
  await expect(create).toHaveText("Create Clip (4 active)");
  await expect(create).toBeEnabled();

  const knife = highlightCard(page, "Knife Kill", "quietOtter");
  const border = () => knife.evaluate((card) => getComputedStyle(card).borderTopColor);
  const nameColor = () => knife.evaluate((card) => getComputedStyle(card.querySelector(".font-display")!).color);
  const [borderBefore, colorBefore] = [await border(), await nameColor()];
  await knife.click();
  await expect(knife).toHaveAttribute("data-override", "true");
  const amber = await page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement("i"));
    probe.className = "text-tee";
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  });
  await expect.poll(border).toBe(amber);
  expect(amber).not.toBe(borderBefore);
  await expect.poll(nameColor).not.toBe(colorBefore);
  await expect(create).toHaveText("Create Clip (5 active)");
  await expect(page.locator("label[data-override]")).toHaveCount(1);
  await highlightCard(page, "1v2 Clutch", "O'Marrow").click();
  await expect(page.locator("label[data-override]")).toHaveCount(2);
  await expect(create).toHaveText("Create Clip (4 active)");
  expect(await axeViolations(page)).toEqual([]);
  await keepScreenshot(page, "match-overrides-1280");

  await filter("All").click();
  await expect(page.locator("label[data-override]")).toHaveCount(0);
  await expect(active(page)).toHaveCount(22);
  await expect(create).toHaveText("Too many highlights (22/5 max)");
  await filter(/^northern_pik/).click();
  await expect(active(page)).toHaveCount(20);
  expect(problems).toEqual([]);
});

test("The filters' switch says whether they are unfolded, and a card's box is named by its title, all else being its description", async ({
  product,
  visit,
}) => {
  const { page, problems } = await visit({ as: product.players.maker, viewport: phone });
  await page.goto(`/match/${product.matchId}`);
  await hydrated(page);
  const filters = page.getByRole("button", { name: "Filters", exact: true });
  await expect(filters).toHaveAttribute("aria-expanded", "false");
  await filters.press("Enter");
  await expect(filters).toBeFocused();
  await expect(filters).toHaveAttribute("aria-expanded", "true");
  await expect(page.getByRole("button", { name: /^Clutches/ })).toBeVisible();
  await filters.click();
  await expect(page.getByRole("button", { name: /^Clutches/ })).toBeHidden();
  await expect(page.getByRole("checkbox", { name: /Filters|Settings/ })).toHaveCount(0);
  const knife = highlightCard(page, "Knife Kill", "quietOtter").getByRole("checkbox");
  await expect(knife).toHaveAccessibleName(/^Knife Kill Round \d+ quietOtter$/);
  await expect(knife).toHaveAccessibleDescription(/\w+/);
  expect(await axeViolations(page)).toEqual([]);
  expect(problems).toEqual([]);
});

test("Without JavaScript a ticked card looks ticked, and no number is said that would be wrong", async ({
  product,
  visit,
}) => {
  const { page } = await visit({ as: product.players.maker, javaScript: false });
  await page.goto(`/match/${product.matchId}`);
  const card = highlightCard(page, "Knife Kill", "quietOtter");
  const look = () =>
    card.evaluate((label) => [
      getComputedStyle(label).borderTopColor,
      getComputedStyle(label.querySelector(".font-display")!).color,
    ]);
  const before = await look();
  await card.click();
  await page.mouse.move(0, 0);
  await expect.poll(async () => (await look()).every((color, at) => color !== before[at])).toBe(true);
  const create = page.getByRole("button", { name: /^Create Clip/ });
  await expect(create).toHaveAccessibleName("Create Clip");
});

test("Without JavaScript the filters and ticks work through the form", async ({ product, visit }) => {
  const { matchId } = await addCompletedMatch(product, "newcomer");
  const { page } = await visit({
    as: product.players.newcomer,
    javaScript: false,
    viewport: phone,
  });
  await page.goto(`/match/${matchId}`);
  // Both are folded on a phone, and stay unfolded when the form reloads the page.
  await expect(page.locator('input[name="xray"]')).toBeHidden();
  await unfold(page, "Settings");
  await page.locator('input[name="xray"]').uncheck();
  await highlightCard(page, "Ninja Defuse", "quietOtter").locator("input").check();
  await expect(page.getByRole("button", { name: /^Clutches/ })).toBeHidden();
  await unfold(page, "Filters");
  await page.getByRole("button", { name: /^Clutches/ }).click();
  await expect(active(page)).toHaveCount(5);
  await expect(page.locator("label[data-override]")).toHaveCount(1);
  await expect(page.locator('input[name="xray"]')).not.toBeChecked();
  await keepScreenshot(page, "match-filtered-no-js-390");
  await page.getByRole("button", { name: "All", exact: true }).click();
  await expect(active(page)).toHaveCount(22);
  await page.getByRole("button", { name: /^Create Clip/ }).click();
  await expect(page.getByText("Failed to create clip: A clip can show at most 5 highlights.")).toBeVisible();
  await expect(active(page)).toHaveCount(22);
  await page.getByRole("button", { name: "None", exact: true }).click();
  await expect(active(page)).toHaveCount(0);
  await page.getByRole("button", { name: "Best first" }).click();
  await expect(page.getByRole("button", { name: "Best first", pressed: true })).toBeVisible();
  await page.getByRole("button", { name: "Tick the best 3" }).click();
  await expect(active(page)).toHaveCount(3);
  const inPlace = page.locator("label[data-active]");
  // The third shows the same scene as an earlier one.
  for (const place of [0, 1, 3]) await expect(inPlace.nth(place)).toHaveAttribute("data-active", "true");
  await expect(inPlace.first()).toContainText("1v5 Clutch");
  await page.getByRole("button", { name: "None", exact: true }).click();
  await expect(active(page)).toHaveCount(0);
  await page.getByRole("button", { name: /^Create Clip/ }).click();
  await expect(page.getByText("Failed to create clip: Please select at least one highlight.")).toBeVisible();
  await highlightCard(page, "Wallbang", "quietOtter").locator("input").check();
  await page.getByRole("button", { name: /^Create Clip/ }).click();
  await expect(page.getByText("Created Clips (1)")).toBeVisible();
  await expect(page.getByText(/Queued \(Position \d+\)/)).toBeVisible();
  await expect(page.getByRole("heading", { name: "quietOtter - Dust II Round 3 - Wallbang" })).toHaveCount(1);
  await page.getByRole("link", { name: /^Delete quietOtter/ }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.waitForURL("**/clips");
});

test("A clip is created once, named and cut by the rules, put on top, and polled every three seconds", async ({
  product,
  visit,
}) => {
  const { userId, matchId } = await addCompletedMatch(product, "newcomer");
  const { database } = product.services;
  const older = await addClip(database, product.clipId, { userId, matchId, name: "Older", minutesAgo: 60 });
  const { page, problems } = await visit({ as: product.players.newcomer });
  const polls = requestsOf(page, "/clips/status");
  await page.clock.install();
  await page.goto(`/matches/${matchId}`);
  await hydrated(page);
  await highlightCard(page, "Knife Kill", "quietOtter").click();
  await highlightCard(page, "Wallbang", "quietOtter").click();
  await page.getByRole("checkbox", { name: /^Radar/ }).uncheck();
  const watermark = page.locator('input[name="watermark"]');
  expect([await watermark.isDisabled(), await watermark.isChecked()]).toEqual([true, false]);

  // From here on only the test moves the clock: a request in flight when it moves is repeated only that much later.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000));
  const answer = await holdRequests(page, `**/matches/${matchId}.data*`);
  const create = page.getByRole("button", { name: "Create Clip (2 active)" });
  await create.dblclick();
  const busy = page.getByRole("button", { name: "Creating..." });
  await expect(busy).toBeVisible();
  await expect(busy).toBeDisabled();
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(0);
  answer();
  await expect(page.getByRole("heading", { name: "Created Clips (2)" })).toBeVisible();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  const name = "quietOtter - Dust II Round 3-4 - 2 Highlights";
  await expect(cards(page).first()).toContainText(name);
  await expect(
    cards(page)
      .first()
      .getByText(/Queued \(Position \d+\)/),
  ).toBeVisible();

  const made = await database
    .selectFrom("clips")
    .select(["id", "name", "settings"])
    .where("match_id", "=", matchId)
    .where("id", "<>", older)
    .execute();
  expect(made).toHaveLength(1);
  const { id, settings } = made[0]!;
  expect(made[0]?.name).toBe(name);
  expect(settings).toMatchObject({
    xray: true,
    hud: true,
    radar: false,
    killfeed: true,
    highlight_info: true,
    watermark: false,
    pre_time_adjustment: 2,
    post_time_adjustment: -1.5,
  });

  await database.updateTable("clips").set({ status: "processing", progress: 0.4 }).where("id", "=", id).execute();
  expect(polls).toHaveLength(0);
  await page.clock.fastForward(2900);
  expect(polls).toHaveLength(0);
  await page.clock.fastForward(100);
  await expect.poll(() => polls.length).toBe(1);
  await expect(cards(page).first().getByText("Processing")).toBeVisible();
  await expect(page.getByRole("progressbar").first()).toHaveAttribute("aria-valuenow", "40");
  await page.clock.fastForward(2900);
  expect(polls).toHaveLength(1);
  await finishClip(database, product.clipId, id);
  await page.clock.fastForward(100);
  await expect(cards(page).first().locator("video")).toHaveCount(1);
  await page.clock.fastForward(30_000);
  expect(polls).toHaveLength(2);
  expect(problems).toEqual([]);
});

test("With three clips in the queue no fourth can be created, whatever the page shows", async ({ product, visit }) => {
  const { page, context, problems } = await visit({ as: product.players.limited });
  await page.goto("/match/limited");
  await hydrated(page);
  await highlightCard(page, "Knife Kill", "quietOtter").click();
  const button = page.getByRole("button", { name: "Queue limit reached (3/3)" });
  await expect(button).toBeVisible();
  await expect(button).toBeDisabled();
  expect(problems).toEqual([]);
  await context.close();

  const plain = await visit({ as: product.players.limited, javaScript: false });
  await plain.page.goto("/match/limited?refresh=off");
  await highlightCard(plain.page, "Knife Kill", "quietOtter").locator("input").check();
  await plain.page.getByRole("button", { name: /^Create Clip/ }).click();
  await expect(
    plain.page.getByText("Queue limit reached. You can only have 3 clips in queue or processing at once."),
  ).toBeVisible();
  await expect(highlightCard(plain.page, "Knife Kill", "quietOtter").locator("input")).toBeChecked();
});

/** Checks that the page at an address can pause and resume its automatic reloading. */
async function pausesRefreshing(page: Page, path: string) {
  const refresh = page.locator('meta[http-equiv="refresh"]');
  await page.goto(path);
  await expect(refresh).toHaveCount(1);
  await page.getByRole("link", { name: "Pause refreshing" }).click();
  await expect(refresh).toHaveCount(0);
  await page.getByRole("link", { name: "Refresh again" }).click();
  await expect(refresh).toHaveCount(1);
}

test("Without JavaScript a clip that is being made and the operator's page can be had to stay as they are, too", async ({
  product,
  visit,
}) => {
  const { page: ofMaker } = await visit({ as: product.players.busy, javaScript: false });
  await pausesRefreshing(ofMaker, `/clips/${product.clips.processing}`);
  const { page: ofOperator } = await visit({ as: product.players.operator, javaScript: false });
  await pausesRefreshing(ofOperator, "/operator");
});

test("Without JavaScript refreshing is paused with what is chosen, stays so, and takes no refusal away", {
  tag: "@long",
}, async ({ product, visit }) => {
  const { page } = await visit({ as: product.players.limited, javaScript: false });
  const refresh = page.locator('meta[http-equiv="refresh"]');
  const pause = page.getByText("Pause refreshing", { exact: true });
  const ticked = highlightCard(page, "Knife Kill", "quietOtter").locator("input");
  await page.goto("/match/limited?clips=2");
  await expect(refresh).toHaveCount(1);
  await ticked.check();
  // Enter in a checkbox presses the form's first button, which is not this one.
  await ticked.press("Enter");
  await expect(page).toHaveURL(/\?clips=2&.*highlight=/);
  await expect(refresh).toHaveCount(1);
  await expect(ticked).toBeChecked();
  await pause.click();
  await expect(page).toHaveURL(/\?refresh=off&clips=2&/);
  await expect(refresh).toHaveCount(0);
  await expect(ticked).toBeChecked();
  await page.getByRole("button", { name: /^Clutches/ }).click();
  await expect(page.getByRole("button", { name: /^Clutches/, pressed: true })).toBeVisible();
  await expect(refresh).toHaveCount(0);
  await expect(ticked).toBeChecked();
  await page.getByRole("link", { name: "Refresh again" }).click();
  await expect(refresh).toHaveCount(1);
  await expect(page.getByRole("button", { name: /^Clutches/, pressed: true })).toBeVisible();
  await expect(ticked).toBeChecked();
  await page.getByRole("button", { name: /^Create Clip/ }).click();
  await expect(page.getByRole("alert").filter({ hasText: /clip/i })).toBeVisible();
  await expect(refresh).toHaveCount(0);
  await expect(pause).toHaveCount(0);
  await expect(ticked).toBeChecked();

  const importing = await visit({ as: product.players.busy, javaScript: false });
  const again = importing.page.locator('meta[http-equiv="refresh"]');
  for (const path of ["/matches", "/clips"]) await pausesRefreshing(importing.page, path);
  await importing.page.goto("/matches");
  await importing.page.getByRole("button", { name: "Import", exact: true }).click();
  await expect(importing.page.getByText("Please enter a demo URL")).toBeVisible();
  await expect(again).toHaveCount(0);
});

test("Created clips come two a page, and deleting the last of a page leads back to the first", {
  tag: "@long",
}, async ({ product, visit }) => {
  const { userId, matchId } = await addCompletedMatch(product, "newcomer");
  for (const [index, name] of ["Third", "Second", "First"].entries()) {
    await addClip(product.services.database, product.clipId, { userId, matchId, name, minutesAgo: 30 - index });
  }
  const { page, context, problems } = await visit({ as: product.players.newcomer });
  await page.goto(`/match/${matchId}`);
  await hydrated(page);
  const shown = cards(page).getByRole("heading");
  await expect(shown).toHaveText(["First", "Second"]);
  const first = (await cards(page).first().textContent()) ?? "";
  for (const text of ["1 Highlight", "0 likes", "0 views"]) expect(first).toContain(text);
  expect(first).toMatch(/[A-Z][a-z]+ \d{1,2}, \d{4} at \d{2}:\d{2} [AP]M/);
  await expect(page.getByRole("button", { name: "Previous clips" })).toBeDisabled();
  await page.getByRole("link", { name: "Next clips" }).click();
  await expect(shown).toHaveText(["Third"]);
  await expect(page.getByRole("button", { name: "Next clips" })).toBeDisabled();
  const dots = page.locator("#created-clips span[aria-hidden] > span.rounded-full");
  await expect(dots).toHaveCount(2);
  await expect(dots.first()).not.toHaveClass(/bg-flare/);
  await expect(dots.last()).toHaveClass(/bg-flare/);
  await page.getByRole("link", { name: "Delete Third" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(shown).toHaveText(["First", "Second"]);
  await expect(dots).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Next clips" })).toHaveCount(0);
  await cards(page).first().getByRole("link", { name: "First", exact: true }).click();
  await page.waitForURL(/\/clips\/\d+$/);
  expect(problems).toEqual([]);
  await context.close();

  const plain = await visit({ as: product.players.busy, javaScript: false });
  await plain.page.goto("/match/busy");
  await plain.page.getByRole("link", { name: "Next clips" }).click();
  await expect(cards(plain.page).getByRole("heading")).toHaveText(["Waiting clip", "Broken clip"]);
});
