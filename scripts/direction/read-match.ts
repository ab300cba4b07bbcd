import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { startParse } from "../../backend/demos/start-parse.ts";
import type { Highlight } from "../../backend/highlights/highlight.ts";
import { decodeReplayTrack } from "../../replay/decode-track.ts";
import type { ReplayTrack } from "../../replay/replay-track.ts";

const maxBytes = 2 ** 31;

/** The data of a match that clips are made from. */
export interface ReadMatch {
  track: ReplayTrack;
  highlights: readonly Highlight[];
}

/**
 * Imports a demo, compressed or not, as the product does.
 * @throws DemoImportError about the demo
 */
export async function readMatch(path: string): Promise<ReadMatch> {
  const directory = await mkdtemp(join(tmpdir(), "direction-"));
  try {
    const parsed = await startParse({ path, directory, maxBytes });
    if (parsed.isKnown) throw new Error("A demo that nobody knows is known.");
    const track = decodeReplayTrack(await promisify(gunzip)(await readFile(parsed.trackPath)));
    return { track, highlights: parsed.highlights };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
