import type { MatchRecord } from "../../replay/match-record.ts";
import type { Highlight } from "../highlights/highlight.ts";
import type { HighlightTicks } from "../highlights/segments.ts";
import type { DemoImportErrorCode, DemoImportErrorFacts } from "./demo-import-error.ts";

/** What the parse process is to do. */
export interface ParseJob {
  /**
   * A demo is unpacked and parsed, and its replay track written; of a replay track only the record is looked through again.
   */
  source: "demo" | "track";
  /** The demo as it came, packed or not, or a stored replay track. */
  sourcePath: string;
  /** A folder of the job's own, for the unpacked demo and the replay track. */
  directory: string;
  /** Most bytes of the unpacked demo. */
  maxBytes: number;
}

export const parseStages = ["extracting_demo", "parsing_demo", "analyzing_highlights"] as const;

export type ParseStage = (typeof parseStages)[number];

/** What the database keeps of a match record beside the replay track. */
export type MatchSummary = Pick<
  MatchRecord,
  "map" | "gameMode" | "serverName" | "players" | "teams" | "tickRate" | "rounds"
>;

export interface ParseFinding {
  record: MatchSummary;
  highlights: Highlight[];
  /** How many highlights more a replay track names without holding their ticks, so that no clip can show them; 0 of a demo. */
  leftOut: number;
  /** Of a replay track whose record was read by an older version: the demo itself may tell more. */
  isOldReading: boolean;
}

/** The replay track, gzipped, in the job's folder. */
export const replayTrackFile = "replay-track.gz";

export type MessageToParse =
  | { type: "job"; job: ParseJob }
  | { type: "answer"; parse: boolean; alsoShown: HighlightTicks[] };

export type MessageFromParse =
  | {
      type: "stage";
      stage: ParseStage;
      fraction: number | null;
      /** Resident memory, with the pages of the demo that are mapped: for systems that do not tell them apart. */
      memoryBytes: number;
    }
  /** Asks whether to go on: the demo may be known already. */
  | { type: "unpacked"; sha256: string }
  | { type: "done"; finding: ParseFinding }
  | { type: "failed"; code: DemoImportErrorCode; facts: DemoImportErrorFacts; detail: string }
  /** Not the demo's fault: a bug or a machine in trouble. */
  | { type: "broken"; detail: string };
