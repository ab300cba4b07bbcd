import type { ProcessingState } from "../../../contract/schemas/matches.ts";

/** True when nothing more will happen to this import by itself. */
export function isSettled(state: Pick<ProcessingState, "is_processing" | "is_completed" | "status">): boolean {
  return !state.is_processing || hasEnded(state);
}

/** It is complete or has failed. */
export const hasEnded = (state: Pick<ProcessingState, "is_completed" | "status">) =>
  state.is_completed || state.status === "completed" || state.status === "failed";
