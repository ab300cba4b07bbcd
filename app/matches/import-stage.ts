import type { ProcessingState } from "../../contract/api.ts";
import { processingLabel } from "../../contract/statuses.ts";

type Shown = Pick<ProcessingState, "status" | "status_display" | "progress">;

/** What an import is doing. Without the figure of that stage: beside how far the whole has come, it reads as if one of them were wrong. */
export function stageText({ status, status_display: said }: Shown): string {
  return (said || processingLabel(status)).replace(/, \d+ %$/, "");
}

/** How far the whole has come; nothing as long as it waits for its beginning. */
export function percentText({ progress }: Shown): string {
  return progress > 0 ? `${Math.round(Math.min(1, progress) * 100)} %` : "";
}
