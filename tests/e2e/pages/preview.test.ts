import { createCanvas } from "@napi-rs/canvas";
import type { Page } from "playwright/test";
import type { MatchDetail } from "../../../contract/schemas/matches.ts";
import type { ClipSpec } from "../../../replay/clip-spec.ts";
import { decodeReplayTrack } from "../../../replay/decode-track.ts";
import { encodeReplayTrack } from "../../../replay/encode-track.ts";
import { heldSpec } from "../../../replay/held-spec.ts";
import type { PlayerSamples } from "../../../replay/replay-track.ts";
import { planClipTime } from "../../../scene/clip-time.ts";
import { ApiVisitor } from "../../services/api-visitor.ts";
import {
  axeViolations,
  holdRequests,
  hydrated,
  keepScreenshot,
  laptop,
  phone,
  requestsOf,
} from "../../services/browser.ts";
import { uniqueSteamId } from "../../services/unique.ts";
import { expect } from "../fixtures.ts";
import { test } from "../testing/played-match.ts";

const viewer = (page: Page) => page.locator("section:has(> div > canvas)");
const position = (page: Page) => viewer(page).getByRole("slider", { name: "Position" });
const previewButtons = (page: Page) => page.getByRole("button", { name: /^Preview .+, round/ });

/** Share of the canvas's pixels that are not nearly black. */
const drawnShare = (page: Page) =>
  viewer(page)
    .locator("canvas")
    .evaluate((canvas: HTMLCanvasElement) => {
      const small = document.createElement("canvas");
      [small.width, small.height] = [160, 90];
      const copy = small.getContext("2d");
      if (!copy) return 0;
      copy.drawImage(canvas, 0, 0, 160, 90);
      const { data } = copy.getImageData(0, 0, 160, 90);
      let bright = 0;
      for (let at = 0; at < data.length; at += 4) if ((data[at] ?? 0) + (data[at + 1] ?? 0) > 60) bright++;
      return bright / (data.length / 4);
    });

/** A player's samples without the first `count`. */
const withoutFirst = (samples: PlayerSamples, count: number) =>
  Object.fromEntries(
    Object.entries(samples).map(([name, values]) => [name, name === "weaponNames" ? values : values.slice(count)]),
  ) as unknown as PlayerSamples;

test("A highlight plays in place, by pointer and by keys, with the settings of the form", async ({ visit, played }) => {
  const { page, problems } = await visit({ as: played.player, viewport: laptop });
  const scripts = requestsOf(page, "stage-worker");
  await page.goto(`/match/${played.match.id}`);
  await hydrated(page);
  expect(scripts).toEqual([]);
  const button = previewButtons(page).first();
  await button.scrollIntoViewIfNeeded();
  await keepScreenshot(page, "match-stills-1280");
  const ticks = () =>
    page
      .locator('input[name="highlight"]')
      .evaluateAll((all) => all.map((tick) => tick instanceof HTMLInputElement && tick.checked));
  const tickedBefore = await ticks();
  await button.click();
  await expect(position(page)).toBeEnabled();
  expect(scripts.length).toBeGreaterThan(0);
  await expect.poll(() => drawnShare(page)).toBeGreaterThan(0.3);
  await expect.poll(async () => Number(await position(page).inputValue())).toBeGreaterThan(20);
  await keepScreenshot(page, "preview-1280");
  // The preview does not change the card's tick.
  expect(tickedBefore.length).toBeGreaterThan(1);
  expect(await ticks()).toEqual(tickedBefore);

  await viewer(page).getByRole("button", { name: "Pause" }).click();
  await expect(viewer(page).getByRole("button", { name: "Play" })).toBeVisible();
  const stood = await position(page).inputValue();
  await position(page).focus();
  await page.keyboard.press("ArrowRight");
  await expect(position(page)).toHaveValue(String(Number(stood) + 60));
  await expect(position(page)).toHaveAttribute("aria-valuetext", /^\d+:\d\d of \d+:\d\d$/);
  await page.keyboard.press(",");
  await expect(position(page)).toHaveValue(String(Number(stood) + 59));
  // However late the stage reports its position.
  for (let press = 0; press < 10; press++) await page.keyboard.press(".");
  await expect(position(page)).toHaveValue(String(Number(stood) + 69));
  await position(page).fill("0");
  const next = viewer(page).getByRole("button", { name: "Next kill" });
  await next.click();
  await expect(viewer(page).getByText(/^Kill 1 of \d+: /)).toBeAttached();
  const atKill = Number(await position(page).inputValue());
  expect(atKill).toBeGreaterThan(0);
  await viewer(page).getByLabel("Speed").selectOption("4");
  await page.keyboard.press("k");
  await expect.poll(async () => Number(await position(page).inputValue())).toBeGreaterThan(atKill + 60);
  expect(await axeViolations(page)).toEqual([]);

  await viewer(page).press("Escape");
  await expect(viewer(page)).toHaveCount(0);
  await expect(button).toBeFocused();
  expect(problems).toEqual([]);
});

test("What draws is loaded once a preview's control is pointed at, and the press uses it; not where data is saved", async ({
  visit,
  played,
}) => {
  const { page } = await visit({ as: played.player, viewport: laptop });
  await page.addInitScript(() => {
    if (location.search === "?save") Object.defineProperty(navigator, "connection", { value: { saveData: true } });
  });
  const asked = requestsOf(page, "/assets/");
  const opener = () => asked.filter((path) => path.includes("/viewer-")).length;
  await page.goto(`/match/${played.match.id}?save`);
  await hydrated(page);
  await previewButtons(page).first().hover();
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
  expect(opener()).toBe(0);
  expect(page.workers()).toHaveLength(0);

  await page.goto(`/match/${played.match.id}`);
  await hydrated(page);
  const ground = requestsOf(page, "/ground.bin");
  // The preview's own font does not wait for the stage's script.
  const release = await holdRequests(page, "**/assets/stage-worker-*");
  await previewButtons(page).first().hover();
  await expect.poll(() => asked.filter((path) => path.includes("rajdhani-latin-600-")).length).toBe(1);
  release();
  await expect.poll(() => page.workers().length).toBe(1);
  await expect.poll(() => ground.length).toBe(1);
  // The fonts of the match's names, too.
  await expect.poll(() => asked.filter((path) => path.includes("noto-sans-jp-")).length).toBeGreaterThan(0);
  await expect(viewer(page)).toHaveCount(0);
  const made: unknown[] = [];
  page.on("worker", (worker) => made.push(worker));
  await previewButtons(page).first().click();
  await expect(position(page)).toBeEnabled();
  expect(ground).toHaveLength(1);
  // A second worker makes the sound; no other one draws.
  expect(made.length).toBeLessThanOrEqual(1);
});

test("The first picture waits for no letters that only some names have", { tag: "@long" }, async ({
  visit,
  played,
}) => {
  const { page, problems } = await visit({ as: played.player, viewport: laptop });
  const release = await holdRequests(page, /\/assets\/inter-(latin-ext|cyrillic)-/);
  // Does not wait for the load event, since the page's own names also need these fonts.
  await page.goto(`/match/${played.match.id}`, { waitUntil: "domcontentloaded" });
  await hydrated(page);
  await previewButtons(page).first().click();
  await expect(position(page)).toBeEnabled();
  await expect.poll(() => drawnShare(page)).toBeGreaterThan(0.3);
  release();
  await viewer(page).press("Escape");
  await expect(viewer(page)).toHaveCount(0);
  expect(problems).toEqual([]);
});

test("Players are shown by their pictures once these have come, as in videos", async ({ visit, played }) => {
  const { page, problems } = await visit({ as: played.player, viewport: laptop });
  const green = createCanvas(16, 16);
  green.getContext("2d").fillStyle = "#00ff00";
  green.getContext("2d").fillRect(0, 0, 16, 16);
  const picture = { type: "image/png", base64: green.toBuffer("image/png").toString("base64") };
  let give = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  // This match's real pictures are at Steam.
  await page.route("**/api/matches/*/avatars/", async (route) => {
    await given;
    await route.fulfill({
      json: { avatars: Array.from({ length: 10 }, (_, player) => ({ ...picture, player })) },
    });
  });
  const greenPixels = () =>
    viewer(page)
      .locator("canvas")
      .evaluate((canvas: HTMLCanvasElement) => {
        const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d");
        if (!copy) return -1;
        copy.drawImage(canvas, 0, 0);
        const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
        let count = 0;
        for (let at = 0; at < data.length; at += 4)
          if (data[at] === 0 && data[at + 1] === 255 && data[at + 2] === 0) count++;
        return count;
      });
  await page.goto(`/match/${played.match.id}`);
  await hydrated(page);
  await previewButtons(page).first().click();
  await expect(position(page)).toBeEnabled();
  await expect.poll(() => drawnShare(page)).toBeGreaterThan(0.3);
  expect(await greenPixels()).toBe(0);
  await viewer(page).getByRole("button", { name: "Pause" }).click();
  give();
  await expect.poll(greenPixels).toBeGreaterThan(300);
  await keepScreenshot(page, "preview-avatars-1280");
  expect(problems).toEqual([]);
});

test("A browser whose workers cannot draw draws on the page itself, and plays", { tag: "@long" }, async ({
  visit,
  played,
}) => {
  const { page, problems } = await visit({ as: played.player, viewport: laptop });
  // Like Safari until 2023 and Firefox until 2022.
  await page.addInitScript(() => {
    Reflect.deleteProperty(window, "OffscreenCanvas");
    Reflect.deleteProperty(HTMLCanvasElement.prototype, "transferControlToOffscreen");
  });
  await page.goto(`/match/${played.match.id}`);
  await hydrated(page);
  await previewButtons(page).first().click();
  await expect(position(page)).toBeEnabled();
  await expect.poll(() => drawnShare(page)).toBeGreaterThan(0.3);
  await expect.poll(async () => Number(await position(page).inputValue())).toBeGreaterThan(20);
  await viewer(page).press("Escape");
  await expect(viewer(page)).toHaveCount(0);
  expect(problems).toEqual([]);
});

test("What a finer picture or a player's own takes the place of is let go, and nothing that is still drawn", {
  tag: "@long",
}, async ({ visit, played }) => {
  const { page, problems } = await visit({ as: played.player, viewport: laptop });
  const giveFine = await holdRequests(page, /floor-\d+\.webp$/);
  let giveAvatars = () => {};
  const given = new Promise<void>((resolve) => {
    giveAvatars = resolve;
  });
  const picture = { type: "image/png", base64: createCanvas(16, 16).toBuffer("image/png").toString("base64") };
  await page.route("**/api/matches/*/avatars/", async (route) => {
    await given;
    await route.fulfill({ json: { avatars: [{ ...picture, player: 0 }] } });
  });
  // On the page, where a test can observe it.
  await page.addInitScript(() => {
    Reflect.deleteProperty(HTMLCanvasElement.prototype, "transferControlToOffscreen");
    const made: Record<"floors" | "sprites", ImageBitmap[]> = { floors: [], sprites: [] };
    const decode = window.createImageBitmap.bind(window) as (picture: Blob) => Promise<ImageBitmap>;
    const settle = OffscreenCanvas.prototype.transferToImageBitmap;
    const keep = (kind: keyof typeof made, bitmap: ImageBitmap) => {
      made[kind].push(bitmap);
      return bitmap;
    };
    Object.assign(window, {
      made,
      createImageBitmap: async (picture: Blob) => keep("floors", await decode(picture)),
    });
    OffscreenCanvas.prototype.transferToImageBitmap = function (this: OffscreenCanvas) {
      return keep("sprites", settle.call(this));
    };
  });
  /** A closed bitmap has no width. */
  const open = (kind: "floors" | "sprites") =>
    page.evaluate((of) => {
      const { made } = window as unknown as { made: Record<string, ImageBitmap[]> };
      return made[of]!.map(({ width }) => width > 0);
    }, kind);
  await page.goto(`/match/${played.match.id}`);
  await hydrated(page);
  await previewButtons(page).first().click();
  await expect(position(page)).toBeEnabled();
  await viewer(page).getByRole("button", { name: "Pause" }).click();
  await expect.poll(() => drawnShare(page)).toBeGreaterThan(0.3);
  const floors = (await open("floors")).length;
  expect(floors).toBeGreaterThan(0);
  giveFine();
  await expect.poll(() => open("floors")).toEqual([...Array(floors).fill(false), ...Array(floors).fill(true)]);
  const sprites = (await open("sprites")).length;
  expect(sprites).toBeGreaterThan(0);
  giveAvatars();
  await expect.poll(async () => (await open("sprites")).slice(0, sprites).some(Boolean)).toBe(false);
  await expect.poll(() => drawnShare(page)).toBeGreaterThan(0.3);
  expect(problems).toEqual([]);
});

test("A preview sounds as its video will, from where it stands and as fast as it runs, until its sound is off", async ({
  visit,
  played,
}) => {
  const { page, problems } = await visit({ as: played.player, viewport: laptop });
  // Collects the output for the loudspeaker.
  await page.addInitScript(() => {
    const heard: { seconds: number; loudest: number; from: number; speed: number }[] = [];
    const { start } = AudioBufferSourceNode.prototype;
    AudioBufferSourceNode.prototype.start = function (when = 0, from = 0) {
      const samples = this.buffer?.getChannelData(0) ?? new Float32Array(0);
      const loudest = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
      heard.push({ seconds: this.buffer?.duration ?? 0, loudest, from, speed: this.playbackRate.value });
      start.call(this, when, from);
    };
    Object.assign(window, { heard });
  });
  type Heard = { heard: { seconds: number; loudest: number; from: number; speed: number }[] };
  const heard = () => page.evaluate(() => (window as unknown as Heard).heard);
  await page.goto(`/match/${played.match.id}`);
  await hydrated(page);
  await previewButtons(page).first().click();
  await expect(position(page)).toBeEnabled();
  await viewer(page).getByRole("button", { name: "Pause" }).click();
  const sound = viewer(page).getByRole("button", { name: "Sound" });
  await expect(sound).toBeEnabled();
  await expect(sound).toHaveAttribute("aria-pressed", "true");
  await position(page).fill("60");
  const before = (await heard()).length;
  await viewer(page).getByRole("button", { name: "Play" }).click();
  await expect.poll(async () => (await heard()).length).toBeGreaterThan(before);
  const frames = Number(await position(page).getAttribute("max")) + 1;
  const first = (await heard()).at(-1);
  expect(first?.seconds).toBeCloseTo(frames / 60, 0);
  expect(first?.loudest).toBeGreaterThan(0.05);
  expect(first?.loudest).toBeLessThan(1);
  expect(first?.from).toBeGreaterThanOrEqual(1);
  expect(first?.from).toBeLessThan(4);
  await viewer(page).getByLabel("Speed").selectOption("2");
  await expect.poll(async () => (await heard()).at(-1)?.speed).toBe(2);
  await sound.click();
  await expect(sound).toHaveAttribute("aria-pressed", "false");
  const started = (await heard()).length;
  await position(page).fill("90");
  await expect(position(page)).not.toHaveValue("90");
  expect(await heard()).toHaveLength(started);
  expect(problems).toEqual([]);
});

test("On a phone the settings fold when a preview opens, whose controls they would cover", async ({
  visit,
  played,
}) => {
  const { page, problems } = await visit({ as: played.player, viewport: phone });
  await page.goto(`/match/${played.match.id}`);
  await hydrated(page);
  const settings = page.getByRole("button", { name: "Settings" });
  await settings.click();
  await expect(settings).toHaveAttribute("aria-expanded", "true");
  await previewButtons(page).first().click();
  await expect(viewer(page)).toBeFocused();
  await expect(settings).toHaveAttribute("aria-expanded", "false");
  await expect(page.getByRole("group", { name: "Format" })).toBeHidden();
  // Uses the mouse, which does not reach covered elements.
  await viewer(page).getByRole("button", { name: "Close preview" }).click();
  await expect(viewer(page)).toHaveCount(0);
  expect(problems).toEqual([]);
});

test("The control for sound says why it does nothing where a browser cannot make any", async ({ visit, played }) => {
  const { page, problems } = await visit({ as: played.player, viewport: laptop });
  await page.addInitScript(() => Reflect.deleteProperty(window, "AudioBuffer"));
  await page.goto(`/match/${played.match.id}`);
  await hydrated(page);
  await previewButtons(page).first().click();
  const sound = viewer(page).getByRole("button", { name: "Sound", exact: true });
  await expect(sound).toHaveAccessibleDescription("The sound is being made");
  await expect(position(page)).toBeEnabled();
  await expect(sound).toHaveAccessibleDescription("This browser cannot make the sound");
  await expect(sound).toBeDisabled();
  await sound.focus();
  await expect(sound).toBeFocused();
  expect(problems).toEqual([]);
});

test("Sound that a stalled picture left behind is brought back to it", { tag: "@long" }, async ({ visit, played }) => {
  const { page, problems } = await visit({ as: played.player, viewport: laptop });
  await page.addInitScript(() => {
    const begun: { from: number; picture: number }[] = [];
    const { start } = AudioBufferSourceNode.prototype;
    AudioBufferSourceNode.prototype.start = function (when = 0, from = 0) {
      const slider = document.querySelector<HTMLInputElement>("input[aria-label=Position]");
      begun.push({ from, picture: Number(slider?.value) / 60 });
      start.call(this, when, from);
    };
    Object.assign(window, { begun });
  });
  const begun = () => page.evaluate(() => (window as unknown as { begun: { from: number; picture: number }[] }).begun);
  await page.goto(`/match/${played.match.id}`);
  await hydrated(page);
  await previewButtons(page).first().click();
  await expect(viewer(page).getByRole("button", { name: "Sound" })).toBeEnabled();
  await viewer(page).getByRole("button", { name: "Pause" }).click();
  await position(page).fill("0");
  await viewer(page).getByLabel("Speed").selectOption("0.25");
  await viewer(page).getByRole("button", { name: "Play" }).click();
  await expect.poll(async () => Number(await position(page).inputValue())).toBeGreaterThan(20);
  const before = (await begun()).length;
  // As when a whole round is planned anew, or a phone is busy.
  await page.workers()[0]!.evaluate(() => {
    const end = performance.now() + 2500;
    while (performance.now() < end);
  });
  await expect.poll(async () => (await begun()).length).toBeGreaterThan(before);
  const brought = (await begun()).at(-1)!;
  expect(Math.abs(brought.from - brought.picture)).toBeLessThan(0.15);
  expect(problems).toEqual([]);
});

test("The selection plays as the clip it will become, in its format, with its length", async ({ visit, played }) => {
  const { page, problems } = await visit({ as: played.player, viewport: phone });
  await page.goto(`/match/${played.match.id}`);
  await hydrated(page);
  await page.getByRole("button", { name: "None", exact: true }).click();
  for (const card of (await page.locator('label:has(input[name="highlight"])').all()).slice(0, 2)) {
    // Where a bar covers it, a click would hit the bar.
    await card.locator("input").evaluate((box: HTMLInputElement) => box.click());
  }
  await page.locator("label, button", { hasText: "Settings" }).first().click();
  await page.getByRole("radio", { name: /Vertical/ }).check({ force: true });
  await page.getByRole("button", { name: "Preview selection" }).click();
  await expect(position(page)).toBeEnabled();
  const canvas = viewer(page).locator("canvas");
  const box = await canvas.boundingBox();
  expect((box?.height ?? 0) / (box?.width ?? 1)).toBeCloseTo(16 / 9, 1);
  await expect(viewer(page).getByText(/0:\d\d \/ \d+:\d\d/)).toBeVisible();
  // Before its end, which fades out.
  await expect.poll(() => drawnShare(page)).toBeGreaterThan(0.2);
  await keepScreenshot(page, "preview-selection-390");
  const last = Number(await position(page).getAttribute("max"));
  expect(last).toBeGreaterThan(300);
  // To the nearest second, which its end reaches.
  const seconds = Math.round((last + 1) / 60);
  const length = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  await position(page).fill(String(last));
  await expect(viewer(page).getByText(`${length} / ${length}`)).toBeVisible();
  await expect(position(page)).toHaveAttribute("aria-valuetext", `${length} of ${length}`);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  expect(problems).toEqual([]);
});

test("Once a clip is asked for, its preview pauses, and with it its sound", async ({ visit, played }) => {
  const { page, problems } = await visit({ as: played.player, viewport: laptop });
  await page.goto(`/match/${played.match.id}`);
  await hydrated(page);
  const card = page.locator("li:has(input[name=highlight])").first();
  await card.locator("label").click();
  await card.getByRole("button", { name: /^Preview / }).click();
  await expect(viewer(page).getByRole("button", { name: "Pause" })).toBeEnabled();
  await page.getByRole("button", { name: "Create Clip (1 active)" }).click();
  await expect(viewer(page).getByRole("button", { name: "Play" })).toBeVisible();
  await expect(page.locator(".create-bar").getByRole("status")).toHaveText("Your clip is on its way.");
  await expect(viewer(page).getByRole("button", { name: "Play" })).toBeVisible();
  expect(problems).toEqual([]);
});

test("What plays fits into a low window with its controls, and fills the screen on a press or by a key", async ({
  visit,
  played,
}) => {
  const { page, problems } = await visit({ as: played.player, viewport: laptop });
  await page.goto(`/match/${played.match.id}`);
  await hydrated(page);
  for (const viewport of [
    { width: 1280, height: 600 },
    { width: 844, height: 390 },
  ]) {
    await page.setViewportSize(viewport);
    for (const name of ["match", "replay"]) {
      await page.goto(name === "match" ? `/match/${played.match.id}` : `/matches/${played.match.id}/replay`);
      await hydrated(page);
      if (name === "match") await previewButtons(page).nth(2).click();
      await expect(position(page)).toBeEnabled();
      if (name === "replay") await viewer(page).evaluate((region) => region.scrollIntoView({ block: "nearest" }));
      const last = viewer(page).getByRole("button", { name: name === "match" ? "Close preview" : "Full screen" });
      const [picture, control] = [await viewer(page).locator("canvas").boundingBox(), await last.boundingBox()];
      const of = `${name} ${viewport.height}`;
      expect(picture?.y, of).toBeGreaterThanOrEqual(0);
      expect(picture?.height, of).toBeGreaterThan(viewport.height * 0.4);
      expect(control && control.y + control.height, of).toBeLessThanOrEqual(viewport.height);
      const isOnTop = (element: HTMLElement) => {
        const { left, top, width, height } = element.getBoundingClientRect();
        return [0.05, 0.95].every((part) =>
          element.contains(document.elementFromPoint(left + width / 2, top + height * part)),
        );
      };
      for (const part of [last, viewer(page).locator("canvas")]) expect(await part.evaluate(isOnTop), of).toBe(true);
      await keepScreenshot(page, `viewer-${name}-${viewport.height}`);
    }
  }
  await viewer(page).getByRole("button", { name: "Full screen" }).click();
  const leave = viewer(page).getByRole("button", { name: "Leave full screen" });
  await expect(leave).toBeVisible();
  expect(await viewer(page).evaluate((region) => document.fullscreenElement === region)).toBe(true);
  await keepScreenshot(page, "viewer-full-screen-390");
  await page.keyboard.press("f");
  await expect(leave).toHaveCount(0);
  expect(await page.evaluate(() => document.fullscreenElement)).toBe(null);
  await page.keyboard.press("f");
  await expect(leave).toBeVisible();
  await leave.click();
  await expect(leave).toHaveCount(0);
  expect(problems).toEqual([]);
});

test("A preview of an old import, whose track holds less than the clip would show, is as long as the clip's video", {
  tag: "@long",
}, async ({ visit, played }) => {
  const { player, match } = played;
  const { page, problems } = await visit({ as: player, viewport: laptop });
  await page.goto(`/match/${match.id}`);
  await hydrated(page);
  const button = previewButtons(page).first();
  const planned = page.waitForResponse("**/preview-plan");
  // The track begins a second and a half after the clip's first segment.
  await page.route("**/track/?*", async (route) => {
    const { spec } = (await (await planned).json()) as { spec: ClipSpec };
    const track = decodeReplayTrack(new Uint8Array(await (await route.fetch()).body()));
    const begin = spec.segments[0]!.startTick + 1.5 * track.record.tickRate;
    const windows = track.windows.map((window) => {
      const isMet = window.startTick < begin && window.endTick > begin;
      const left = isMet ? Math.ceil((begin - window.startTick) / window.tickStep) : 0;
      return {
        ...window,
        startTick: window.startTick + left * window.tickStep,
        sampleCount: window.sampleCount - left,
        players: window.players.map((samples) => samples && withoutFirst(samples, left)),
      };
    });
    rendered = planClipTime(track.record, heldSpec(spec, { windows })).frameCount;
    whole = planClipTime(track.record, spec).frameCount;
    await route.fulfill({
      body: Buffer.from(encodeReplayTrack({ ...track, windows })),
      contentType: "application/octet-stream",
    });
  });
  let [rendered, whole] = [0, 0];
  await button.click();
  await expect(position(page)).toBeEnabled();
  expect(rendered).toBeLessThan(whole - 30);
  await expect(position(page)).toHaveAttribute("max", String(rendered - 1));
  expect(problems).toEqual([]);
});

test("A preview ends with the page, and with the card, that it stands in", { tag: "@long" }, async ({
  visit,
  played,
}) => {
  const { product, match } = played;
  // A player with highlights in the match sees two lists of them, which become one in the order of rounds.
  const steamId = match.highlights.find(({ player_steam_id: id }) => id)?.player_steam_id ?? "";
  const own = new ApiVisitor(product.url);
  await own.signIn(steamId, "In the match");
  const { id } = await own.call<MatchDetail>("POST", "/api/matches/import-sample/");
  await own.poll<MatchDetail>(`/api/matches/${id}/`, (found) => found.pictures_url !== null, { seconds: 60 });
  const { page, problems } = await visit({ as: own, viewport: laptop });
  await page.goto(`/match/${id}`);
  await hydrated(page);
  const play = async () => {
    await previewButtons(page).first().click();
    await expect(position(page)).toBeEnabled();
    await expect.poll(() => page.workers().length).toBeGreaterThan(0);
  };
  await expect(page.getByRole("heading", { name: "Your best" })).toBeVisible();
  await play();
  await page.getByRole("button", { name: "By round" }).click();
  await expect(page.getByRole("heading", { name: "Your best" })).toHaveCount(0);
  await expect(viewer(page)).toHaveCount(0);
  await expect.poll(() => page.workers().length).toBe(0);

  await play();
  await page.getByRole("link", { name: "My Clips" }).first().click();
  await expect(page).toHaveURL(/\/clips$/);
  await expect.poll(() => page.workers().length).toBe(0);
  expect(problems).toEqual([]);
});

test("What goes wrong is said with a way out", async ({ visit, played }) => {
  const { page } = await visit({ as: played.player, viewport: laptop });
  await page.goto(`/match/${played.match.id}`);
  await hydrated(page);
  const cases = [
    [404, "The replay of this match is no longer kept, so it cannot be played."],
    [502, "The server cannot be reached. Check your connection and try again."],
    [503, "This server's file store is out of reach at the moment. Please try again in a few seconds."],
  ] as const;
  for (const [status, sentence] of cases) {
    const answer = status === 502 ? { body: "<h1>Bad Gateway</h1>" } : { json: { error: "none", detail: sentence } };
    await page.route("**/track/?*", (route) => route.fulfill({ status, ...answer }));
    await previewButtons(page).first().click();
    await expect(viewer(page).getByRole("alert")).toContainText(sentence);
    await page.unroute("**/track/?*");
    await viewer(page).getByRole("button", { name: "Try again" }).click();
    await expect(position(page)).toBeEnabled();
    await viewer(page).getByRole("button", { name: "Close preview" }).click();
  }
  // The stage is a separate script, in a worker or on the page.
  const script = "**/assets/stage-worker-*.js";
  for (const isOnPage of [false, true]) {
    if (isOnPage) {
      await page.addInitScript(() => Reflect.deleteProperty(HTMLCanvasElement.prototype, "transferControlToOffscreen"));
    }
    await page.route(script, (route) => route.abort());
    await page.goto(`/match/${played.match.id}`);
    await hydrated(page);
    await previewButtons(page).first().click();
    await expect(viewer(page).getByRole("alert")).toContainText("The server cannot be reached.");
    await page.unroute(script);
  }
});

test("Escape closes a preview that is being loaded, and one that has failed", async ({ visit, played }) => {
  const { page } = await visit({ as: played.player, viewport: laptop });
  await page.goto(`/match/${played.match.id}`);
  await hydrated(page);
  const button = previewButtons(page).first();
  const release = await holdRequests(page, "**/track/?*");
  await button.click();
  await expect(viewer(page).getByRole("status").first()).toHaveText("Loading preview...");
  await expect(viewer(page)).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(viewer(page)).toHaveCount(0);
  await expect(button).toBeFocused();
  release();
  await page.unroute("**/track/?*");
  await page.route("**/track/?*", (route) => route.fulfill({ status: 503, json: {} }));
  await previewButtons(page).nth(1).click();
  await expect(viewer(page).getByRole("alert")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(viewer(page)).toHaveCount(0);
});

test("Where what plays cannot be loaded, a press leads to the stills of what was chosen", async ({ visit, played }) => {
  const { page } = await visit({ as: played.player, viewport: laptop });
  await page.route("**/assets/viewer-*.js", (route) => route.abort());
  await page.goto(`/match/${played.match.id}`);
  await hydrated(page);
  const failed = page.waitForEvent("requestfailed", (request) => request.url().includes("/viewer-"));
  await previewButtons(page).first().hover();
  await failed;
  // Pointing at it does not navigate.
  await expect(page).toHaveURL(new RegExp(`/match/${played.match.id}$`));
  await previewButtons(page).first().click();
  await expect(page).toHaveURL(/\/preview\?.*preview=\d+$/);
  await expect(page.locator(".still img")).toHaveCount(1);

  await page.goto(`/match/${played.match.id}`);
  await hydrated(page);
  await page.getByRole("button", { name: "None", exact: true }).click();
  for (const box of (await page.locator('input[name="highlight"]').all()).slice(0, 2)) {
    await box.evaluate((input: HTMLInputElement) => input.click());
  }
  await page.getByRole("button", { name: "Preview selection" }).click();
  await expect(page).toHaveURL(/preview=selection$/);
  await expect(page.locator(".still img")).toHaveCount(2);
  await page.getByRole("link", { name: "Back to the match" }).click();
  await expect(page.locator('input[name="highlight"]:checked')).toHaveCount(2);
});

test("Pressed without a network, a preview says so where it is, keeps the page, and plays once there is one", async ({
  visit,
  played,
}) => {
  const { page, context } = await visit({ as: played.player, viewport: phone });
  await page.goto(`/match/${played.match.id}`);
  await hydrated(page);
  const card = page.locator("li:has(input[name=highlight])").first();
  await card.locator("label").click();
  await context.setOffline(true);
  await card.getByRole("button", { name: /^Preview / }).click();
  await expect(card.getByRole("alert")).toContainText("There is no network.");
  await keepScreenshot(page, "preview-offline-390");
  await card.getByRole("button", { name: "Try again" }).click();
  await expect(card.getByRole("button", { name: "Try again" })).toBeFocused();
  await page.getByRole("button", { name: "Preview selection" }).click();
  const bar = page.locator(".create-bar");
  await expect(bar.getByRole("alert").filter({ hasText: "There is no network." })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/match/${played.match.id}$`));
  await expect(page.locator("input[name=highlight]:checked")).toHaveCount(1);
  await keepScreenshot(page, "preview-offline-selection-390");
  await context.setOffline(false);
  await card.getByRole("button", { name: "Try again" }).click();
  await expect(position(page)).toBeEnabled();
  await expect(card.getByRole("button", { name: "Try again" })).toHaveCount(0);
  await viewer(page).press("Escape");
  await expect(card.getByRole("button", { name: /^Preview / })).toBeFocused();
});

test("A browser that has nothing to draw on shows the stills of what was chosen, and leads to their page", async ({
  visit,
  played,
}) => {
  const { page, problems } = await visit({ as: played.player, viewport: phone });
  await page.addInitScript(() => {
    Reflect.deleteProperty(window, "OffscreenCanvas");
    Reflect.deleteProperty(HTMLCanvasElement.prototype, "transferControlToOffscreen");
    HTMLCanvasElement.prototype.getContext = () => null;
  });
  const stills = viewer(page).locator(".still");
  /** Whether they are loaded, and nothing covers their centre. */
  const areSeen = () =>
    stills.evaluateAll((all) =>
      all.every((still) => {
        still.scrollIntoView({ block: "center" });
        const { left, top, width, height } = still.getBoundingClientRect();
        const met = document.elementFromPoint(left + width / 2, top + height / 2);
        return met instanceof HTMLImageElement && still.contains(met) && met.naturalWidth === 640;
      }),
    );
  await page.goto(`/match/${played.match.id}`);
  await hydrated(page);
  await previewButtons(page).first().click();
  const alert = viewer(page).getByRole("alert");
  await expect(alert).toContainText("This cannot be played here. Try another browser, or create the clip.");
  await expect(stills).toHaveCount(1);
  await expect.poll(areSeen).toBe(true);
  expect(await axeViolations(page)).toEqual([]);
  await viewer(page).press("Escape");

  await page.getByRole("button", { name: "None", exact: true }).click();
  for (const box of (await page.locator('input[name="highlight"]').all()).slice(0, 2)) {
    await box.evaluate((input: HTMLInputElement) => input.click());
  }
  await page.locator("label, button", { hasText: "Settings" }).first().click();
  await page.getByRole("button", { name: "Preview selection" }).click();
  await expect(alert).toBeVisible();
  await expect(stills).toHaveCount(2);
  await expect.poll(areSeen).toBe(true);
  await keepScreenshot(page, "preview-no-canvas-390");
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await alert.getByRole("link", { name: "See the stills" }).click();
  await expect(page).toHaveURL(/\/preview\?.*preview=selection$/);
  await expect(page.locator(".still img")).toHaveCount(2);
  await page.getByRole("link", { name: "Back to the match" }).click();
  await expect(page.locator('input[name="highlight"]:checked')).toHaveCount(2);
  expect(problems).toEqual([]);
});

test("Without JavaScript the same buttons lead to stills", async ({ visit, played }) => {
  const { page, problems } = await visit({ as: played.player, javaScript: false, viewport: phone });
  await page.goto(`/match/${played.match.id}`);
  await previewButtons(page).first().click();
  await expect(page.getByRole("heading", { name: "Preview", exact: true })).toBeVisible();
  const still = page.locator(".still img");
  await expect(still).toHaveJSProperty("naturalWidth", 640);
  await keepScreenshot(page, "preview-no-js-390");
  const known = played.match.highlights.find(({ player_steam_id }) => player_steam_id);
  await page.goto(`/matches/${played.match.id}/preview?preview=${known?.id}`);
  await expect(page.getByRole("link", { name: `Clips of ${known?.player_name}`, exact: true })).toHaveAttribute(
    "href",
    `/users/${known?.player_steam_id}/clips`,
  );
  await page.goBack();
  await page.getByRole("link", { name: "Back to the match" }).click();
  await expect(page.getByRole("heading", { name: /^Match Highlights/ })).toBeVisible();
  expect(problems).toEqual([]);
});

test("Pictures and tracks are their owner's alone", async ({ played }) => {
  const { product, player, match } = played;
  const stranger = new ApiVisitor(product.url);
  await stranger.signIn(uniqueSteamId(), "Stranger");
  const still = `${match.pictures_url}highlight-${match.highlights[0]?.id}.webp`;
  const slice = `/api/matches/${match.id}/track/?highlights=${match.highlights[0]?.id}`;
  for (const address of [still, slice]) {
    expect((await player.request("GET", address)).status).toBe(200);
    expect((await stranger.request("GET", address)).status).toBe(404);
    expect((await new ApiVisitor(product.url).request("GET", address)).status).toBe(401);
  }
  expect((await player.request("GET", `${match.pictures_url}highlight-999999.webp`)).status).toBe(404);
  expect((await player.request("GET", `${match.pictures_url}..%2Fsecret`)).status).toBe(404);
});
