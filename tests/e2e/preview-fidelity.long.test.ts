import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { type Browser, chromium, type Page } from "playwright";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { buildClipSpec } from "../../backend/clips/create/build-clip-spec.ts";
import { drawMatchPictures } from "../../backend/video/match-pictures.ts";
import { picturePlaces } from "../../backend/video/picture-file.ts";
import { prepareClip } from "../../backend/video/render-clip.ts";
import { everyLayer, parsedDemo } from "../../backend/video/testing/parsed-demo.ts";
import type { ClipSpec } from "../../replay/clip-spec.ts";
import { sliceReplayTrack } from "../../replay/slice-track.ts";
import { buildClipRelief } from "../../scene/index.ts";
import { launchOptions } from "../services/browser.ts";
import { lumaOfVideo, similarity } from "./testing/similarity.ts";

vi.setConfig({ testTimeout: 300_000, hookTimeout: 60_000 });

const matches = [
  "match-de_mirage.dem.bz2",
  "match-de_nuke.dem.zst",
  "match-de_dust2-overtime.dem.zst",
  "../../../backend/matches/sample/sample-match.dem.zst",
];
const momentsOfMatch = 5;
const [width, height] = [1280, 720];
const assets = new URL("../../build/client/assets/", import.meta.url).pathname;
const worker = readdirSync(assets).find((name) => /^stage-worker-.*\.js$/.test(name));

let browser: Browser;
beforeAll(async () => {
  browser = await chromium.launch(launchOptions);
});
afterAll(() => browser.close());

/** A blank page at an address that serves the built files. */
async function pageWithAssets(): Promise<Page> {
  const page = await browser.newPage({ viewport: { width, height } });
  await page.route("http://preview.test/**", (route) => {
    const name = new URL(route.request().url()).pathname.replace(/^\/assets\//, "");
    if (name === "/") return route.fulfill({ contentType: "text/html", body: "<!doctype html><title>Preview</title>" });
    const contentType = name.endsWith(".js") ? "text/javascript" : "font/woff2";
    return route.fulfill({ contentType, body: readFileSync(join(assets, name)) });
  });
  await page.goto("http://preview.test/");
  await page.addScriptTag({ type: "module", url: `/assets/${worker}` });
  return page;
}

interface Given {
  spec: ClipSpec;
  track: string;
  ground: string;
  floors: string[];
  frame: number;
}

/**
 * Draws a frame of a clip with the script that pages use, and reads it back. It draws on the page, since frames from a worker arrive there
 * some time later, without any signal.
 * @returns luma, as base64
 */
function drawInBrowser(page: Page, given: Given): Promise<string> {
  return page.evaluate(async ({ spec, track, ground, floors, frame }) => {
    const bytesOf = (text: string) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    type Answer = { type: string; frame?: number; message?: string };
    const { createStage } = globalThis as unknown as {
      createStage(send: (answer: Answer) => void): (message: object) => void;
    };
    const answers: Answer[] = [];
    const stage = createStage((answer) => answers.push(answer));
    const heard = async (isIt: (answer: Answer) => boolean) => {
      while (!answers.some(isIt)) {
        const failed = answers.find(({ type }) => type === "failed");
        if (failed) throw new Error(failed.message);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    };
    const canvas = document.createElement("canvas");
    const parts = {
      spec,
      track: bytesOf(track).buffer,
      ground: bytesOf(ground).buffer,
      floors: floors.map((floor) => new Blob([bytesOf(floor)], { type: "image/webp" })),
    };
    stage({ type: "open", canvas, parts });
    // Once the glyphs of all names are loaded.
    await heard(({ type }) => type === "lettered");
    stage({ type: "seek", frame });
    await heard((answer) => answer.type === "frame" && answer.frame === frame);
    const { data } = canvas.getContext("2d")!.getImageData(0, 0, spec.width, spec.height);
    stage({ type: "close" });
    let text = "";
    for (let at = 0; at < data.length; at += 4) {
      const luma = 0.2126 * (data[at] ?? 0) + 0.7152 * (data[at + 1] ?? 0) + 0.0722 * (data[at + 2] ?? 0);
      text += String.fromCharCode(Math.round(luma));
    }
    return btoa(text);
  }, given);
}

test.each(matches)("what a browser's canvas shows of %s is what the video shows", async (name) => {
  const folder = mkdtempSync(join(tmpdir(), "clutchcast-fidelity-"));
  const page = await pageWithAssets();
  try {
    const { track, trackPath, highlights } = await parsedDemo(name, folder);
    const relief = buildClipRelief(track, { width, height });
    const file = await drawMatchPictures(track, relief, [], { withGround: true, onProgress: () => {} });
    const places = picturePlaces(file, file.length);
    if (typeof places === "number") throw new Error("The head of the pictures was not read.");
    const part = (of: string) => file.subarray(places.get(of)!.at, places.get(of)!.at + places.get(of)!.bytes);
    const whole = gunzipSync(readFileSync(trackPath));
    const best = [...highlights].sort((a, b) => b.score - a.score);
    const chosen = best.filter((_, i) => i % Math.ceil(best.length / momentsOfMatch) === 0).slice(0, momentsOfMatch);
    const found: number[] = [];
    for (const highlight of chosen) {
      const settings = { ...everyLayer, watermark: false, pre_time_adjustment: 2, post_time_adjustment: 0 };
      const spec = buildClipSpec(track.record, [highlight], settings, { title: "A clip", width, height, fps: 60 });
      const { scene, painter } = await prepareClip(track, spec, { relief });
      const segment = spec.segments.at(-1)!;
      const tick = highlight.moments.at(-1)?.tick ?? highlight.endTick;
      const frame = scene.frameAt(segment, tick + 5) ?? Math.floor(scene.frameCount / 2);
      const drawn = await drawInBrowser(page, {
        spec,
        track: Buffer.from(sliceReplayTrack(whole, spec.segments)).toString("base64"),
        ground: gunzipSync(part("ground.bin")).toString("base64"),
        floors: relief.floors.map((_, floor) => part(`floor-${floor}.webp`).toString("base64")),
        frame,
      });
      const rendered = painter.paint(scene.frame(frame), 0).slice(0, width * height);
      found.push(similarity(Buffer.from(drawn, "base64"), lumaOfVideo(rendered), width, height));
    }
    expect(found).toHaveLength(momentsOfMatch);
    expect(found.filter((value) => value < 0.97)).toEqual([]);
  } finally {
    await page.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
