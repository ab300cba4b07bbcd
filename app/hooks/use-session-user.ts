import { useRouteLoaderData } from "@remix-run/react";
import type { CurrentUser } from "../../contract/api.ts";
import type { loader } from "../root.tsx";

/** The signed-in user, null when signed out. */
export function useSessionUser(): CurrentUser | null {
  return useRouteLoaderData<typeof loader>("root")?.user ?? null;
}
