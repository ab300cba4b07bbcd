import { useEffect, useRef, useState } from "react";
import { checkSession, useSessionEnded } from "../session/ended-session.ts";
import { askServer } from "./ask-server.ts";

const maxWaitMs = 30_000;

/**
 * Polls `url` and passes each answer on. It uses a plain `fetch` and never the router, because a failed revalidation of the router replaces the
 * page with its error boundary (measured); here a server restart or an hour offline only shows a notice. It pauses while the page is hidden,
 * waits longer after failures, and tries at once when the browser is online again. When the session has ended it stops until somebody has
 * signed in.
 * @param url same-origin address that answers JSON; null: nothing to ask
 * @param evenHidden polls while the page is hidden, too, because the answer is announced outside of the page
 * @returns true while the last question got no answer
 */
export function usePolling<Answer>(
  url: string | null,
  everyMs: number,
  onAnswer: (answer: Answer) => void,
  { evenHidden = false }: { evenHidden?: boolean } = {},
): boolean {
  const [isLost, setLost] = useState(false);
  const [isRefused, setRefused] = useState(false);
  const isStopped = useSessionEnded() && isRefused;
  const handler = useRef(onAnswer);
  handler.current = onAnswer;

  useEffect(() => {
    setLost(false);
    if (!url || isStopped) return;
    let stop = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    let failures = 0;

    const ask = async () => {
      // A request that is still under way has an older answer, or waits for a network that is gone.
      end();
      stop = new AbortController();
      const { signal } = stop;
      if (evenHidden || document.visibilityState === "visible") {
        try {
          const response = await askServer(url, { signal, headers: { Accept: "application/json" } });
          if (response.status >= 500) throw new Error(`HTTP ${response.status}`);
          failures = response.status === 429 ? failures + 1 : 0;
          setLost(false);
          setRefused(response.status === 401);
          if (response.status === 401) await checkSession();
          if (response.ok) handler.current((await response.json()) as Answer);
        } catch {
          if (signal.aborted) return;
          failures += 1;
          setLost(true);
        }
      }
      if (!signal.aborted) timer = setTimeout(ask, Math.min(everyMs * 2 ** Math.min(failures, 5), maxWaitMs));
    };
    const atOnce = () => {
      if (document.visibilityState === "visible" && failures > 0) void ask();
    };
    const end = () => {
      stop.abort();
      clearTimeout(timer);
    };

    timer = setTimeout(ask, everyMs);
    window.addEventListener("online", atOnce);
    document.addEventListener("visibilitychange", atOnce);
    return () => {
      end();
      window.removeEventListener("online", atOnce);
      document.removeEventListener("visibilitychange", atOnce);
    };
  }, [url, everyMs, isStopped, evenHidden]);

  return isLost;
}
