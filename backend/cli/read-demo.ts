import { mkdir, open } from "node:fs/promises";
import type { Containment } from "../children/containment.ts";
import type { ParseStage } from "../demos/parse-job.ts";
import { startParse } from "../demos/start-parse.ts";
import { type DemoFacts, demoFacts } from "../matches/demo-facts.ts";
import { highlightColumns } from "../matches/highlight-columns.ts";
import type { HighlightRow } from "../storage/schema.ts";

/** A demo with its highlights, as an import would have stored them. */
export interface ReadDemo {
  sha256: string;
  facts: DemoFacts;
  /** In match order; their ids are the numbers of the table, from 1. */
  highlights: HighlightRow[];
  /** The replay track, gzipped, in the folder that was given. */
  trackPath: string;
}

export interface ReadDemoOptions {
  /** Is made; the track stays in it. */
  directory: string;
  /** Most bytes of the unpacked demo. */
  maxBytes: number;
  containment: Containment;
  signal: AbortSignal;
  onStage(stage: ParseStage, fraction: number | null): void;
}

/**
 * Reads a demo, packed or not, in the process and by the rules by which the server imports it.
 * @throws as `startParse`; the file system's error for a file that cannot be opened
 */
export async function readDemo(path: string, options: ReadDemoOptions): Promise<ReadDemo> {
  const { directory, maxBytes, containment, signal, onStage } = options;
  // The process would fail at it, too, but of its errors only the words come back.
  await (await open(path)).close();
  await mkdir(directory, { recursive: true });
  const parsed = await startParse({ path, directory, maxBytes }, { containment, signal, onStage });
  if (parsed.isKnown) throw new Error("A demo that nobody knows is known.");
  return {
    sha256: parsed.sha256,
    facts: demoFacts(parsed.record),
    highlights: parsed.highlights.map((highlight, i) => ({
      ...highlightColumns(highlight),
      id: i + 1,
      demo_sha256: parsed.sha256,
      name: null,
      made_by: null,
      still_key: null,
      still_tried_at: null,
    })),
    trackPath: parsed.trackPath,
  };
}
