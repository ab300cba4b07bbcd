import type { RenderStatus } from "../../../contract/statuses.ts";
import { renderStatusLabel } from "../../../contract/statuses.ts";
import { ProgressBar } from "../../shell/pieces/progress-bar.tsx";
import { noted, timeLeftText } from "./time-left.ts";

interface Rendering {
  id: number;
  render_status: RenderStatus;
  queue_position: number | null;
  progress: number;
}

/** How far a clip is: its place in the queue, or percent and the time left once two looks have told the pace. */
export function ClipProgress({ clip }: { clip: Rendering }) {
  if (clip.render_status !== "processing") {
    return <span className="text-fog">{renderStatusLabel(clip.render_status, clip.queue_position)}</span>;
  }
  return (
    <span className="grid min-w-40 flex-1 gap-1 text-left">
      <RenderingText clip={clip} />
      <ProgressBar value={clip.progress} label="Rendering" />
    </span>
  );
}

/** "42 % · about 20 s left" */
export function RenderingText({ clip }: { clip: Pick<Rendering, "id" | "progress"> }) {
  const seconds = noted(String(clip.id));
  return (
    <span className="text-sm text-fog tabular-nums">
      {Math.round(clip.progress * 100)} %{seconds === null ? "" : ` · ${timeLeftText(seconds)}`}
    </span>
  );
}
