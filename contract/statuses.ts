import { lookUp } from "./look-up.ts";

/** Stages of an import, in order; `failed` can follow any of them. */
export const processingStatuses = [
  "queued",
  "processing_demo",
  "downloading_demo",
  "extracting_demo",
  "parsing_demo",
  "analyzing_highlights",
  "updating_match_info",
  "loading_avatars",
  "completed",
  "failed",
] as const;
export type ProcessingStatus = (typeof processingStatuses)[number];

const processingLabels: Record<ProcessingStatus, string> = {
  queued: "Queued",
  processing_demo: "Processing demo",
  downloading_demo: "Downloading demo",
  extracting_demo: "Extracting demo",
  parsing_demo: "Parsing demo",
  analyzing_highlights: "Analyzing highlights",
  updating_match_info: "Updating match info",
  loading_avatars: "Loading avatars",
  completed: "Completed",
  failed: "Failed",
};

/** Text for a processing status; an unknown one shows its raw value. */
export function processingLabel(status: string): string {
  return lookUp(processingLabels, status) ?? status;
}

export const renderStatuses = ["pending", "queued", "processing", "completed", "failed"] as const;
export type RenderStatus = (typeof renderStatuses)[number];

const renderLabels: Record<RenderStatus, string> = {
  pending: "Pending",
  queued: "Queued",
  processing: "Processing",
  completed: "Completed",
  failed: "Failed",
};

/** Label of a render status. Lists name the position in the queue, the clip view does not: leave `queuePosition` out. */
export function renderStatusLabel(status: string, queuePosition?: number | null): string {
  const label = lookUp(renderLabels, status) ?? "Unknown";
  return status === "queued" && queuePosition ? `${label} (Position ${queuePosition})` : label;
}

/** While the server still works on the clip. */
export const activeRenderStatuses = ["pending", "queued", "processing"] as const satisfies RenderStatus[];

/** True while the server still works on the clip. */
export function isRenderActive(status: string): boolean {
  return (activeRenderStatuses as readonly string[]).includes(status);
}

const gameModeLabels = new Map([
  ["Matchmaking", "Premier"],
  ["Matchmaking_Wingman", "Wingman"],
  ["Matchmaking_Competitive", "Competitive"],
]);

/** Label of a game mode; other values are shown as they are. */
export function gameModeLabel(mode: string): string {
  return gameModeLabels.get(mode) ?? mode;
}
