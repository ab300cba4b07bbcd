import { limits } from "../../contract/limits.ts";
import type { ClipSummary } from "./clip-summary.ts";

/** Whether a clip takes one of its player's three places in the queue. Automatic clips take none of them. */
export function takesPlace({
  render_status,
  made_for_you,
}: Pick<ClipSummary, "render_status" | "made_for_you">): boolean {
  return !made_for_you && (render_status === "queued" || render_status === "processing");
}

/** Text and state of the button that makes a clip (specification, section 4). */
export function createButton(state: { active: number; inQueue: number; sending: boolean }): {
  text: string;
  disabled: boolean;
} {
  const { highlightsPerClip, clipsInQueuePerUser } = limits;
  if (state.sending) return { text: "Creating...", disabled: true };
  if (state.active === 0) return { text: "Create Clip (0 active)", disabled: true };
  if (state.inQueue >= clipsInQueuePerUser) {
    return { text: `Queue limit reached (${state.inQueue}/${clipsInQueuePerUser})`, disabled: true };
  }
  if (state.active > highlightsPerClip) {
    return { text: `Too many highlights (${state.active}/${highlightsPerClip} max)`, disabled: true };
  }
  return { text: `Create Clip (${state.active} active)`, disabled: false };
}
