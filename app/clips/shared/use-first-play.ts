import { useRef } from "react";
import { askServer } from "../../shell/asking/ask-server.ts";

/** Counts a view when the clip is played for the first time on this page. A failure is nobody's concern. */
export function useFirstPlay(clipId: number): () => void {
  const counted = useRef<number | null>(null);
  return () => {
    if (counted.current === clipId) return;
    counted.current = clipId;
    void askServer(`/clips/${clipId}/view`, { method: "POST", keepalive: true }).catch(() => {});
  };
}
