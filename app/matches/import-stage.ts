import type { ProcessingState } from "../../contract/schemas/matches.ts";
import { processingLabel } from "../../contract/statuses.ts";

type Shown = Pick<ProcessingState, "status" | "status_display" | "progress" | "queue_position">;

/** What an import is doing, and where in the queue it stands unless that is said already. Without the figure of that stage: beside how far the whole has come, it reads as if one of them were wrong. */
export function stageText({ status, status_display: said, queue_position: place }: Shown): string {
  const text = (said || processingLabel(status)).replace(/, \d+ %$/, "");
  return place && !text.endsWith(`position ${place}`) ? `${text} · Place ${place} in the queue` : text;
}

/** How far the whole has come; nothing as long as it waits for its beginning. */
export function percentText({ progress }: Shown): string {
  return progress > 0 ? `${Math.round(Math.min(1, progress) * 100)} %` : "";
}
