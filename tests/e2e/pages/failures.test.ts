import type { Locator, Page } from "playwright/test";
import { ApiVisitor } from "../../services/api-visitor.ts";
import { axeViolations, holdRequests, hydrated, keepScreenshot } from "../../services/browser.ts";
import { isOfManyMachines } from "../../services/many-machines/shared-parts.ts";
import { addCompletedMatch, addPlayer, steamIds } from "../../services/populated-product.ts";
import { finishClip } from "../../services/seeded-rows.ts";
import { unique } from "../../services/unique.ts";
import { expect, test } from "../fixtures.ts";

/** Keeps the log of deliberate failures off the screen. */
test.beforeEach(({ serverWarnings: _ }) => {});

/** A proxy's answer when the API is down: it contains no sentence for people. */
const gone = (status = 502) => new Response("<h1>Gone</h1>", { status, headers: { "Content-Type": "text/html" } });
const refusal = (status: number, body: unknown) => Response.json(body, { status });
const alerts = (page: Page) => page.getByRole("alert").filter({ hasText: /\S/ });
const cards = (page: Page) => page.locator("main article");

test("Top highlights that cannot be loaded are logged, and all nine lists are empty", async ({
  product,
  visit,
  serverWarnings,
}) => {
  const { page, problems } = await visit({ as: product.players.newcomer });
  const restore = product.interceptApi("GET", /^\/api\/top-highlights\/$/, () => gone(500));
  const answer = await page.goto("/");
  expect([answer?.status(), answer?.headers()["retry-after"]]).toEqual([503, "10"]);
  await expect(page.getByText("No clips available")).toHaveCount(9);
  await expect(alerts(page)).toHaveCount(0);
  expect(serverWarnings.filter((line) => line.startsWith("Top highlights:"))).toHaveLength(1);
  restore();
  // Chromium reports a page's own status as an error.
  expect(problems.filter((problem) => !problem.includes("status of 503"))).toEqual([]);
});

test("Pages that cannot be loaded show the error's text, else their own", async ({ product, visit }) => {
  const { page } = await visit({ as: product.players.busy });
  const maker = `/users/${steamIds.maker}/clips`;
  const pages: [path: string, call: RegExp, fallback: string, control: string][] = [
    ["/matches", /^\/api\/matches\/$/, "Failed to load matches", "Back to the start page"],
    ["/match/busy", /^\/api\/matches\/busy\/$/, "Failed to load match details", "Back to Matches"],
    ["/clips", /^\/api\/matches\/clips\/$/, "Failed to load clips", "Back to the start page"],
    [maker, /^\/api\/matches\/users\/\d+\/clips\/$/, "Failed to load clips", "Back to the start page"],
    [`/clips/${product.clipId}`, /^\/api\/matches\/clips\/\d+\/$/, "Failed to load clip", "Back to the start page"],
  ];
  for (const [path, call, fallback, control] of pages) {
    let restore = product.interceptApi("GET", call, () => gone());
    expect((await page.goto(path))?.status(), path).toBe(502);
    await expect(page.getByRole("heading", { name: fallback, exact: true })).toBeVisible();
    await expect(page.getByRole("link", { name: control })).toBeVisible();
    await expect(page, path).not.toHaveTitle(/Not Found/);
    restore();

    const detail = "The shelves are being moved.";
    restore = product.interceptApi("GET", call, () => refusal(409, { error: "busy", detail }));
    expect((await page.goto(path))?.status(), path).toBe(409);
    // Only the match list keeps its own words.
    const shown = path === "/matches" ? fallback : detail;
    await expect(page.getByRole("heading", { name: shown, exact: true })).toBeVisible();
    restore();
  }
  expect(await axeViolations(page)).toEqual([]);
});

test("The page that deletes a clip which is not there says 'Clip not found'", async ({ product, visit }) => {
  const { page } = await visit({ as: product.players.busy, javaScript: false });
  for (const path of ["/clips/987654321/delete", "/clips/abc/delete"]) {
    expect((await page.goto(path))?.status(), path).toBe(404);
  }
  await page.goto("/clips/987654321/delete");
  await expect(page.getByRole("heading", { name: "Clip not found", exact: true })).toBeVisible();
});

test("A processing check that fails counts as not processing, with the reason", async ({ product }) => {
  const demo = `https://demos.example/${unique("asked")}.dem`;
  const path = `/matches/status?${new URLSearchParams({ demo })}`;
  const ask = async (visitor: ApiVisitor) => {
    const answer = await visitor.request("GET", path);
    const { states } = (await answer.json()) as { states: Record<string, unknown> };
    return { ...(states[demo] as object), httpStatus: answer.status };
  };
  const refused = { is_processing: false, is_completed: false };
  // With the status by which an open page notices it.
  const noSession = { ...refused, error: "Authentication required", httpStatus: 401 };
  expect(await ask(new ApiVisitor(product.url))).toMatchObject(noSession);
  for (const status of [404, 418, 500]) {
    const restore = product.interceptApi("POST", /check-demo-processing/, () => gone(status));
    expect(await ask(product.players.busy)).toMatchObject({ ...refused, error: `HTTP ${status}`, httpStatus: 200 });
    restore();
  }
  expect(await ask(product.players.busy)).toMatchObject({ ...refused, error: null });
});

test("A clip that cannot be created says why: the server's text, else the specification's", async ({
  product,
  visit,
}) => {
  const { page } = await visit({ as: product.players.newcomer });
  const { matchId } = await addCompletedMatch(product, "newcomer");
  await page.goto(`/match/${matchId}`);
  await hydrated(page);
  await page.locator("label:has(input[name=highlight])").first().click();
  const answers: [Response, string | RegExp][] = [
    [gone(429), "Queue limit reached. You can only have 3 clips in queue or processing at once."],
    [refusal(429, { error: "queue_limit", detail: "Three are enough." }), "Three are enough."],
    [refusal(429, { error: "Only three at once" }), "Only three at once"],
    [refusal(400, { error: "bad", detail: "No such highlight." }), "Failed to create clip: No such highlight."],
    [refusal(400, { error: "Not possible" }), "Failed to create clip: Not possible"],
    [gone(502), /^Failed to create clip: .*HTTP 502$/],
  ];
  for (const [answer, text] of answers) {
    const restore = product.interceptApi("POST", /\/clips\/create\/$/, () => answer);
    await page.getByRole("button", { name: "Create Clip (1 active)" }).click();
    const alert = page.getByRole("alert").filter({ hasText: text });
    await expect(alert).toBeVisible();
    if (typeof text === "string") await expect(alert).toHaveText(text);
    restore();
  }
  expect(await axeViolations(page)).toEqual([]);
  await keepScreenshot(page, "match-create-failed-1280");
  await page.getByRole("button", { name: "Create Clip (1 active)" }).click();
  await expect(page.getByRole("heading", { name: "Created Clips (1)" })).toBeVisible();
  await expect(alerts(page)).toHaveCount(0);
});

test("Nothing is sent without highlights, with more than five, or for a match that is not there", async ({
  product,
}) => {
  const { matchId } = await addCompletedMatch(product, "newcomer");
  const sent: string[] = [];
  const restore = product.interceptApi("POST", /\/clips\/create\/$/, ({ url }) => {
    sent.push(url);
    return undefined;
  });
  const { database } = product.services;
  const send = async (path: string, chosen: readonly { id: number }[]) => {
    const form = new URLSearchParams(chosen.map(({ id }) => ["highlight", String(id)]));
    return (await product.players.newcomer.request("POST", path, form)).status;
  };
  const own = await database
    .selectFrom("highlights")
    .innerJoin("matches", "matches.demo_sha256", "highlights.demo_sha256")
    .select("highlights.id")
    .where("matches.id", "=", matchId)
    .execute();
  expect(await send(`/match/${matchId}`, [])).toBe(400);
  expect(await send(`/match/${matchId}`, own.slice(0, 6))).toBe(400);
  expect(await send("/match/nobody-has-this", own.slice(0, 1))).toBe(404);
  expect(sent).toEqual([]);
  expect(await send(`/match/${matchId}`, own.slice(0, 1))).toBe(302);
  expect(sent).toHaveLength(1);
  restore();
});

test("An upload that fails shows the error's message, else the field's, else its own text", async ({
  product,
  visit,
}) => {
  await addCompletedMatch(product, "newcomer");
  const { page } = await visit({ as: product.players.newcomer });
  await page.goto("/matches");
  await hydrated(page);
  const form = page.locator('form:has(input[name="demo_url"])');
  const field = form.locator("input[type=url]");
  const address = `https://demos.example/${unique("refused")}.dem`;
  await field.fill(address);
  const answers: [Response, string][] = [
    [refusal(400, { error: "refused", detail: "This host is not known." }), "This host is not known."],
    [refusal(400, { demo_url: ["Enter a valid address."] }), "Enter a valid address."],
    [gone(500), "Failed to upload demo URL"],
  ];
  for (const [answer, text] of answers) {
    const restore = product.interceptApi("POST", /\/upload-demo\/$/, () => answer);
    await form.getByRole("button", { name: "Import", exact: true }).click();
    await expect(form.getByRole("alert").filter({ hasText: text })).toBeVisible();
    await expect(field).toHaveValue(address);
    restore();
  }
  // A retry succeeds, and its match comes before the earlier ones.
  const before = await cards(page).count();
  expect(before).toBeGreaterThan(0);
  await form.getByRole("button", { name: "Import", exact: true }).click();
  await expect(form.getByText("Demo uploaded successfully!")).toBeVisible();
  await expect(cards(page)).toHaveCount(before + 1);
  await expect(cards(page).first().getByText("Queued")).toBeVisible();
});

test("A recent match is imported without validation; when that fails it is only logged", async ({
  product,
  visit,
  serverWarnings,
}) => {
  await product.services.database.deleteFrom("matches").where("source", "=", "recent").execute();
  const { page } = await visit({ as: product.players.busy });
  await page.goto("/matches?page=2");
  await hydrated(page);
  const card = cards(page).filter({ hasText: "Train" });
  const sent: unknown[] = [];
  let isFailing = true;
  const restore = product.interceptApi("POST", /\/import-recent-match\/$/, async (request) => {
    sent.push(await request.json());
    return isFailing ? gone(500) : undefined;
  });
  await card.getByRole("button", { name: "Import Match" }).click();
  await expect.poll(() => serverWarnings.join()).toContain("/api/matches/import-recent-match/: HTTP 500");
  const button = card.getByRole("button", { name: "Import Match" });
  await expect(button).toBeVisible();
  await expect(button).toBeEnabled();
  await expect(alerts(page)).toHaveCount(0);
  expect(sent).toEqual([
    {
      demo_url: "https://demos.example/recent-two.dem.bz2",
      recent_match_id: "recent-two",
      map_name: "de_train",
      game_mode: "Matchmaking",
      score_team1: 9,
      score_team2: 13,
      match_date: "2026-11-01T18:00:00.000Z",
      skip_validation: true,
    },
  ]);
  isFailing = false;
  await button.click();
  await expect(button).toHaveCount(0);
  restore();
});

test("A match that cannot be deleted is only logged: the dialog stays open and stops loading; then page 1 comes", async ({
  product,
  visit,
  serverWarnings,
}) => {
  const { page } = await visit({ as: product.players.maker });
  await page.goto("/matches?page=2");
  await hydrated(page);
  const count = async () => Number.parseInt((await page.getByText(/^\d+ matches$/).textContent()) ?? "", 10);
  const before = await count();
  const remembered = () =>
    page.evaluate(() => JSON.parse(localStorage.getItem("completedMatches") ?? "[]") as string[]);
  const card = cards(page).first();
  const path = (await card.getByRole("link", { name: "View Details" }).getAttribute("href")) ?? "";
  const id = path.split("/").pop() ?? "";
  await expect.poll(remembered).toContain(id);
  const waiting: (() => void)[] = [];
  const restore = product.interceptApi(
    "DELETE",
    /\/delete\/$/,
    () => new Promise((resolve) => waiting.push(() => resolve(gone(500)))),
  );
  await card.getByRole("link", { name: /^Delete the match on / }).click();
  const dialog = page.getByRole("dialog", { name: "Delete Match" });
  await dialog.getByRole("button", { name: "Delete", exact: true }).click();
  const busy = dialog.getByRole("button", { name: "Deleting..." });
  await expect(busy).toBeVisible();
  await expect(busy).toBeDisabled();
  await expect.poll(() => waiting.length).toBe(1);
  waiting[0]?.();
  const again = dialog.getByRole("button", { name: "Delete", exact: true });
  await expect(again).toBeVisible();
  await expect(again).toBeEnabled();
  await expect(dialog).toBeVisible();
  await expect(alerts(page)).toHaveCount(0);
  expect(serverWarnings.join()).toContain(`DELETE /api/matches/${id}/delete/: HTTP 500`);
  expect(await remembered()).toContain(id);

  restore();
  await again.click();
  await page.waitForURL((url) => url.pathname === "/matches" && url.search === "");
  await expect.poll(count).toBe(before - 1);
  await expect.poll(remembered).not.toContain(id);
});

test("Likes, views and status questions that fail are logged and show nothing", async ({
  product,
  visit,
  serverWarnings,
}) => {
  const { database } = product.services;
  const { page, context } = await visit({ as: product.players.newcomer });
  const ends = [
    product.interceptApi("POST", /\/like\/$/, () => gone(500)),
    product.interceptApi("POST", /\/view\/$/, () => gone(500)),
  ];
  await page.goto(`/clips/${product.clipId}`);
  await hydrated(page);
  const like = page.getByRole("button", { name: /likes?$/ });
  const likes = (await like.textContent()) ?? "";
  await like.click();
  await expect.poll(() => serverWarnings.some((line) => line.startsWith("Like:"))).toBe(true);
  await expect(like).not.toHaveAttribute("aria-disabled");
  await expect(like).toHaveText(likes);
  await page.locator("article video").evaluate(async (video: HTMLVideoElement) => {
    video.muted = true;
    await video.play();
  });
  await expect.poll(() => serverWarnings.some((line) => line.startsWith("View:"))).toBe(true);
  await expect(alerts(page)).toHaveCount(0);
  for (const end of ends) end();
  await context.close();

  // One clip's failed status request is ignored; the other clip goes on.
  const busy = await visit({ as: product.players.busy });
  const restore = product.interceptApi("GET", new RegExp(`/clips/${product.clips.pending}/status/$`), () => gone(500));
  await busy.page.goto("/match/busy");
  await hydrated(busy.page);
  await finishClip(database, product.clipId, product.clips.processing);
  const rendering = cards(busy.page).filter({ hasText: "Rendering clip" });
  await expect(rendering.locator("video")).toBeVisible();
  await expect(
    cards(busy.page).filter({ hasText: "Pending clip" }).getByText("Pending", { exact: true }),
  ).toBeVisible();
  expect(serverWarnings.join()).toContain(`/api/matches/clips/${product.clips.pending}/status/: HTTP 500`);
  await expect(busy.page.getByText("Connection lost, trying again")).toHaveCount(0);
  expect(busy.problems).toEqual([]);
  restore();
});

/** Refusals by the API that do not depend on the request's contents. */
const refusals = [
  refusal.bind(null, 429, { error: "import_limit", detail: "You have three imports waiting. Wait until one is done." }),
  refusal.bind(null, 507, { error: "disk_full", detail: "This server has no disk space left. Try again later." }),
  refusal.bind(null, 503, { error: "starting", detail: "This server is starting. Try again in a moment." }),
  refusal.bind(null, 413, { error: "body_too_large", detail: "This is more than the server accepts." }),
];
const sentenceOf = async (answer: Response) => ((await answer.json()) as { detail: string }).detail;

test("A refused import says why where its button was pressed, and keeps what was typed", { tag: "@long" }, async ({
  product,
  visit,
}) => {
  await product.services.database.deleteFrom("matches").where("source", "=", "recent").execute();
  const typed = `https://demos.example/${unique("typed")}.dem`;
  for (const javaScript of [true, false]) {
    const { page, context } = await visit({ as: product.players.busy, javaScript });
    const recent = () => cards(page).filter({ hasText: "Train" });
    const failed = () => cards(page).filter({ hasText: "Failed." });
    const form = () => page.locator('form:has(input[type="url"])');
    const file = () => page.locator("#import-file");
    const buttons: [call: RegExp, place: () => Locator, button: string][] = [
      [/\/import-recent-match\/$/, recent, "Import Match"],
      [/\/retry\/$/, failed, "Try again"],
      [/\/upload-demo\/$/, form, "Import"],
      [/\/upload-file\/$/, file, "Upload"],
    ];
    for (const [call, place, button] of buttons) {
      await page.goto("/matches?page=2");
      if (javaScript) await hydrated(page);
      if (place === form) await form().locator("input[type=url]").fill(typed);
      if (place === file) {
        // As large as a file may be that is not sent in parts.
        const buffer = Buffer.alloc(8_000_000, 7);
        await file().locator("input").setInputFiles({ name: "m.dem", mimeType: "application/octet-stream", buffer });
      }
      for (const refuse of javaScript ? refusals : refusals.slice(0, 1)) {
        const end = product.interceptApi("POST", call, () => refuse());
        await place().getByRole("button", { name: button, exact: true }).click();
        await expect(
          place()
            .getByRole("alert")
            .filter({ hasText: await sentenceOf(refuse()) }),
        ).toBeVisible();
        await expect(alerts(page)).toHaveCount(1);
        if (place === form) await expect(form().locator("input[type=url]")).toHaveValue(typed);
        end();
      }
      if (javaScript && place === recent) {
        expect(await axeViolations(page)).toEqual([]);
        await keepScreenshot(page, "matches-import-refused-1280");
      }
    }
    if (!javaScript) {
      // The page cannot be drawn either now; the typed address is kept in the query of the next try.
      const ends = ["GET", "POST"].map((method) => product.interceptApi(method, /^\/api\/matches\//, () => gone(503)));
      await form().locator("input[type=url]").fill(typed);
      await form().getByRole("button", { name: "Import", exact: true }).click();
      await expect(page.getByRole("heading", { name: "Failed to load matches" })).toBeVisible();
      for (const end of ends) end();
      await page.getByRole("link", { name: "Try again" }).click();
      await expect(page.getByRole("heading", { name: "My Matches" })).toBeVisible();
      await expect(form().locator("input[type=url]")).toHaveValue(typed);
    }
    await context.close();

    const first = await visit({ as: await addPlayer(product), javaScript });
    await first.page.goto("/matches");
    if (javaScript) await hydrated(first.page);
    for (const refuse of refusals) {
      const end = product.interceptApi("POST", /\/import-sample\/$/, () => refuse());
      await first.page.getByRole("button", { name: "Try the sample match" }).click();
      await expect(alerts(first.page).filter({ hasText: await sentenceOf(refuse()) })).toBeVisible();
      await expect(alerts(first.page)).toHaveCount(1);
      end();
    }
    await first.context.close();
  }
});

test("A failed match is tried again on its own page, which shows how far it is, or says why it is not", {
  tag: "@long",
}, async ({ product, visit }) => {
  const { database } = product.services;
  const setStatus = (status: "queued" | "failed") =>
    database.updateTable("matches").set({ status }).where("id", "=", "busy-failed").execute();
  for (const javaScript of [true, false]) {
    const { page, context } = await visit({ as: product.players.busy, javaScript });
    await page.goto("/matches/busy-failed");
    if (javaScript) await hydrated(page);
    const again = page.getByRole("button", { name: "Try again" });
    for (const refuse of refusals) {
      const end = product.interceptApi("POST", /\/retry\/$/, () => refuse());
      await again.click();
      await expect(alerts(page).filter({ hasText: await sentenceOf(refuse()) })).toBeVisible();
      await expect(alerts(page)).toHaveCount(1);
      await expect(page).toHaveURL(({ pathname }) => pathname === "/matches/busy-failed");
      end();
    }
    const end = product.interceptApi("POST", /\/retry\/$/, async () => {
      await setStatus("queued");
      return Response.json({ match_id: "busy-failed" }, { status: 202 });
    });
    try {
      await again.click();
      await expect(page.getByRole("progressbar")).toBeVisible();
      await expect(again).toHaveCount(0);
      await expect(page).toHaveURL(({ pathname }) => pathname === "/matches/busy-failed");
    } finally {
      await setStatus("failed");
      end();
    }
    await context.close();
  }
});

test("Where the demo is at fault another one is offered, not another try", async ({ product, visit }) => {
  const { database } = product.services;
  const setCode = (code: string | null) =>
    database.updateTable("matches").set({ error_code: code }).where("id", "=", "busy-failed").execute();
  const { page } = await visit({ as: product.players.busy });
  const offers = async (path: string) => {
    await page.goto(path);
    await hydrated(page);
    const main = page.getByRole("main");
    return [
      await main.getByRole("button", { name: "Try again" }).count(),
      await main.getByRole("link", { name: "Import another demo" }).count(),
    ];
  };
  try {
    for (const [path, name] of [
      ["/matches/busy-failed", "page"],
      ["/matches?page=2", "card"],
    ] as const) {
      await setCode("timeout");
      expect(await offers(path), path).toEqual([1, 0]);
      await setCode("csgo_demo");
      expect(await offers(path), path).toEqual([0, 1]);
      await keepScreenshot(page, `failed-for-good-${name}`);
    }
    await page.goto("/matches/busy-failed");
    await page.getByRole("link", { name: "Import another demo" }).click();
    await expect(page).toHaveURL(/\/matches#import$/);
    await expect(page.locator("#demo-url")).toBeInViewport();
  } finally {
    await setCode(null);
  }
});

test("A clip that is refused says why, and keeps ticks, filters, order and settings", async ({ product, visit }) => {
  const { matchId } = await addCompletedMatch(product, "newcomer");
  for (const javaScript of [true, false]) {
    const { page, context } = await visit({ as: product.players.newcomer, javaScript });
    await page.goto(`/match/${matchId}`);
    if (javaScript) await hydrated(page);
    await page.getByRole("button", { name: /^Clutches/ }).click();
    await page.getByRole("button", { name: "Best first" }).click();
    await page.locator("label:has(input[name=highlight]:checked)").first().click();
    await page.locator("label:has(input[name=highlight]:not(:checked))").last().click();
    await page.getByRole("checkbox", { name: /^Radar/ }).uncheck();
    const state = () =>
      page.evaluate(() => ({
        ticked: [...document.querySelectorAll<HTMLInputElement>("input[name=highlight]:checked")].map(
          (box) => box.value,
        ),
        pressed: [...document.querySelectorAll("main [aria-pressed=true]")].map((button) => button.textContent),
        settings: [...document.querySelectorAll<HTMLInputElement>("fieldset input:checked")].map((box) => box.name),
      }));
    const before = await state();
    expect(before.ticked.length).toBeGreaterThan(2);
    expect(before.pressed.join()).toMatch(/Clutches.*Best first/);
    expect(before.settings).not.toContain("radar");
    for (const refuse of refusals) {
      const end = product.interceptApi("POST", /\/clips\/create\/$/, () => refuse());
      await page.getByRole("button", { name: /^Create Clip/ }).click();
      await expect(alerts(page).filter({ hasText: await sentenceOf(refuse()) })).toBeVisible();
      await expect.poll(state).toEqual(before);
      end();
    }
    if (!javaScript) {
      // The page cannot be drawn either now; the selection is kept in the query of the next try.
      const end = product.interceptApi("GET", /^\/api\/matches\/[\w-]+\/$/, () => gone(503));
      await page.getByRole("button", { name: /^Create Clip/ }).click();
      await expect(page.getByRole("heading", { name: "Failed to load match details" })).toBeVisible();
      end();
      await page.getByRole("link", { name: "Try again" }).click();
      await expect.poll(state).toEqual(before);
    }
    await context.close();
  }
});

test("Without JavaScript a refused form of the edit page and of the settings keeps what was typed", {
  tag: "@long",
}, async ({ product, visit }) => {
  const { page } = await visit({ as: product.players.busy, javaScript: false });
  /** Presses a button whose call is refused. @returns ends the refusal */
  const refused = async (call: RegExp, button: Locator) => {
    const end = product.interceptApi("POST", call, () =>
      refusal(409, { error: "refused", detail: "Not now, please." }),
    );
    await button.click();
    await expect(alerts(page).filter({ hasText: "Not now, please." })).toBeVisible();
    end();
  };
  await page.goto(`/clips/${product.clips.completed}/edit`);
  await page.getByLabel("Name", { exact: true }).fill("Typed & kept");
  await refused(/\/rename\/$/, page.getByRole("button", { name: "Save the name" }));
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Typed & kept");
  await page.getByLabel(/^Lead-in/).fill("1.5");
  await page.getByLabel(/^Lead-out/).fill("2.5");
  await refused(/\/clips\/create\/$/, page.getByRole("button", { name: "Render the new version" }));
  await expect(page.getByLabel(/^Lead-in/)).toHaveValue("1.5");
  await expect(page.getByLabel(/^Lead-out/)).toHaveValue("2.5");
  await page.getByRole("checkbox", { name: /^Only people with the link/ }).check();
  await refused(/\/visibility\/$/, page.getByRole("button", { name: "Save visibility" }));
  await expect(page.getByRole("checkbox", { name: /^Only people with the link/ })).toBeChecked();

  await page.goto("/settings/notifications");
  const discord = page.getByRole("region", { name: "Discord" });
  await discord.getByLabel("Webhook URL").fill("https://example.org/no-webhook");
  await refused(/\/webhooks\/discord\/$/, discord.getByRole("button", { name: "Save" }));
  await expect(discord.getByLabel("Webhook URL")).toHaveValue("https://example.org/no-webhook");
  const scripts = page.getByRole("region", { name: "Webhooks for scripts" });
  await expect(scripts.getByLabel("Address")).toHaveValue("");
  await scripts.getByLabel("Address").fill("https://example.org/hook");
  await scripts.getByRole("checkbox", { name: "A match is imported" }).check();
  await refused(/\/api\/webhooks\/$/, scripts.getByRole("button", { name: "Add webhook" }));
  await expect(scripts.getByLabel("Address")).toHaveValue("https://example.org/hook");
  await expect(scripts.getByRole("checkbox", { name: "A match is imported" })).toBeChecked();

  await page.goto("/settings");
  await page.getByRole("radio", { name: "My team’s" }).check();
  await page.getByRole("spinbutton", { name: "Clips a day" }).fill("7");
  await page.getByRole("checkbox", { name: "X-Ray" }).uncheck();
  await refused(/\/api\/automation\/$/, page.getByRole("button", { name: "Switch on" }));
  await expect(page.getByRole("radio", { name: "My team’s" })).toBeChecked();
  await expect(page.getByRole("spinbutton", { name: "Clips a day" })).toHaveValue("7");
  await expect(page.getByRole("checkbox", { name: "X-Ray" })).not.toBeChecked();
});

test("A refused like is taken back and says why; a refused deletion says why in its dialog or on its page", async ({
  product,
  visit,
}) => {
  const tooMany = "Too many requests. Please wait a minute.";
  const limit = () => refusal(429, { error: "rate_limited", detail: tooMany });
  const { page, context } = await visit({ as: product.players.busy });
  await page.goto(`/clips/${product.clips.completed}`);
  await hydrated(page);
  const like = page.getByRole("button", { name: /likes?$/ });
  for (const refuse of refusals) {
    const end = product.interceptApi("POST", /\/like\/$/, () => refuse());
    await like.click();
    await expect(page.getByRole("status").filter({ hasText: await sentenceOf(refuse()) })).toBeVisible();
    await expect(like).toHaveAttribute("aria-pressed", "false");
    end();
  }
  const end = product.interceptApi("DELETE", /\/delete\/$/, limit);
  await page.getByRole("link", { name: "Delete Finished clip" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete Clip" });
  await dialog.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(dialog.getByText("Failed to delete clip", { exact: true })).toBeVisible();
  await expect(dialog.getByText(tooMany)).toBeVisible();
  await page.goto("/matches");
  await hydrated(page);
  await cards(page)
    .first()
    .getByRole("link", { name: /^Delete the match on / })
    .click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page.getByRole("dialog").getByText(tooMany)).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);
  await context.close();

  const plain = await visit({ as: product.players.busy, javaScript: false });
  for (const path of [`/clips/${product.clips.completed}/delete`, "/matches/busy/delete"]) {
    await plain.page.goto(path);
    await plain.page.getByRole("button", { name: "Delete" }).click();
    await expect(alerts(plain.page).filter({ hasText: tooMany })).toBeVisible();
  }
  end();
});

test("Too many requests are said in place of a page, below a form that keeps its choices, and as a page of its own", async ({
  product,
  visit,
}) => {
  test.skip(isOfManyMachines, "the minute stands still in one of the webs alone");
  const { matchId } = await addCompletedMatch(product, "newcomer");
  const { services, players } = product;
  const { config, now } = services;
  const frozen = now();
  // So that no new minute begins in between.
  Object.assign(services, { now: () => frozen, config: { ...config, REQUESTS_PER_MINUTE: 20 } });
  const url = await product.serveBeside(product.build);
  const { page } = await visit({ as: players.newcomer, address: url });
  const tooMany = "Too many requests from your network. Please wait a minute.";
  await page.goto(`/match/${matchId}`);
  await hydrated(page);
  await page.locator("label:has(input[name=highlight])").first().click();
  const cookie = [...players.newcomer.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  for (let n = 0; n < 40; n++) await (await fetch(`${url}/session`, { headers: { Cookie: cookie } })).text();
  await page.getByRole("button", { name: "Create Clip (1 active)" }).click();
  await expect(alerts(page).filter({ hasText: `Failed to create clip: ${tooMany}` })).toBeVisible();
  await expect(page.getByRole("button", { name: "Create Clip (1 active)" })).toBeVisible();
  await page.getByRole("link", { name: "My Matches" }).click();
  await expect(page.getByRole("heading", { name: tooMany })).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);
  await keepScreenshot(page, "too-many-requests-1280");
  expect((await page.goto("/matches"))?.status()).toBe(429);
  await expect(page.getByRole("heading", { name: tooMany })).toBeVisible();
  Object.assign(services, { now, config });
});

test("A map icon that fails is hidden, an avatar that fails is a question mark", async ({ product, visit }) => {
  const { database } = product.services;
  const setAvatar = (avatar_url: string | null) =>
    database.updateTable("users").set({ avatar_url }).where("steam_id", "=", steamIds.maker).execute();
  const pictures: string[] = [];
  for (const [avatar, failing] of [
    [null, false],
    ["/favicon.svg?avatar", true],
    ["/favicon.svg?avatar", false],
  ] as const) {
    await setAvatar(avatar);
    const { page, context } = await visit({ as: product.players.maker });
    if (failing) await page.route(/avatar$|\/map_icons\//, (route) => route.abort());
    await page.goto("/matches");
    await hydrated(page);
    const icons = cards(page).locator('img[src^="/map_icons/"]');
    await expect(icons).toHaveCount(9);
    await expect(icons.first()).toBeVisible({ visible: !failing });
    if (failing)
      await expect.poll(() => icons.evaluateAll((all) => all.filter((icon) => icon.checkVisibility()).length)).toBe(0);
    await page.waitForLoadState("networkidle");
    const own = page.getByRole("banner").locator("span[aria-hidden].relative").last();
    // Without a picture there is an identicon.
    await expect(own).toHaveText(avatar === null ? "" : "?");
    pictures.push((await own.screenshot()).toString("base64"));
    await context.close();
  }
  expect(new Set(pictures).size).toBe(3);
  await setAvatar(null);
});

test("While a page is on its way its text says so", async ({ product, visit }) => {
  const { page, problems } = await visit({ as: product.players.maker });
  await page.goto("/");
  await hydrated(page);
  const steps: [link: RegExp | string, text: string, heading: RegExp | string][] = [
    ["My Matches", "Loading matches...", "My Matches"],
    ["View Details", "Loading match details...", /^Match Highlights/],
    ["Back", "Loading matches...", "My Matches"],
  ];
  for (const [link, text, heading] of steps) {
    const release = await holdRequests(page, /\.data(\?|$)/);
    await page.getByRole("link", { name: link }).first().click();
    await expect(page.getByRole("status").filter({ hasText: text })).toBeVisible();
    release();
    await page.unroute(/\.data(\?|$)/);
    await expect(page.getByRole("heading", { name: heading }).first()).toBeVisible();
  }
  await page.goto("/clips");
  await hydrated(page);
  const release = await holdRequests(page, /\.data(\?|$)/);
  await cards(page).first().getByRole("link").first().click();
  await expect(page.getByRole("status").filter({ hasText: "Loading clip..." })).toBeVisible();
  await keepScreenshot(page, "loading-clip-1280");
  release();
  await expect(page.locator("summary", { hasText: "Share" })).toBeVisible();
  expect(problems).toEqual([]);
});
