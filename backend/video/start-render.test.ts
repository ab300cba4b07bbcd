import { execFileSync } from "node:child_process";
import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { ClipSpec } from "../../replay/clip-spec.ts";
import { planClipTime } from "../../scene/clip-time.ts";
import { createCanvasPainterCache, type PainterContext, paintDisplayList } from "../../scene/index.ts";
import { createCanvas } from "./canvas.ts";
import { openScene, type RenderResult, writtenTexts } from "./render-clip.ts";
import { RenderError } from "./render-error.ts";
import { openSpriteBakery } from "./sprite-bakery.ts";
import { startRender } from "./start-render.ts";
import { decodedFrame } from "./testing/decoded-frame.ts";
import { type ParsedReel, parseReel } from "./testing/reel-clip.ts";
import { distance, planesOfFrame, planesOfRgba } from "./testing/yuv-planes.ts";

// Renders run at a lower priority than everything else on the machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

let reel: ParsedReel;
let knifeKill: ClipSpec;

beforeAll(async () => {
  reel = await parseReel();
  knifeKill = reel.momentOf("knife_kill");
});
afterAll(() => rmSync(reel.folder, { recursive: true }));

const bareChannel = new URL("../children/testing/bare-channel.mjs", import.meta.url).href;

function probe(path: string) {
  const text = execFileSync("ffprobe", ["-v", "error", "-count_frames", "-show_streams", "-of", "json", path]);
  const { streams } = JSON.parse(text.toString()) as { streams: Record<string, string | number>[] };
  return {
    video: streams.find((s) => s.codec_type === "video")!,
    audio: streams.find((s) => s.codec_type === "audio")!,
  };
}

/** The luma of an encoded frame. */
function decodedLuma(path: string, index: number, spec: ClipSpec) {
  const raw = decodedFrame(path, index);
  return planesOfFrame(raw, spec.width, spec.height).luma;
}

/** A finished clip whose title has letters of many scripts, and its reported progress; rendered once for all tests. */
function finishedClip() {
  rendered ??= (async () => {
    const spec = { ...knifeKill, title: "Łukasz 莫言 Привет שלום 🔥 <script>" };
    const outputDirectory = reel.newFolder();
    const seen: number[] = [];
    const result = await startRender(reel.jobFor(spec, outputDirectory), {
      onProgress: (progress) => seen.push(progress),
    });
    return { spec, outputDirectory, seen, result };
  })();
  return rendered;
}
let rendered: Promise<{ spec: ClipSpec; outputDirectory: string; seen: number[]; result: RenderResult }> | undefined;

test("renders a clip whose frames are those that the preview shows", async () => {
  const { spec, outputDirectory, seen, result } = await finishedClip();
  expect(readdirSync(outputDirectory).sort()).toEqual(["poster.jpg", "relief.bin", "thumbnail.jpg", "video.mp4"]);

  expect(result.frameCount).toBe(planClipTime(reel.track.record, spec).frameCount);
  expect(result.frameCount).toBe(Math.round(result.durationSeconds * 60));
  const { video, audio } = probe(result.videoPath);
  expect(Number(video.nb_read_frames)).toBe(result.frameCount);
  expect(video).toMatchObject({ codec_name: "h264", profile: "High", pix_fmt: "yuv420p", width: 640, height: 360 });
  expect(Math.abs(Number(audio.duration) - result.durationSeconds)).toBeLessThan(0.02);
  expect(readFileSync(result.videoPath).length).toBe(result.bytes);
  expect(probe(result.posterPath).video).toMatchObject({ codec_name: "mjpeg", width: 1280, height: 720 });
  expect(probe(result.thumbnailPath ?? "").video).toMatchObject({ codec_name: "mjpeg", width: 640, height: 360 });
  expect(seen.length).toBeGreaterThan(5);
  expect([...seen].sort((a, b) => a - b)).toEqual(seen);
  expect(seen.at(-1)).toBe(1);

  const bakery = await openSpriteBakery(writtenTexts(reel.track, spec));
  const scene = openScene(reel.track, spec, bakery);
  const cache = createCanvasPainterCache((width, height) => createCanvas(width, height), bakery.kit);
  const preview = (index: number) => {
    const context = createCanvas(640, 360).getContext("2d");
    paintDisplayList(context as unknown as PainterContext, scene.frame(index), cache);
    return planesOfRgba(context.getImageData(0, 0, 640, 360).data, 640, 360).luma;
  };
  for (const index of [5, Math.round(result.frameCount * 0.45), result.frameCount - 5]) {
    const decoded = decodedLuma(result.videoPath, index, spec);
    const difference = distance(decoded, preview(index)) / decoded.length;
    expect(difference).toBeLessThan(2);
    const elsewhere = ((index + result.frameCount / 2) % result.frameCount) | 0;
    expect(distance(decoded, preview(elsewhere)) / decoded.length).toBeGreaterThan(2 * difference);
  }
});

/** A compromised renderer, which sends the given text and stays. */
function strange(name: string, said: string) {
  const program = join(reel.folder, `${name}.mjs`);
  writeFileSync(
    program,
    `import { hear, write } from ${JSON.stringify(bareChannel)};
    hear(() => write(${JSON.stringify(said)}));`,
  );
  return { modulePath: program, execArgv: [] };
}

test.each([
  ["garbage", "garbage\n", /^The renderer was ended because it wrote a line that is no JSON/],
  ["null", "null\n", /^The renderer was ended because it wrote a line that is no message/],
  ["odd progress", '{"type":"progress","progress":{"valueOf":1}}\n', /because it said what no renderer says/],
  ["no sentence", '{"type":"failed","message":{"toString":1}}\n', /because it said what no renderer says/],
  ["no result", '{"type":"done","result":null}\n', /because it said what no renderer says/],
])("a renderer that says %s ends in a sentence", async (name, said, sentence) => {
  const outputDirectory = reel.newFolder();
  const render = startRender(reel.jobFor(knifeKill, outputDirectory), { entry: strange(name, said) });
  await expect(render).rejects.toThrow(sentence);
  await expect(render).rejects.toBeInstanceOf(RenderError);
  expect(readdirSync(outputDirectory)).toEqual([]);
});

test.each([
  ["a length without end", '"durationSeconds":1e999,"ground":"map"'],
  ["a length that is a text", '"durationSeconds":"5","ground":"map"'],
  ["a ground of its own", '"durationSeconds":5,"ground":"__proto__"'],
])("a renderer that has made something of %s has made nothing", async (_, odd) => {
  const outputDirectory = reel.newFolder();
  const { modulePath } = strange(
    "odd-result",
    `{"type":"done","result":{${odd},"frameCount":1,"moments":[],"relief":"kept","mapProblem":null}}\n`,
  );
  appendFileSync(modulePath, "\nsetTimeout(() => process.exit(0), 1000);");
  const files = ["video.mp4", "poster.jpg", "wide-poster.jpg", "thumbnail.jpg"];
  for (const file of files) writeFileSync(join(outputDirectory, file), "made");
  const render = startRender(reel.jobFor(knifeKill, outputDirectory), { entry: { modulePath, execArgv: [] } });
  await expect(render).rejects.toThrow(new RenderError("The renderer did not say what it had made."));
  expect(readdirSync(outputDirectory)).toEqual([]);
});

test("a renderer whose progress cannot be told on is ended with its clip", async () => {
  const onProgress = () => {
    throw new Error("no database");
  };
  const render = startRender(reel.jobFor(knifeKill), { onProgress });
  await expect(render).rejects.toThrow("no database");
});

test("does not follow a link that a renderer left", async () => {
  const outputDirectory = reel.newFolder();
  const secret = join(reel.folder, "secret");
  writeFileSync(secret, "nobody's business");
  const program = join(reel.folder, "linking.mjs");
  writeFileSync(
    program,
    `import { symlinkSync, writeFileSync } from "node:fs";
    import { hear, send } from ${JSON.stringify(bareChannel)};
    hear(({ outputDirectory }) => {
      symlinkSync(${JSON.stringify(secret)}, outputDirectory + "/video.mp4");
      for (const name of ["poster", "thumbnail"]) writeFileSync(outputDirectory + "/" + name + ".jpg", "");
      const drawnOn = { ground: "map", relief: "kept", mapProblem: null };
      send({ type: "done", result: { durationSeconds: 1, frameCount: 60, moments: [], ...drawnOn } }, () => process.exit());
    });`,
  );
  const render = startRender(reel.jobFor(knifeKill, outputDirectory), { entry: { modulePath: program, execArgv: [] } });
  await expect(render).rejects.toThrow("is no file");
  expect(readdirSync(outputDirectory)).toEqual([]);
  expect(readFileSync(secret, "utf8")).toBe("nobody's business");
});

test("fails in a sentence for a track that is missing or damaged, and for a wrong ffmpeg", async () => {
  const missing = { ...reel.jobFor(knifeKill), trackPath: join(reel.folder, "absent.track.gz") };
  await expect(startRender(missing)).rejects.toThrow(/ENOENT.*absent\.track\.gz/);
  const damagedPath = join(reel.folder, "damaged.track");
  writeFileSync(damagedPath, "this is no replay track");
  await expect(startRender({ ...reel.jobFor(knifeKill), trackPath: damagedPath })).rejects.toThrow(
    /does not begin as one/,
  );
  const wrong = { ...reel.jobFor(knifeKill), ffmpegPath: join(reel.folder, "no-ffmpeg") };
  await expect(startRender(wrong)).rejects.toThrow(/FFMPEG_PATH .* no such program/);
  expect(readdirSync(wrong.outputDirectory)).toEqual([]);
});
