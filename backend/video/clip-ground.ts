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

/** The walks of many matches on the map, or only those of the match. */
export type ClipGround = "map" | "match";

export interface GroundOptions {
  spec: ClipSpec;
  /** Gzipped footprints of many matches on the map. Without them, or if the match has walks elsewhere, its own walks are used. */
  mapFootprintsPath?: string | undefined;
  /** Kept reliefs of the map's walks and of the match's own. */
  reliefPaths?: Partial<Record<ClipGround, string>> | undefined;
  outputDirectory: string;
}

/** The ground that a clip was drawn on, and what happened to its kept relief. */
export interface DrawnOn {
  ground: ClipGround;
  relief: "kept" | "drawn" | "damaged";
  /** Why the map's footprints could not be read; null when they could, or there were none. */
  mapProblem: string | null;
}

/** A render leaves the relief of the match's own walks in its output directory under this name. */
export const drawnReliefFile = "relief.bin";

/**
 * Chooses the ground of a clip and its relief, kept or drawn now. A pure function of the track, the map's footprints and the frame's size:
 * a kept relief equals a newly drawn one.
 *
 * Only a relief of the match alone is left to be kept, since this process has read data from one stranger, and the map's relief is shared
 * by everybody. Packing it takes longer than painting the first seconds: `left` resolves when it is done.
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

/** The relief of a track in a frame size: the kept one, or a new one if there is none or it is damaged. */
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

/** The match with the walks of its clips: the map's, or its own if it has walks elsewhere or the map's cannot be read. */
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
 * Draws the relief of a match as a clip of this frame size would and leaves it in the output directory, unless clips of the match are drawn
 * on its map.
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

/** A full disk must not prevent the clip from being drawn. */
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
