import { useEffect, useLayoutEffect } from "react";

/** `useLayoutEffect` without React's warning while the server renders, where neither runs. */
export const useBrowserLayoutEffect = typeof document === "undefined" ? useEffect : useLayoutEffect;
