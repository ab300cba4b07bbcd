import { useRevalidator } from "@remix-run/react";
import { useCallback, useEffect, useRef } from "react";

/**
 * Reloads the page's data. When called while a reload is under way it reloads once more afterwards: interrupting a reload causes an unhandled
 * error on the page (Remix 2.17.5).
 */
export function useReload(): () => void {
  const { state, revalidate } = useRevalidator();
  const isBusy = useRef(false);
  isBusy.current = state !== "idle";
  const isWanted = useRef(false);
  useEffect(() => {
    if (state !== "idle" || !isWanted.current) return;
    isWanted.current = false;
    revalidate();
  }, [state, revalidate]);
  return useCallback(() => {
    if (isBusy.current) isWanted.current = true;
    else revalidate();
    isBusy.current = true;
  }, [revalidate]);
}
