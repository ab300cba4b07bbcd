import { useState } from "react";
import { limits } from "../../contract/limits.ts";
import { isRenderActive } from "../../contract/statuses.ts";
import { usePolling } from "../shell/asking/use-polling.ts";
import type { ClipSummary } from "./clip-summary.ts";

/** The clips with what polling has found since they were loaded: every unfinished one is asked for every 3 s. */
export function usePolledClips(clips: ClipSummary[]): { clips: ClipSummary[]; isLost: boolean } {
  const [polled, setPolled] = useState<{ of: ClipSummary[]; byId: Record<number, ClipSummary> }>({
    of: clips,
    byId: {},
  });
  // What is loaded later is newer than what was polled before.
  const byId = polled.of === clips ? polled.byId : {};
  const current = clips.map((clip) => byId[clip.id] ?? clip);
  const ids = current.filter((clip) => isRenderActive(clip.render_status)).map((clip) => clip.id);
  const url = ids.length > 0 ? `/clips/status?${ids.map((id) => `id=${id}`).join("&")}` : null;
  const isLost = usePolling<{ clips: ClipSummary[] }>(url, limits.clipStatusPollMs, (answer) => {
    setPolled({ of: clips, byId: { ...byId, ...Object.fromEntries(answer.clips.map((clip) => [clip.id, clip])) } });
  });
  return { clips: current, isLost };
}
