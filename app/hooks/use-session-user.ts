import type { CurrentUser } from "../../contract/api.ts";
import { useRootData } from "../root-data.ts";

/** The signed-in user, null when signed out. */
export function useSessionUser(): CurrentUser | null {
  return useRootData().user;
}
