import { useRevalidator } from "@remix-run/react";
import { useCallback, useEffect, useRef } from "react";

/**
 * Loads the page's data anew. Asked again while that is under way it does so once more afterwards: a load that another one cuts off is
 * an unhandled error of the page (Remix 2.17.5).
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
