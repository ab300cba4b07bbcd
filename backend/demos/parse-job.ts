import type { MatchRecord } from "../../replay/match-record.ts";
import type { Highlight } from "../highlights/highlight.ts";
import type { HighlightTicks } from "../highlights/stretches.ts";
import type { DemoImportErrorCode, DemoImportErrorFacts } from "./demo-import-error.ts";

/** Task of the parse process. */
export interface ParseJob {
  /** A demo is unpacked and parsed, and its replay track written; in a replay track only the record is searched again. */
  source: "demo" | "track";
  /** The demo file, packed or not, or a stored replay track. */
  sourcePath: string;
  /** A folder of this job, for the unpacked demo and the replay track. */
  directory: string;
  /** Limit of the unpacked demo. */
  maxBytes: number;
}

export const parseStages = ["extracting_demo", "parsing_demo", "analyzing_highlights"] as const;

export type ParseStage = (typeof parseStages)[number];

/** The part of a match record that the database stores beside the replay track. */
export type MatchSummary = Pick<
  MatchRecord,
  "map" | "gameMode" | "serverName" | "players" | "teams" | "tickRate" | "rounds"
>;

export interface ParseFinding {
  record: MatchSummary;
  highlights: Highlight[];
  /** Number of further highlights in a replay track that lacks their ticks, so that no clip can show them; 0 for a demo. */
  leftOut: number;
  /** For a replay track whose record was read by an older version: the demo itself may reveal more. */
  isOldReading: boolean;
}

/** The gzipped replay track in the job's folder. */
export const replayTrackFile = "replay-track.gz";

export type MessageToParse =
  | { type: "job"; job: ParseJob }
  | { type: "answer"; parse: boolean; alsoShown: HighlightTicks[] };

export type MessageFromParse =
  | {
      type: "stage";
      stage: ParseStage;
      fraction: number | null;
      /** Resident memory including mapped pages of the demo, for systems that do not tell them apart. */
      memoryBytes: number;
    }
  /** Asks whether to go on, since the demo may already be known. */
  | { type: "unpacked"; sha256: string }
  | { type: "done"; finding: ParseFinding }
  | { type: "failed"; code: DemoImportErrorCode; facts: DemoImportErrorFacts; detail: string }
  /** Not the demo's fault: a bug, or a machine in trouble. */
  | { type: "broken"; detail: string };
