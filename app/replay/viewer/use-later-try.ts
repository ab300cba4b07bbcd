import { useEffect, useRef, useState } from "react";

/** So often in a row nobody has to press anything. */
const mostTries = 3;
/** Who waits for longer would take the page for broken. */
const longestWaitSeconds = 60;

/**
 * Tries again by itself what the server has said to ask for later, a few times in a row.
 * @param retryAfterSeconds of the problem that is shown now; null: there is none, or it does not pass by itself
 * @param isReady what was tried has come
 * @returns how long after the problem came it is tried again, in seconds; null: only on a press, which is told by `onPress`
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
