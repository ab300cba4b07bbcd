import { useRouteLoaderData } from "@remix-run/react";
import type { CurrentUser } from "../contract/api.ts";

/** What every page knows: the root loader's answer. */
export interface RootData {
  /** Null when signed out. */
  user: CurrentUser | null;
  /** The visitor's zone as far as the server knows it, else "UTC". */
  timeZone: string;
  localIdentity: boolean;
}

const unknown: RootData = { user: null, timeZone: "UTC", localIdentity: false };

/** The root loader's answer; a signed-out visitor's while the root itself could not be loaded. */
export function useRootData(): RootData {
  return useRouteLoaderData<RootData>("root") ?? unknown;
}
