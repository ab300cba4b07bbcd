import type { ProcessingState } from "../../contract/schemas/matches.ts";
import { processingLabel } from "../../contract/statuses.ts";
import { isLasting } from "../demos/demo-import-error.ts";
import type { MatchRow } from "../storage/schema.ts";

type ProcessingRow = Pick<
  MatchRow,
  "id" | "status" | "progress" | "operation" | "error" | "error_code" | "source" | "upload_key"
>;

function mayEndOtherwise({ source, upload_key: uploadKey, error_code: code }: ProcessingRow): boolean {
  const isFile = source === "upload";
  // An old one is deleted, and no try finds it.
  return !isLasting(code ?? "", isFile) && (!isFile || uploadKey !== null);
}

/** How far the import of a match is. @param position as `importPositions` has it; null of one that does not wait */
export function processingState(row: ProcessingRow, highlightsFound: number, position: number | null): ProcessingState {
  const done = row.status === "completed";
  const failed = row.status === "failed";
  const label = processingLabel(row.status);
  return {
    is_processing: !done && !failed,
    is_completed: done,
    status: row.status,
    processing_status: row.status,
    status_display: row.operation && !done && !failed ? `${label}, ${row.operation}` : label,
    current_operation: label,
    queue_position: position,
    progress: done ? 1 : row.progress,
    highlights_found: highlightsFound,
    match_id: row.id,
    error: failed ? row.error : null,
    detail: failed ? row.error : null,
    can_retry: failed && mayEndOtherwise(row),
  };
}

/** The answer about a demo that nobody imports. */
export function notProcessing(): ProcessingState {
  return {
    is_processing: false,
    is_completed: false,
    status: "not_found",
    processing_status: "not_found",
    status_display: "Not imported",
    current_operation: "",
    queue_position: null,
    progress: 0,
    highlights_found: 0,
    match_id: null,
    error: null,
    detail: null,
    can_retry: false,
  };
}

/** The state of a recent match that the provider lists and the player has not imported. */
export function notImported(matchId: string): ProcessingState {
  return { ...notProcessing(), status: "recent", processing_status: "recent", match_id: matchId };
}
