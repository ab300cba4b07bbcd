import { useLocation } from "@remix-run/react";
import { createContext, useEffect, useState } from "react";
import { useBrowserLayoutEffect } from "../../shell/use-browser-layout-effect.ts";
import type { FoundSummary } from "./found-summary.ts";
import { pickField } from "./highlight-filter.ts";

/** The form to which the whole page belongs, so that the ticks are sent with every button. */
export const formId = "find-highlights";
/** The highlights that are ticked, on this and other pages of the list. */
export const Picked = createContext<readonly string[]>([]);

/** A ticked highlight as the form and the address name it. */
export const pickOf = ({ match_id, id }: Pick<FoundSummary, "match_id" | "id">) => `${match_id}:${id}`;

/** The ticks on this and other pages of the list. They are kept in the address too, so that they outlive the page. */
export function usePicks(picked: readonly string[]) {
  const [picks, setPicks] = useState(picked);
  const [unticked, setUnticked] = useState(0);
  const { pathname, search } = useLocation();
  const readPicks = () => {
    const form = document.getElementById(formId);
    if (form instanceof HTMLFormElement) setPicks(new FormData(form).getAll(pickField).map(String));
  };
  // Ticks made before hydration, or restored by the browser: read before anything can be pressed.
  useBrowserLayoutEffect(readPicks, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every new address is to hold what is ticked.
  useEffect(() => {
    const query = new URLSearchParams(location.search);
    if (location.pathname !== pathname || query.getAll(pickField).join() === picks.join()) return;
    query.delete(pickField);
    for (const pick of picks) query.append(pickField, pick);
    try {
      history.replaceState(history.state, "", `${pathname}${query.size > 0 ? `?${query}` : ""}${location.hash}`);
    } catch {
      // Safari allows a hundred changes in half a minute; the next one writes everything.
    }
  }, [picks, pathname, search]);
  const untick = () => {
    setPicks([]);
    setUnticked((before) => before + 1);
  };
  return { picks, readPicks, untick, unticked };
}
