import type { ReplayTrack } from "../../../replay/replay-track.ts";
import type { ParsedDemo, StepProgress } from "../record/parse-demo.ts";
import { startGrenadePaths } from "./grenade-paths.ts";
import { sampleWindows } from "./sample-windows.ts";
import { sampleRate, trackSpans } from "./track-spans.ts";

export interface CollectTrackOptions {
  /** An existing folder for temporary files. Not the demo's folder, which may contain files of others. */
  scratchDirectory: string;
  onProgress?: StepProgress;
  /** By default the number of cores; more than two are not used. */
  maxThreads?: number | undefined;
}

/**
 * Builds the replay track of a parsed demo: its record, the players' states in the windows and, at a lower rate, in the rest of every
 * round, and where players walked.
 * @param path the demo from which `parsed` was read
 * @throws DemoImportError `parser_failed`; errors of the file system
 */
export async function collectTrack(
  path: string,
  parsed: ParsedDemo,
  windows: readonly { startTick: number; endTick: number }[],
  { scratchDirectory, onProgress = () => {}, maxThreads }: CollectTrackOptions,
): Promise<ReplayTrack> {
  const { record, frames, footprints } = parsed;
  const spans = trackSpans(windows, record);
  const full = spans.filter(({ tickStep }) => tickStep === record.tickRate / sampleRate);
  const paths = startGrenadePaths({ demoPath: path, scratchDirectory }, record, frames, full, maxThreads);
  try {
    const sampled = sampleWindows(path, record, frames, spans);
    await onProgress(0.4);
    return { record: { ...record, grenades: await paths.finish() }, sampleRate, windows: sampled, footprints };
  } finally {
    await paths.stop();
  }
}
