import { useRouteLoaderData } from "@remix-run/react";
import type { CurrentUser } from "../../contract/schemas/accounts.ts";

/** Data of the root loader, which every page has. */
export interface RootData {
  /** Null when signed out. */
  user: CurrentUser | null;
  /** True when the API did not say who is signed in. */
  isUnknown: boolean;
  /** The visitor's time zone if the server knows it, else "UTC". */
  timeZone: string;
  localIdentity: boolean;
  /** True when the visitor's browser asks to save data. */
  savesData: boolean;
}

const nothing: RootData = { user: null, isUnknown: false, timeZone: "UTC", localIdentity: false, savesData: false };

/** In the browser: the last root data that said who is signed in. */
let lastKnown: RootData | null = null;

/**
 * Data of the root loader. While the server is away an open page keeps its last data, and a freshly opened one is shown as to a signed-out
 * visitor.
 */
export function useRootData(): RootData {
  const loaded = useRouteLoaderData<RootData>("root");
  if (loaded && !loaded.isUnknown) {
    if (typeof document !== "undefined") lastKnown = loaded;
    return loaded;
  }
  return lastKnown ? { ...lastKnown, isUnknown: loaded !== undefined } : (loaded ?? nothing);
}
