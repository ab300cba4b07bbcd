import type { FrameSize } from "../video/kept-reliefs.ts";

/** What start-map.ts sends; the first and only message. */
export type MapJob =
  | {
      task: "merge";
      /** The newest first of each importer. */
      sources: { trackPath: string; importer: number }[];
      outputDirectory: string;
    }
  | {
      task: "draw";
      footprintsPath: string;
      map: string;
      /** Pixels; a relief is drawn for each. */
      frames: FrameSize[];
      outputDirectory: string;
    };

/** @property matches whose walks were merged; 0: nothing was written */
export interface MapResult {
  matches: number;
}

/** What it leaves in the output directory. */
export const mapOutputs = {
  footprints: "footprints.bin.gz",
  relief: ({ width, height }: FrameSize) => `relief-${width}x${height}.bin`,
};
