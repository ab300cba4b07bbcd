import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { ClipSpec } from "../../replay/clip-spec.ts";
import { walksOnMap } from "../../replay/ground-of-map.ts";
import { decodeMapFootprints, type MapFootprints } from "../../replay/map-footprints.ts";
import type { ReplayTrack } from "../../replay/replay-track.ts";
import { buildClipRelief, type Relief } from "../../scene/index.ts";
import type { FrameSize } from "./kept-reliefs.ts";
import { decodeRelief, encodeRelief } from "./relief-file.ts";

/** The walks of many matches of the map, or those of the match alone. */
export type ClipGround = "map" | "match";

export interface GroundOptions {
  spec: ClipSpec;
  /** Where players of many matches walked on the map, gzipped. Without it, or where the match walks elsewhere, its own walks count. */
  mapFootprintsPath?: string | undefined;
  /** Reliefs drawn before, on the map's walks and on the match's own. */
  reliefPaths?: Partial<Record<ClipGround, string>> | undefined;
  outputDirectory: string;
}

/** What a clip was drawn on, and what became of the relief that was kept of it. */
export interface DrawnOn {
  ground: ClipGround;
  relief: "kept" | "drawn" | "damaged";
  /** Why the footprints of the map could not be read; null when they could, or there were none. */
  mapProblem: string | null;
}

/** Where a render leaves the relief that it drew on the match's own walks, in its output directory. */
export const drawnReliefFile = "relief.bin";

/**
 * Chooses the ground that a clip is drawn on, and its relief: a kept one, or one drawn now. A pure function of the track, the
 * map's footprints and the frame's size: a kept relief is what would be drawn.
 *
 * Only what is drawn of the match alone is left to be kept: this process has read what one stranger made, and the map is
 * everybody's. Packing it takes longer than painting the first seconds: `left` resolves when it is done.
 */
export async function prepareGround(
  match: ReplayTrack,
  { mapFootprintsPath, reliefPaths, spec, outputDirectory }: GroundOptions,
): Promise<{ track: ReplayTrack; relief: Relief; drawnOn: DrawnOn; left: Promise<void> }> {
  const { track, ground, mapProblem } = await chooseGround(match, mapFootprintsPath);
  const { relief, from } = await openRelief(track, spec, reliefPaths?.[ground]);
  const left = ground === "match" && from !== "kept" ? leave(relief, outputDirectory) : Promise.resolve();
  return { track, relief, drawnOn: { ground, relief: from, mapProblem }, left };
}

/** The relief of a track in a frame size: the kept one, or drawn where there is none or it is damaged. */
export async function openRelief(
  track: ReplayTrack,
  spec: FrameSize,
  keptPath: string | undefined,
): Promise<{ relief: Relief; from: DrawnOn["relief"] }> {
  if (keptPath === undefined) return { relief: buildClipRelief(track, spec), from: "drawn" };
  try {
    return { relief: await decodeRelief(await readFile(keptPath)), from: "kept" };
  } catch {
    return { relief: buildClipRelief(track, spec), from: "damaged" };
  }
}

/** The match with the walks that its clips are drawn on: the map's, or where it walks elsewhere or they cannot be read its own. */
export async function chooseGround(
  match: ReplayTrack,
  mapFootprintsPath: string | undefined,
): Promise<{ track: ReplayTrack } & Pick<DrawnOn, "ground" | "mapProblem">> {
  const { map, mapProblem } = await readMap(mapFootprintsPath);
  return map && walksOnMap(match, map)
    ? { track: { ...match, footprints: map.footprints }, ground: "map", mapProblem }
    : { track: match, ground: "match", mapProblem };
}

/**
 * Draws the relief of a match as a clip of this frame size would and leaves it in the output directory, unless clips of the match
 * are drawn on its map.
 */
export async function drawOwnRelief(
  match: ReplayTrack,
  {
    mapFootprintsPath,
    frame,
    outputDirectory,
  }: Pick<GroundOptions, "mapFootprintsPath" | "outputDirectory"> & {
    frame: FrameSize;
  },
): Promise<ClipGround> {
  const { track, ground } = await chooseGround(match, mapFootprintsPath);
  if (ground === "match") await write(buildClipRelief(track, frame), outputDirectory);
  return ground;
}

/** A full disk must not keep the clip from being drawn. */
async function leave(relief: Relief, outputDirectory: string): Promise<void> {
  try {
    await write(relief, outputDirectory);
  } catch {}
}

async function write(relief: Relief, outputDirectory: string): Promise<void> {
  const path = join(outputDirectory, drawnReliefFile);
  await writeFile(`${path}.part`, await encodeRelief(relief));
  await rename(`${path}.part`, path);
}

async function readMap(path: string | undefined): Promise<{ map: MapFootprints | null; mapProblem: string | null }> {
  if (path === undefined) return { map: null, mapProblem: null };
  try {
    return { map: decodeMapFootprints(await promisify(gunzip)(await readFile(path))), mapProblem: null };
  } catch (error) {
    return { map: null, mapProblem: error instanceof Error ? error.message : String(error) };
  }
}
