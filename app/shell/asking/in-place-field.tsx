import { useHydrated } from "../use-hydrated.ts";

/** Tells the action that a script sent the form and keeps its page. Only rendered with JavaScript. */
export function InPlaceField() {
  return useHydrated() ? <input type="hidden" name="inPlace" value="1" /> : null;
}
