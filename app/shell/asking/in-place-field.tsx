import { useHydrated } from "../use-hydrated.ts";

/** Tells the action to answer a script, which keeps its page. Only a page with JavaScript has it. */
export function InPlaceField() {
  return useHydrated() ? <input type="hidden" name="inPlace" value="1" /> : null;
}
