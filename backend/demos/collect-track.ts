import type { ReplayTrack } from "../../replay/replay-track.ts";
import { withGrenadePaths } from "./grenade-paths.ts";
import type { ParsedDemo, StepProgress } from "./parse-demo.ts";
import { sampleRate, sampleWindows } from "./sample-windows.ts";

/**
 * The replay track of a parsed demo: its record, the players' states in the windows, and where players walked.
 *
 * @param path the demo `parsed` was read from
 * @throws DemoImportError `parser_failed`; errors of the file system
 */
export async function collectTrack(
  path: string,
  parsed: ParsedDemo,
  windows: readonly { startTick: number; endTick: number }[],
  onProgress: StepProgress = () => {},
): Promise<ReplayTrack> {
  const sampled = sampleWindows(path, parsed.record, parsed.frames, windows);
  await onProgress(0.4);
  const grenades = await withGrenadePaths(path, parsed.record, parsed.frames, sampled);
  return { record: { ...parsed.record, grenades }, sampleRate, windows: sampled, footprints: parsed.footprints };
}
