import { useRouteLoaderData } from "@remix-run/react";
import type { loader } from "../root.tsx";
import { useHydrated } from "./use-hydrated.ts";

/** The visitor's time zone: what the server knows from its cookie, the browser's own after hydration. */
export function useTimeZone(): string {
  const known = useRouteLoaderData<typeof loader>("root")?.timeZone ?? "UTC";
  return useHydrated() ? Intl.DateTimeFormat().resolvedOptions().timeZone : known;
}
