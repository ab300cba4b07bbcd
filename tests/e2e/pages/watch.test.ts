import type { ClipDetail } from "../../../contract/schemas/clips.ts";
import type { MatchDetail } from "../../../contract/schemas/matches.ts";
import { axeViolations, hydrated, keepScreenshot, laptop, phone } from "../../services/browser.ts";
import { addCompletedMatch, type PopulatedProduct } from "../../services/populated-product.ts";
import { addClip } from "../../services/seeded-rows.ts";
import { expect, test } from "../fixtures.ts";

const detailOf = ({ players, clipId }: PopulatedProduct) =>
  players.maker.call<ClipDetail>("GET", `/api/matches/clips/${clipId}/`);

test("The marks of a rendered clip lie where its video shows them, and lead there by list, buttons and keys", async ({
  product,
  visit,
}) => {
  const { marks, duration_seconds: length } = await detailOf(product);
  const kinds = marks.map(({ kind }) => kind);
  expect(kinds[0]).toBe("highlight");
  expect(kinds).toContain("kill");
  for (const { seconds } of marks) expect(seconds >= 0 && seconds < (length ?? 0)).toBe(true);
  const kill = marks.find((mark) => mark.kind === "kill")!;

  const { page, problems } = await visit();
  await page.goto(`/clips/${product.clipId}`);
  await hydrated(page);
  const at = () => page.locator("video").evaluate((video: HTMLVideoElement) => video.currentTime);
  await page.locator("video").evaluate((video: HTMLVideoElement) => {
    video.muted = true;
    // After a jump the video plays on: on a busy machine the next press would come after its end.
    video.playbackRate = 0.0625;
  });
  await page.getByRole("link", { name: new RegExp(`Kill of ${kill.label}`) }).click();
  await expect.poll(at).toBeGreaterThanOrEqual(kill.seconds - 0.1);
  await page.getByRole("button", { name: "Previous mark" }).click();
  await expect.poll(at).toBeLessThan(kill.seconds);
  await page.getByRole("button", { name: "Previous mark" }).press("n");
  await expect.poll(at).toBeGreaterThanOrEqual(kill.seconds - 0.1);
  await page.getByLabel("Speed").selectOption("0.25");
  expect(await page.locator("video").evaluate((video: HTMLVideoElement) => video.playbackRate)).toBe(0.25);
  await expect(page.locator("video")).toHaveAttribute("controls", "");
  expect(problems).toEqual([]);

  const plain = await visit({ javaScript: false, viewport: phone });
  await plain.page.goto(`/clips/${product.clipId}`);
  await plain.page.getByRole("link", { name: new RegExp(`Kill of ${kill.label}`) }).click();
  await expect(plain.page.locator("video source")).toHaveAttribute("src", new RegExp(`#t=${kill.seconds}$`));
  await expect(plain.page.getByRole("button", { name: "Next mark" })).toBeHidden();
});

test("The strip of marks is pressed, not touched: a finger that begins to scroll there plays nothing", async ({
  product,
  visit,
}) => {
  const { marks, duration_seconds: length } = await detailOf(product);
  const { page } = await visit({ viewport: phone });
  await page.goto(`/clips/${product.clipId}`);
  await hydrated(page);
  const video = page.locator("video");
  await video.evaluate((element: HTMLVideoElement) => {
    element.muted = true;
  });
  const strip = page.locator(".watch-stage .cursor-pointer[aria-hidden]");
  await strip.dispatchEvent("pointerdown", { pointerType: "touch", isPrimary: true });
  expect(await video.evaluate((element: HTMLVideoElement) => element.paused)).toBe(true);
  const last = marks.at(-1)!;
  const { width = 0 } = (await strip.boundingBox()) ?? {};
  await strip.click({ position: { x: Math.min(width - 2, (last.seconds / length!) * width), y: 16 } });
  await expect
    .poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime))
    .toBeGreaterThanOrEqual(last.seconds - 0.1);
});

test("The video is as wide as the window allows at every width, in theatre wider, and nothing overflows", {
  tag: "@long",
}, async ({ product, visit }) => {
  for (const [width, height, least] of [
    [390, 844, 390],
    [768, 1024, 700],
    [1280, 800, 880],
    [1920, 1080, 1350],
    [640, 400, 560],
  ] as const) {
    const { page, context } = await visit({ viewport: { width, height }, as: product.players.busy });
    await page.goto(`/clips/${product.clips.completed}`);
    const box = await page.locator("video").boundingBox();
    expect(box?.width, String(width)).toBeGreaterThanOrEqual(least);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await keepScreenshot(page, `watch-${width}`);
    if (width >= 1280) {
      await hydrated(page);
      await page.locator("label", { hasText: "Theatre" }).click();
      expect((await page.locator("video").boundingBox())?.width).toBeGreaterThan((box?.width ?? 0) + 100);
      await keepScreenshot(page, `watch-theatre-${width}`);
    }
    expect(await axeViolations(page)).toEqual([]);
    await context.close();
  }
});

test("At the end the next clip is offered and does not begin by itself; below are more of the player and the map", async ({
  product,
  visit,
}) => {
  const { page, problems } = await visit();
  await page.goto(`/clips/${product.clips.completed}`);
  await hydrated(page);
  await expect(page.getByRole("heading", { name: "More clips on Dust II" })).toBeVisible();
  await expect(page.getByRole("link", { name: "The match" })).toHaveCount(0);
  await page.locator("video").evaluate(async (video: HTMLVideoElement) => {
    video.muted = true;
    await video.play();
    video.currentTime = video.duration - 0.05;
  });
  const next = page.getByRole("link", { name: "Watch the next one" });
  await expect(next).toBeVisible();
  await expect(page.getByText(/^The clip has ended\. Up next: /)).toHaveCount(1);
  expect(await axeViolations(page)).toEqual([]);
  await keepScreenshot(page, "watch-ended-1280");
  expect(new URL(page.url()).pathname).toBe(`/clips/${product.clips.completed}`);
  await page.getByRole("button", { name: "Watch again" }).focus();
  await page.keyboard.press("Enter");
  await expect(next).toHaveCount(0);
  await expect(page.locator("video")).toBeFocused();
  await page.locator("video").evaluate((video: HTMLVideoElement) => {
    video.currentTime = video.duration - 0.05;
  });
  await next.click();
  await expect(page).not.toHaveURL(new RegExp(`/clips/${product.clips.completed}$`));
  await expect(page.locator("video")).toBeVisible();
  expect(problems).toEqual([]);
});

test("On a phone what comes next stands clear of the video's own controls, and Share stays where it was pressed", async ({
  product,
  visit,
}) => {
  const { page } = await visit({ viewport: phone });
  await page.goto(`/clips/${product.clips.completed}`);
  await hydrated(page);
  const video = page.locator("video");
  await video.evaluate(async (element: HTMLVideoElement) => {
    element.muted = true;
    await element.play();
    element.currentTime = element.duration - 0.05;
  });
  const controls = 64;
  for (const choice of [
    page.getByRole("link", { name: "Watch the next one" }),
    page.getByRole("button", { name: "Watch again" }),
  ]) {
    await expect(choice).toBeVisible();
    const [box, picture] = [await choice.boundingBox(), await video.boundingBox()];
    expect(box!.y).toBeGreaterThanOrEqual(picture!.y);
    expect(box!.y + box!.height).toBeLessThanOrEqual(picture!.y + picture!.height - controls);
    expect(box!.height).toBeGreaterThanOrEqual(44);
  }
  await keepScreenshot(page, "watch-ended-390");

  const share = page.locator("summary", { hasText: "Share" });
  await share.scrollIntoViewIfNeeded();
  const inPage = async () => (await share.evaluate((element) => element.getBoundingClientRect().top + scrollY)) | 0;
  const before = await inPage();
  await share.click();
  await expect(page.getByLabel("Address")).toBeVisible();
  expect(await inPage()).toBe(before);
  const panel = await page.locator("#share").boundingBox();
  expect(panel!.x).toBe(16);
  expect(panel!.width).toBe(phone.width - 32);
  await keepScreenshot(page, "watch-share-390");
});

test("Sharing works with and without a clipboard, with a start time, and without JavaScript", async ({
  product,
  visit,
}) => {
  const { page, context, problems } = await visit();
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(`/clips/${product.clipId}`);
  await hydrated(page);
  await page.locator("summary", { hasText: "Share" }).click();
  const address = page.getByLabel("Address");
  const plainAddress = await address.inputValue();
  expect(plainAddress).toMatch(new RegExp(`^${product.url}/clips/${product.clipId}\\?v=\\w+$`));
  const selected = () =>
    address.evaluate((field: HTMLInputElement) =>
      field.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0),
    );
  await expect.poll(selected).toBe(plainAddress);
  await page.getByLabel("Start at").fill("0:02");
  await expect(address).toHaveValue(`${plainAddress}&t=2`);
  await expect(page.getByLabel("Embed code")).toHaveValue(new RegExp(`/clips/${product.clipId}/embed\\?t=2"`));
  await page.getByRole("button", { name: "Copy", exact: true }).click();
  await expect(page.getByText("Copied")).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${plainAddress}&t=2`);
  expect(await axeViolations(page)).toEqual([]);
  await keepScreenshot(page, "watch-share-1280");

  // As on plain http, and in a browser that also refuses the old way.
  await page.evaluate(() => {
    Object.defineProperty(navigator, "clipboard", { value: undefined });
    document.execCommand = () => false;
  });
  await page.getByRole("button", { name: "Copy", exact: true }).click();
  await expect(page.getByText("Press Ctrl+C to copy what is selected")).toBeVisible();
  await expect.poll(selected).toBe(`${plainAddress}&t=2`);
  await page.keyboard.press("Escape");
  await expect(address).toBeHidden();
  await page.goto(`${plainAddress}&t=2`);
  await expect(page.locator("video source")).toHaveAttribute("src", /#t=2$/);
  expect(problems).toEqual([]);

  const plain = await visit({ javaScript: false, viewport: phone });
  await plain.page.goto(`/clips/${product.clipId}`);
  await plain.page.locator("summary", { hasText: "Share" }).click();
  await plain.page.getByLabel("Start at").fill("1");
  await plain.page.getByRole("button", { name: "Set" }).click();
  await expect(plain.page.getByLabel("Address")).toHaveValue(/&t=1$/);
  await keepScreenshot(plain.page, "watch-share-no-js-390");
  await plain.page.goto(`/clips/${product.clipId}/embed?t=1`);
  await expect(plain.page.locator("video source")).toHaveAttribute("src", /#t=1$/);
});

test("Where the device sends addresses itself it is given the clip's, and closing its sheet is no failure", async ({
  product,
  visit,
}) => {
  const { page, problems } = await visit({ viewport: phone });
  // The receiver of the address is outside the browser, and this one has none.
  await page.addInitScript(() => {
    const given: ShareData[] = [];
    const share = (data: ShareData) => {
      given.push(data);
      return Promise.reject(new DOMException("Share canceled", "AbortError"));
    };
    Object.assign(window, { given });
    Object.defineProperty(navigator, "share", { value: share });
  });
  await page.goto(`/clips/${product.clipId}`);
  await hydrated(page);
  await page.locator("summary", { hasText: "Share" }).click();
  await page.getByLabel("Start at").fill("0:01");
  // Input from before the panel's scripts loaded reaches the address a moment after they have.
  await expect(page.getByLabel("Address")).toHaveValue(/&t=1$/);
  await page.getByRole("button", { name: "Send to…" }).click();
  const title = await page.getByRole("heading", { level: 1 }).textContent();
  const url = await page.getByLabel("Address").inputValue();
  expect(url).toMatch(/&t=1$/);
  expect(await page.evaluate(() => (window as { given?: ShareData[] }).given)).toEqual([{ title, url }]);
  expect(problems).toEqual([]);
});

test("A start that is typed before the scripts of the share panel have come stays, and the focus with it", async ({
  product,
  visit,
}) => {
  const { page, problems } = await visit({ viewport: phone });
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/share-form-[^/]*\.js/, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`/clips/${product.clipId}`);
  await hydrated(page);
  await page.locator("summary", { hasText: "Share" }).click();
  const start = page.getByLabel("Start at");
  await start.fill("0:01");
  release();
  await expect(page.getByLabel("Address")).toHaveValue(/&t=1$/);
  await expect(start).toHaveValue("0:01");
  await expect(start).toBeFocused();
  expect(problems).toEqual([]);
});

test("Previews of links have what platforms ask for", async ({ product, visit }) => {
  const { page } = await visit({ javaScript: false });
  await page.goto(`/clips/${product.clipId}`);
  const meta = (name: string) =>
    page.locator(`meta[property="${name}"], meta[name="${name}"]`).first().getAttribute("content");
  expect(await meta("og:image:type")).toBe("image/jpeg");
  expect(await meta("og:image:alt")).toMatch(/No Scope/);
  expect(Number(await meta("og:video:duration"))).toBeGreaterThan(1);
  expect(new URL((await meta("og:video")) ?? "").pathname).toMatch(/\.mp4$/);
  expect(await meta("theme-color")).toBe("#ff5a67");
  await expect(page.locator('meta[name="twitter:player"]')).toHaveCount(0);
  const picture = await page.request.get((await meta("og:image")) ?? "");
  expect((await picture.body()).length).toBeLessThan(300_000);
  await page.goto(`/clips/${product.clips.hostile}`);
  expect(Buffer.byteLength((await meta("og:title")) ?? "")).toBeLessThanOrEqual(67);
  expect(Buffer.byteLength((await meta("og:description")) ?? "")).toBeLessThanOrEqual(347);
  await page.goto("/");
  expect(await meta("theme-color")).toBe("#070a11");
});

test("Its owner renames a clip and makes a new version of it, without JavaScript too; nobody else does", async ({
  product,
  visit,
}) => {
  const { userId, matchId } = await addCompletedMatch(product, "newcomer");
  const { database } = product.services;
  const match = await product.players.newcomer.call<MatchDetail>("GET", `/api/matches/${matchId}/`);
  for (const javaScript of [true, false]) {
    const clipId = await addClip(database, product.clipId, { userId, matchId, name: "Before" });
    const [first, last] = [match.highlights[0]!, match.highlights.at(-1)!];
    await database.deleteFrom("clip_highlights").where("clip_id", "=", clipId).execute();
    await database
      .insertInto("clip_highlights")
      .values([
        { clip_id: clipId, highlight_id: first.id, position: 0 },
        { clip_id: clipId, highlight_id: last.id, position: 1 },
      ])
      .execute();
    const { page, context, problems } = await visit({
      as: product.players.newcomer,
      javaScript,
      viewport: javaScript ? laptop : phone,
    });
    await page.goto(`/clips/${clipId}`);
    if (javaScript) await hydrated(page);
    await expect(page.getByRole("link", { name: "The match" })).toHaveAttribute("href", `/matches/${matchId}`);
    await page.getByRole("link", { name: "Edit" }).click();
    await page.getByLabel("Name", { exact: true }).fill(`  After \u202e <b>${javaScript}</b>`);
    await page.getByRole("button", { name: "Save the name" }).click();
    await expect(page.getByRole("heading", { name: `After <b>${javaScript}</b>` })).toBeVisible();

    await page.goto(`/clips/${clipId}/edit`);
    if (javaScript) await hydrated(page);
    // axe needs JavaScript.
    if (javaScript) expect(await axeViolations(page)).toEqual([]);
    await keepScreenshot(page, `clip-edit-${javaScript ? 1280 : "no-js-390"}`);
    const selects = page.getByRole("combobox");
    await selects.first().selectOption("2");
    // With JavaScript the other one has moved by itself.
    if (javaScript) await expect(selects.first()).toHaveAttribute("name", `place-${last.round_number}`);
    else await selects.last().selectOption("1");
    await page.getByLabel(/^Lead-in/).fill(javaScript ? "0.5" : "1");
    await page.getByRole("button", { name: "Render the new version" }).click();
    await expect(page).toHaveURL(new RegExp(`/clips/(?!${clipId}$)\\d+$`));
    const made = Number(new URL(page.url()).pathname.split("/").at(-1));
    const row = await database.selectFrom("clips").selectAll().where("id", "=", made).executeTakeFirstOrThrow();
    expect(row.settings).toMatchObject({ pre_time_adjustment: javaScript ? 0.5 : 1 });
    expect(row.spec.segments[0]?.round).toBe(last.round_number);
    expect(row.spec.segments.at(-1)?.round).toBe(first.round_number);
    await product.players.newcomer.call("DELETE", `/api/matches/clips/${made}/delete/`);
    expect(problems).toEqual([]);
    await context.close();
    const stranger = await visit({ as: product.players.limited });
    await stranger.page.goto(`/clips/${clipId}/edit`);
    await expect(stranger.page).toHaveURL(new RegExp(`/clips/${clipId}$`));
    const refused = await product.players.limited.request("POST", `/api/matches/clips/${clipId}/rename/`, {
      name: "x",
    });
    expect(refused.status).toBe(404);
    await stranger.context.close();
  }
});
