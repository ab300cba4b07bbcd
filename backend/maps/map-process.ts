/** The process that merges the walks of a map's matches, and draws its relief, started by `start-map.ts`. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { decodeReplayTrack } from "../../replay/decode-track.ts";
import { decodeMapFootprints, encodeMapFootprints } from "../../replay/map-footprints.ts";
import { buildClipRelief } from "../../scene/index.ts";
import { nextFromParent, onParentGone, sendToParent } from "../children/parent-channel.ts";
import { readTrack } from "../video/read-track.ts";
import { encodeRelief } from "../video/relief-file.ts";
import { type MapJob, type MapResult, mapOutputs } from "./map-tasks.ts";
import { mergeFootprints, type WalkedMatch } from "./merge-footprints.ts";

async function merge({ sources, outputDirectory }: Extract<MapJob, { task: "merge" }>): Promise<MapResult> {
  const matches: (WalkedMatch & { rawMap: string })[] = [];
  for (const { trackPath, importer } of sources) {
    try {
      const { record, footprints } = decodeReplayTrack(await readTrack(trackPath));
      if (footprints.xyz.length > 0) matches.push({ footprints, importer, rawMap: record.rawMap });
    } catch (error) {
      // One that cannot be read must not keep the others from being merged.
      console.error(error);
    }
    await sendToParent({ type: "progress", progress: matches.length / (sources.length + 1) });
  }
  const rawMap = mostImported(matches);
  const ofMap = matches.filter((match) => match.rawMap === rawMap);
  const { footprints, merged } = mergeFootprints(ofMap);
  if (footprints.xyz.length === 0) return { matches: 0 };
  const bytes = encodeMapFootprints({ rawMap, matches: merged.length, footprints });
  await writeFile(join(outputDirectory, mapOutputs.footprints), await promisify(gzip)(bytes, { level: 9 }));
  return { matches: merged.length };
}

/** Community maps of one name differ in the workshop's number before it: that which most players import. */
function mostImported(matches: readonly (WalkedMatch & { rawMap: string })[]): string {
  const importers = new Map<string, Set<number>>();
  for (const { rawMap, importer } of matches) {
    importers.set(rawMap, (importers.get(rawMap) ?? new Set()).add(importer));
  }
  return [...importers].sort((a, b) => b[1].size - a[1].size)[0]?.[0] ?? "";
}

async function draw({
  footprintsPath,
  map,
  frames,
  outputDirectory,
}: Extract<MapJob, { task: "draw" }>): Promise<MapResult> {
  const { footprints, matches } = decodeMapFootprints(await promisify(gunzip)(await readFile(footprintsPath)));
  for (const [drawn, frame] of frames.entries()) {
    const relief = buildClipRelief({ record: { map }, footprints, windows: [] }, frame);
    await writeFile(join(outputDirectory, mapOutputs.relief(frame)), await encodeRelief(relief));
    await sendToParent({ type: "progress", progress: (drawn + 1) / (frames.length + 1) });
  }
  return { matches };
}

onParentGone(() => process.exit());
void nextFromParent<MapJob>().then(async (job) => {
  try {
    const result = job.task === "merge" ? await merge(job) : await draw(job);
    await sendToParent({ type: "done", result });
    process.exit(0);
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    await sendToParent({ type: "failed", message: message || String(error), code });
    process.exit(1);
  }
});
