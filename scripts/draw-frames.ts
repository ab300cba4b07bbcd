import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { buildClipSpec } from "../backend/clips/create/build-clip-spec.ts";
import { detectHighlights } from "../backend/highlights/index.ts";
import { createCanvas } from "../backend/video/canvas.ts";
import { openScene, writtenTexts } from "../backend/video/render-clip.ts";
import { openSpriteBakery } from "../backend/video/sprite-bakery.ts";
import { decodeReplayTrack } from "../replay/decode-track.ts";
import { createCanvasPainterCache, type PainterContext, paintDisplayList } from "../scene/index.ts";

const usage = `Draws moments of a match's highlights to PNG files, to look at them.

  npx tsx scripts/draw-frames.ts <track.gz>                        lists the highlights
  npx tsx scripts/draw-frames.ts <track.gz> --highlight 3          draws one, every two seconds
    --at 1.5,4 (seconds)  --out folder  --size 1080x1920  --off xray,hud,radar,killfeed,highlight_info,watermark`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    highlight: { type: "string" },
    at: { type: "string" },
    out: { type: "string", default: "." },
    size: { type: "string", default: "1280x720" },
    off: { type: "string", default: "" },
  },
});

async function drawFrames(trackPath: string): Promise<void> {
  const packed = readFileSync(trackPath);
  const track = decodeReplayTrack(trackPath.endsWith(".gz") ? gunzipSync(packed) : packed);
  const highlights = detectHighlights(track.record);
  if (values.highlight === undefined) {
    for (const [i, { type, round, player, reason }] of highlights.entries()) {
      console.log(`${i}  round ${round}  ${type}  ${track.record.players[player]?.name}: ${reason}`);
    }
    return;
  }
  const highlight = highlights[Number(values.highlight)];
  if (!highlight) throw new Error(`There is no highlight ${values.highlight}.`);
  const off = new Set(values.off.split(","));
  const [width = 1280, height = 720] = values.size.split("x").map(Number);
  const spec = buildClipSpec(
    track.record,
    [highlight],
    {
      xray: !off.has("xray"),
      hud: !off.has("hud"),
      radar: !off.has("radar"),
      killfeed: !off.has("killfeed"),
      highlight_info: !off.has("highlight_info"),
      watermark: !off.has("watermark"),
      pre_time_adjustment: 0,
      post_time_adjustment: 0,
    },
    { title: highlight.type, width, height, fps: 60 },
  );
  const bakery = await openSpriteBakery(writtenTexts(track, spec));
  const started = performance.now();
  const scene = openScene(track, spec, bakery);
  console.log(`${scene.frameCount} frames, scene built in ${Math.round(performance.now() - started)} ms`);
  const seconds = scene.frameCount / scene.framesPerSecond;
  const moments = values.at?.split(",").map(Number) ?? Array.from({ length: Math.ceil(seconds / 2) }, (_, i) => i * 2);
  const cache = createCanvasPainterCache(createCanvas, bakery.kit);
  mkdirSync(values.out, { recursive: true });
  for (const moment of moments) {
    const frame = Math.min(scene.frameCount - 1, Math.round(moment * scene.framesPerSecond));
    const canvas = createCanvas(spec.width, spec.height);
    paintDisplayList(canvas.getContext("2d") as unknown as PainterContext, scene.frame(frame), cache);
    writeFileSync(join(values.out, `frame-${values.highlight}-${moment}.png`), canvas.toBuffer("image/png"));
  }
}

const [trackPath] = positionals;
if (trackPath) await drawFrames(trackPath);
else console.log(usage);
