import { useState } from "react";
import { limits } from "../../../contract/limits.ts";
import { usePolling } from "../../shell/asking/use-polling.ts";
import type { ClipWithVideos } from "../clip-summary.ts";

/** So often a page asks for it: five minutes. Where it cannot be made it never comes. */
const maxAsks = 100;

/** The address of a clip's file for chat apps, which follows a long video in seconds: the page that shows the video asks for it. */
export function useShareFile(clip: Pick<ClipWithVideos, "id" | "render_status">, loaded: string | null): string | null {
  const [asked, setAsked] = useState({ times: 0, found: null as string | null });
  const current = loaded ?? asked.found;
  const isAwaited = clip.render_status === "completed" && current === null && asked.times < maxAsks;
  usePolling<{ clips: ClipWithVideos[] }>(
    isAwaited ? `/clips/status?id=${clip.id}` : null,
    limits.clipStatusPollMs,
    ({ clips }) => setAsked(({ times }) => ({ times: times + 1, found: clips[0]?.share_url ?? null })),
  );
  return current;
}
