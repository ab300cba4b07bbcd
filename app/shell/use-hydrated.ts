import { useSyncExternalStore } from "react";

const never = () => () => {};

/** False in server HTML and the first render in the browser, true from then on. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
