import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import type { RenderSettings } from "../../../contract/schemas/clips.ts";
import { decodeReplayTrack } from "../../../replay/decode-track.ts";
import type { ReplayTrack } from "../../../replay/replay-track.ts";
import { startParse } from "../../demos/start-parse.ts";
import type { Highlight } from "../../highlights/highlight.ts";

/** Every layer of a clip, as in the form. */
export const everyLayer = {
  xray: true,
  hud: true,
  radar: true,
  killfeed: true,
  highlight_info: true,
  watermark: true,
} satisfies Partial<RenderSettings>;

export interface ParsedDemo {
  track: ReplayTrack;
  trackPath: string;
  highlights: readonly Highlight[];
}

/**
 * Imports a demo as the product does.
 * @param name below tests/fixtures/demos
 * @param folder gets a folder `parse` with the track
 */
export async function parsedDemo(name: string, folder: string): Promise<ParsedDemo> {
  const path = fileURLToPath(new URL(`../../../tests/fixtures/demos/${name}`, import.meta.url));
  const directory = join(folder, "parse");
  mkdirSync(directory);
  const parsed = await startParse({ path, directory, maxBytes: 1024 ** 3 });
  if (parsed.isKnown) throw new Error("A demo that nobody knows is known.");
  const track = decodeReplayTrack(gunzipSync(readFileSync(parsed.trackPath)));
  return { track, trackPath: parsed.trackPath, highlights: parsed.highlights };
}
