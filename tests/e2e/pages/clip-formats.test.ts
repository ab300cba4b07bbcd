import type { ClipFormat } from "../../../contract/clip-formats.ts";
import type { ClipState } from "../../../contract/schemas/clips.ts";
import { axeViolations, hydrated, keepScreenshot, phone } from "../../services/browser.ts";
import { type PopulatedProduct, steamIds } from "../../services/populated-product.ts";
import { addClip } from "../../services/seeded-rows.ts";
import { expect, test } from "../fixtures.ts";

/** A finished clip of the maker, like the one that the product rendered. */
function newClip({ services, clipId, maker, matchId }: PopulatedProduct, name: string): Promise<number> {
  return addClip(services.database, clipId, { userId: maker.userId, matchId, name });
}

/** Finishes an added format like its render, with the files of the clip's first format. */
async function finishFormat({ services }: PopulatedProduct, clipId: number, format: ClipFormat): Promise<void> {
  const files = await services.database
    .selectFrom("clips")
    .select(["video_key", "poster_key"])
    .where("id", "=", clipId)
    .executeTakeFirstOrThrow();
  await services.database
    .updateTable("clip_formats")
    .set({ ...files, status: "completed", progress: 1, queue_slot: null, completed_at: new Date() })
    .where("clip_id", "=", clipId)
    .where("format", "=", format)
    .execute();
}

test("Without JavaScript a format is chosen beside the settings, and added to a finished clip, on a phone", {
  tag: "@long",
}, async ({ product, visit }) => {
  const { page } = await visit({ as: product.players.maker, javaScript: false, viewport: phone });
  const clipId = await newClip(product, "Two formats");
  await page.goto(`/matches/${product.matchId}`);
  await page.locator("label, button", { hasText: "Settings" }).first().click();
  const choice = page.getByRole("group", { name: "Format" });
  await expect(choice.getByRole("radio", { name: /^720p/ })).toBeChecked();
  await choice.getByRole("radio", { name: /^Vertical/ }).check();
  // The selection stays when a filter reloads the page.
  await page.getByRole("button", { name: "None", exact: true }).click();
  await expect(choice.getByRole("radio", { name: /^Vertical/ })).toBeChecked();
  await page.locator('input[name="highlight"]').first().check();
  await choice.scrollIntoViewIfNeeded();
  await keepScreenshot(page, "match-formats-no-js-390");
  await page.getByRole("button", { name: /^Create Clip/ }).click();
  await expect(page).toHaveURL(new RegExp(`/matches/${product.matchId}$`));
  const [created] = await product.players.maker.call<ClipState[]>("GET", `/api/matches/${product.matchId}/clips/`);
  expect(created).toMatchObject({ format: "vertical", width: 1080, height: 1920, render_status: "queued" });
  await product.players.maker.call("DELETE", `/api/matches/clips/${created?.id}/delete/`);

  await page.goto(`/clips/${clipId}`);
  const formats = page.getByRole("region", { name: "Formats" });
  await formats.getByRole("button", { name: "Add format Vertical" }).click();
  await expect(page).toHaveURL(new RegExp(`/clips/${clipId}$`));
  await expect(formats.getByText(/^Vertical · Queued \(Position \d+\)$/)).toBeVisible();
  await expect(formats.getByRole("button")).toHaveText(["1080p"]);
  await expect(page.locator('noscript meta[http-equiv="refresh"], meta[http-equiv="refresh"]')).toHaveCount(1);

  await finishFormat(product, clipId, "vertical");
  await page.goto(`/clips/${clipId}`);
  await expect(page.locator("video source")).toHaveAttribute("src", new RegExp(`^/video/clips/${clipId}/\\?v=`));
  await formats.getByRole("link", { name: "Vertical" }).click();
  await expect(formats.getByRole("link", { name: "Vertical" })).toHaveAttribute("aria-current", "true");
  await expect(page.locator("video source")).toHaveAttribute("src", /format=vertical/);
  await expect(page.locator("video")).toHaveAttribute("height", "1920");
  // The displayed format is the shared one, here and in an embedding frame.
  await page.locator("summary", { hasText: "Share" }).click();
  await expect(page.getByLabel("Address")).toHaveValue(/&format=vertical$/);
  const embed = `/clips/${clipId}/embed?format=vertical`;
  await expect(page.getByLabel("Embed code")).toHaveValue(new RegExp(`${embed.replace("?", "\\?")}" width="1080"`));
  await page.getByLabel("Start at").fill("1");
  await page.getByRole("button", { name: "Set" }).click();
  await expect(page.getByLabel("Address")).toHaveValue(/&t=1&format=vertical$/);
  await page.goto(embed);
  await expect(page.locator("video source")).toHaveAttribute("src", /format=vertical/);
  await expect(page.getByRole("link", { name: "Two formats" })).toHaveAttribute(
    "href",
    `/clips/${clipId}?format=vertical`,
  );
  for (const other of ["1080p", "nonsense"]) {
    await page.goto(`/clips/${clipId}/embed?format=${other}`);
    await expect(page.locator("video source")).toHaveAttribute("src", new RegExp(`^/video/clips/${clipId}/\\?v=`));
    await expect(page.getByRole("link", { name: "Two formats" })).toHaveAttribute("href", `/clips/${clipId}`);
  }
  await page.goto(`/clips/${clipId}?format=vertical`);
  await page.locator("summary", { hasText: "Download" }).click();
  await expect(page.getByRole("link", { name: /^Download/ })).toHaveText([
    "Download 720p",
    "Download Vertical",
    "Download for chat (≤ 9.5 MB)",
  ]);
  const preview = (await page.locator('meta[property="og:video"]').getAttribute("content")) ?? "";
  expect(new URL(preview).pathname).toBe(`/video/clips/${clipId}/share.mp4`);
  const file = await page.request.get(preview);
  expect(file.headers()["content-type"]).toBe("video/mp4");
  expect(Number(file.headers()["content-length"])).toBeLessThanOrEqual(9_500_000);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(phone.width);
  await keepScreenshot(page, "clip-formats-no-js-390");
});

test("Without JavaScript a format that is refused leaves the page as it is, and says why", async ({
  product,
  visit,
}) => {
  const { page } = await visit({ as: product.players.limited, javaScript: false });
  const { id: userId } = await product.services.database
    .selectFrom("users")
    .select("id")
    .where("steam_id", "=", steamIds.limited)
    .executeTakeFirstOrThrow();
  const name = "One format too many";
  const clipId = await addClip(product.services.database, product.clipId, { userId, matchId: "limited", name });
  await page.goto(`/clips/${clipId}`);
  const formats = page.getByRole("region", { name: "Formats" });
  await formats.getByRole("button", { name: "Add format Vertical" }).click();
  await expect(formats.getByRole("alert")).toHaveText(/3 clips/);
  await expect(page.getByRole("heading", { name })).toBeVisible();
  await expect(page.locator("video")).toBeVisible();
  await expect(formats.getByRole("button", { name: "Add format Vertical" })).toBeVisible();
  await keepScreenshot(page, "clip-format-refused-no-js");
});

test("With JavaScript a format is added in place, and its progress is followed until it can be played", async ({
  product,
  visit,
}) => {
  const { page, problems } = await visit({ as: product.players.maker });
  const { database } = product.services;
  const clipId = await newClip(product, "Added in place");
  await page.goto(`/clips/${clipId}`);
  await hydrated(page);
  const formats = page.getByRole("region", { name: "Formats" });
  await formats.getByRole("button", { name: "Add format 1080p" }).click();
  await expect(formats.getByText(/^1080p · Queued/)).toBeVisible();
  await database
    .updateTable("clip_formats")
    .set({ status: "processing", progress: 0.42 })
    .where("clip_id", "=", clipId)
    .execute();
  await expect(formats.getByRole("progressbar", { name: "Rendering 1080p" })).toHaveAttribute("aria-valuenow", "42");
  expect(await axeViolations(page)).toEqual([]);
  await keepScreenshot(page, "clip-format-rendering-1280");
  await database
    .updateTable("clip_formats")
    .set({ status: "failed", queue_slot: null, error: "The video could not be rendered. Try again later." })
    .where("clip_id", "=", clipId)
    .execute();
  await expect(formats.getByText("The video could not be rendered. Try again later.")).toBeVisible();
  await expect(page.locator("video")).toBeVisible();

  const restore = product.interceptApi("POST", /\/formats\/$/, () =>
    Response.json({ error: "match_data_deleted", detail: "The replay data of this match is gone." }, { status: 409 }),
  );
  await formats.getByRole("button", { name: "Add format 1080p" }).click();
  await expect(formats.getByRole("alert")).toHaveText("The replay data of this match is gone.");
  restore();
  await formats.getByRole("button", { name: "Add format 1080p" }).click();
  await expect(formats.getByText(/^1080p · Queued/)).toBeVisible();
  await finishFormat(product, clipId, "1080p");
  await page.getByLabel("Speed").selectOption("2");
  await page.locator("video").evaluate((video) => video.dispatchEvent(new Event("ended")));
  await expect(page.getByText("Up next", { exact: true })).toBeVisible();
  await formats.getByRole("link", { name: "1080p" }).click();
  await expect(page.locator("video source")).toHaveAttribute("src", /format=1080p/);
  // The video that ended is the other one.
  await expect(page.getByText("Up next", { exact: true })).toHaveCount(0);
  await expect(page.getByLabel("Speed")).toHaveValue("2");
  await expect(page.locator("video")).toHaveJSProperty("playbackRate", 2);
  await expect(page.locator("video")).toHaveJSProperty("defaultPlaybackRate", 2);
  await page.locator("summary", { hasText: "Download" }).click();
  await expect(page.getByRole("link", { name: "Download 1080p" })).toHaveAttribute(
    "download",
    `clutchcast-${clipId}-1080p.mp4`,
  );
  // The browser's own message about the refusal that the page has shown.
  expect(problems.filter((problem) => !problem.includes("409"))).toEqual([]);
});

test("A visitor is offered what is ready, and nothing to add", async ({ product, visit }) => {
  const { page } = await visit();
  await page.goto(`/clips/${product.clipId}`);
  await page.locator("summary", { hasText: "Download" }).click();
  await expect(page.getByRole("link", { name: "Download 720p" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Download for chat (≤ 9.5 MB)" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Formats" })).toHaveCount(0);
});
