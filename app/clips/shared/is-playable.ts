import type { ClipSummary } from "../clip-summary.ts";

/** Whether there is a video to watch. */
export function isPlayable({
  render_status: status,
  video_url: url,
}: Pick<ClipSummary, "render_status" | "video_url">) {
  return status === "completed" && url !== null;
}
