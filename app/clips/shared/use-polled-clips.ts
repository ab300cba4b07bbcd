import { useCallback, useEffect, useMemo, useState } from "react";
import { limits } from "../../../contract/limits.ts";
import { isRenderActive } from "../../../contract/statuses.ts";
import { usePolling } from "../../shell/asking/use-polling.ts";
import { announce, awaitClip, forgetAwaited, showsClips } from "../../shell/notices/awaited-clips.ts";
import type { ClipSummary, ClipWithVideos } from "../clip-summary.ts";
import { noteProgress } from "./time-left.ts";

/** A clip of which another answer may have told its formats. */
export type PolledClip = ClipSummary &
  Partial<Pick<ClipWithVideos, "formats" | "parts" | "share_url" | "can_add_formats" | "marks">>;

interface PolledClips {
  clips: PolledClip[];
  isLost: boolean;
  /** Shows a clip as another answer had it. */
  take(...found: ClipWithVideos[]): void;
}

/**
 * The clips with what polling has found since they were loaded: every one that is unfinished, or has a format that is, is asked
 * for every 3 s. List and `take` stay the same until something is found.
 */
export function usePolledClips(clips: PolledClip[]): PolledClips {
  const [polled, setPolled] = useState<{ of: PolledClip[]; byId: Record<number, PolledClip> }>({
    of: clips,
    byId: {},
  });
  // What is loaded later is newer than what was polled before.
  const byId = polled.of === clips ? polled.byId : null;
  const current = useMemo(() => (byId ? clips.map((clip) => byId[clip.id] ?? clip) : clips), [clips, byId]);
  const ids = current.filter(isActive).map((clip) => clip.id);
  const idKey = ids.join();
  useEffect(() => (idKey ? showsClips(idKey.split(",").map(Number)) : undefined), [idKey]);
  // Wherever their player goes, it is said when they are ready.
  const ownKey = current
    .filter((clip) => clip.is_owner && isRenderActive(clip.render_status))
    .map(({ id }) => id)
    .join();
  useEffect(() => {
    for (const id of ownKey ? ownKey.split(",") : []) awaitClip(Number(id));
  }, [ownKey]);
  const url = ids.length > 0 ? `/clips/status?${ids.map((id) => `id=${id}`).join("&")}` : null;
  const take = useCallback(
    (...found: ClipWithVideos[]) =>
      setPolled((before) => ({
        of: clips,
        byId: {
          ...(before.of === clips && before.byId),
          ...Object.fromEntries(found.map((clip) => [clip.id, clip])),
        },
      })),
    [clips],
  );
  const isLost = usePolling<{ clips: ClipWithVideos[] }>(url, limits.clipStatusPollMs, (answer) => {
    const now = Date.now();
    for (const clip of answer.clips) {
      noteProgress(String(clip.id), clip.progress, now);
      if (!isRenderActive(clip.render_status)) forgetAwaited(clip.id);
      const news = newsOf(
        current.find(({ id }) => id === clip.id),
        clip,
      );
      if (news) announce(news);
    }
    take(...answer.clips);
  });
  return { clips: current, isLost, take };
}

type Rendered = Pick<ClipSummary, "render_status" | "display_name">;

/** What is read out when a clip's own render has ended since it was last looked at. A format that is added to it is none of that. */
export function newsOf(before: Rendered | undefined, { render_status: status, display_name: name }: Rendered) {
  if (!before || !isRenderActive(before.render_status) || isRenderActive(status)) return null;
  return status === "completed" ? `Your clip is ready: ${name}` : `Rendering failed: ${name}`;
}

function isActive({ render_status: status, formats = [] }: PolledClip): boolean {
  return isRenderActive(status) || formats.some((format) => isRenderActive(format.render_status));
}
