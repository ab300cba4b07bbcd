import { useRootData } from "./root-data.ts";
import { useHydrated } from "./use-hydrated.ts";

/** The visitor's time zone: what the server knows from its cookie, the browser's own after hydration. */
export function useTimeZone(): string {
  const { timeZone } = useRootData();
  return useHydrated() ? Intl.DateTimeFormat().resolvedOptions().timeZone : timeZone;
}
