import { lookUp } from "../../../contract/look-up.ts";
import { isRenderActive, type RenderStatus } from "../../../contract/statuses.ts";
import { NotifyButton } from "../../shell/on-demand/notify-button.tsx";
import { Icon } from "../../shell/pieces/icon.tsx";
import { ProgressBar } from "../../shell/pieces/progress-bar.tsx";
import type { ClipSummary } from "../clip-summary.ts";
import { RenderingText } from "../shared/clip-progress.tsx";

const waitingTexts: Record<Exclude<RenderStatus, "completed">, string> = {
  processing: "Video is being processed...",
  failed: "Video processing failed",
  pending: "Video is queued for processing...",
  queued: "Video is queued for processing...",
};

/** In the place of a video that is not finished, or never will be. */
export default function Waiting({ clip, size }: { clip: ClipSummary; size: { width: number; height: number } }) {
  const text = lookUp(waitingTexts, clip.render_status) ?? "Unknown";
  return (
    <div
      style={{ aspectRatio: `${size.width} / ${size.height}` }}
      className="grid max-h-[85dvh] w-full min-w-0 grid-cols-[minmax(0,auto)] place-content-center justify-items-center gap-4 rounded-2xl border border-line bg-[radial-gradient(circle_at_50%_35%,var(--color-deck-2),var(--color-ink)_70%)] p-6 text-center"
    >
      <Icon
        name={clip.render_status === "failed" ? "alert" : clip.render_status === "processing" ? "scan" : "clock"}
        className={`size-12 ${clip.render_status === "failed" ? "text-loss" : "text-ct"}`}
      />
      <div role="status">
        <p className="text-xl font-semibold">{text}</p>
        {clip.render_error ? <p className="mt-2 max-w-md text-fog">{clip.render_error}</p> : null}
      </div>
      {clip.render_status === "queued" && clip.queue_position ? (
        <p className="text-fog">Place {clip.queue_position} in the queue</p>
      ) : null}
      {clip.render_status === "processing" ? (
        <div className="grid w-64 max-w-full gap-1.5">
          <RenderingText clip={clip} />
          <ProgressBar value={clip.progress} label={text} />
        </div>
      ) : null}
      {clip.is_owner && isRenderActive(clip.render_status) ? <NotifyButton /> : null}
    </div>
  );
}
