import { useEffect, useRef, useState } from "react";

/** Most automatic retries in a row. */
const mostTries = 3;
/** After a longer wait, visitors would think that the page is broken. */
const longestWaitSeconds = 60;

/**
 * Retries automatically, a few times in a row, if the server has said when to ask again.
 * @param retryAfterSeconds of the problem that is shown now; null if there is none, or it does not pass by itself
 * @param isReady whether the retried request has succeeded
 * @returns the seconds from the problem to the next try; null: only on a click, which is reported by `onPress`
 */
export function useLaterTry(retryAfterSeconds: number | null, isReady: boolean, again: () => void) {
  const [tries, setTries] = useState(0);
  const latest = useRef(again);
  latest.current = again;
  const isLater = retryAfterSeconds !== null && retryAfterSeconds <= longestWaitSeconds && tries < mostTries;
  const waitSeconds = isLater ? Math.ceil(retryAfterSeconds) : null;
  useEffect(() => {
    if (isReady) setTries(0);
  }, [isReady]);
  useEffect(() => {
    if (waitSeconds === null) return;
    const timer = setTimeout(() => {
      setTries((count) => count + 1);
      latest.current();
    }, waitSeconds * 1000);
    return () => clearTimeout(timer);
  }, [waitSeconds]);
  return {
    waitSeconds,
    onPress() {
      setTries(0);
      again();
    },
  };
}
