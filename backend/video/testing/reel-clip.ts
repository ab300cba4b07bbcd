import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ClipSpec } from "../../../replay/clip-spec.ts";
import type { ReplayTrack } from "../../../replay/replay-track.ts";
import { buildClipSpec } from "../../clips/create/build-clip-spec.ts";
import type { Highlight } from "../../highlights/highlight.ts";
import { everyLayer, parsedDemo } from "./parsed-demo.ts";

export interface ParsedReel {
  folder: string;
  track: ReplayTrack;
  trackPath: string;
  /** A small, quick clip of the highlight of that type: 640 × 360. */
  clipOf(type: Highlight["type"], changes?: Partial<ClipSpec>): ClipSpec;
  /** Two seconds of it around its decisive moment, since rendering time depends on the length. */
  momentOf(type: Highlight["type"]): ClipSpec;
  /** Another folder within that of the reel. */
  newFolder(): string;
  /** The job that renders the clip into the folder, by default a new one. */
  jobFor(spec: ClipSpec, outputDirectory?: string): { trackPath: string; spec: ClipSpec; outputDirectory: string };
}

/** Imports the scripted demo as the product does. The caller deletes the folder. */
export async function parseReel(): Promise<ParsedReel> {
  const folder = mkdtempSync(join(tmpdir(), "clutchcast-reel-"));
  let folders = 0;
  const { track, trackPath, highlights } = await parsedDemo("highlights-reel.dem.gz", folder);
  const clipOf: ParsedReel["clipOf"] = (type, changes = {}) => {
    const highlight = highlights.find((candidate) => candidate.type === type);
    if (!highlight) throw new Error(`The reel has no ${type}.`);
    const settings = { ...everyLayer, pre_time_adjustment: 0, post_time_adjustment: -1 };
    const format = { title: "A test", width: 640, height: 360, fps: 60 };
    return { ...buildClipSpec(track.record, [highlight], settings, format), ...changes };
  };
  const newFolder = () => {
    const made = join(folder, `clip-${folders++}`);
    mkdirSync(made);
    return made;
  };
  return {
    folder,
    newFolder,
    jobFor: (spec, outputDirectory = newFolder()) => ({ trackPath, spec, outputDirectory }),
    track,
    trackPath,
    clipOf,
    momentOf(type) {
      const whole = clipOf(type);
      const [segment] = whole.segments;
      const decisive = segment?.captions[0]?.momentTicks.at(-1);
      if (!segment || decisive === undefined) throw new Error(`The reel's ${type} has no decisive moment.`);
      const startTick = Math.max(segment.startTick, decisive - 80);
      const endTick = Math.min(segment.endTick, decisive + 48);
      return { ...whole, segments: [{ ...segment, startTick, endTick }] };
    },
  };
}
