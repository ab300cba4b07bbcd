import { useRouteLoaderData } from "@remix-run/react";
import type { CurrentUser } from "../../contract/schemas/accounts.ts";

/** What every page knows: the root loader's answer. */
export interface RootData {
  /** Null when signed out. */
  user: CurrentUser | null;
  /** True when the API did not say who is signed in. */
  isUnknown: boolean;
  /** The visitor's zone as far as the server knows it, else "UTC". */
  timeZone: string;
  localIdentity: boolean;
  /** True when the visitor's browser asks for less data. */
  savesData: boolean;
}

const nothing: RootData = { user: null, isUnknown: false, timeZone: "UTC", localIdentity: false, savesData: false };

/** In the browser: the last answer that knew who is signed in. */
let lastKnown: RootData | null = null;

/**
 * The root loader's answer. While there is none, because the server is away, an open page keeps what it knew; a page that has
 * just been opened is a signed-out visitor's.
 */
export function useRootData(): RootData {
  const loaded = useRouteLoaderData<RootData>("root");
  if (loaded && !loaded.isUnknown) {
    if (typeof document !== "undefined") lastKnown = loaded;
    return loaded;
  }
  return lastKnown ? { ...lastKnown, isUnknown: loaded !== undefined } : (loaded ?? nothing);
}
