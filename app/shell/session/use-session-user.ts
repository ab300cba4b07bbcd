import type { CurrentUser } from "../../../contract/schemas/accounts.ts";
import { useRootData } from "../root-data.ts";
import { useSessionEnded } from "./ended-session.ts";

/** The signed-in user; null when signed out, and once the session has ended while the page is open. */
export function useSessionUser(): CurrentUser | null {
  const { user } = useRootData();
  return useSessionEnded() ? null : user;
}
