import { useRef } from "react";
import { askServer } from "../../shell/asking/ask-server.ts";

/** Counts a view when the clip is played for the first time on this page. A failure is nobody's concern. */
export function useFirstPlay(publicId: string): () => void {
  const counted = useRef<string | null>(null);
  return () => {
    if (counted.current === publicId) return;
    counted.current = publicId;
    void askServer(`/clips/${publicId}/view`, { method: "POST", keepalive: true }).catch(() => {});
  };
}
