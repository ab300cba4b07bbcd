import { useRevalidator } from "@remix-run/react";
import { useEffect, useRef } from "react";
import type { AuthStatus } from "../../contract/api.ts";
import { limits } from "../../contract/limits.ts";
import { useSessionUser } from "../hooks/use-session-user.ts";

/** While signed in: asks on a click or key press, at most every 5 s, whether that is still so. */
export function SessionCheck() {
  const steamId = useSessionUser()?.steam_id;
  const { revalidate } = useRevalidator();
  const lastCheck = useRef(0);

  useEffect(() => {
    lastCheck.current = Date.now();
    async function check() {
      if (Date.now() - lastCheck.current < limits.authRecheckMs) return;
      lastCheck.current = Date.now();
      const response = await fetch("/session").catch(() => null);
      if (!response?.ok) return;
      const status = (await response.json()) as AuthStatus;
      if (status.user?.steam_id !== steamId) revalidate();
    }
    const onInteraction = () => void check();
    document.addEventListener("click", onInteraction);
    document.addEventListener("keydown", onInteraction);
    return () => {
      document.removeEventListener("click", onInteraction);
      document.removeEventListener("keydown", onInteraction);
    };
  }, [steamId, revalidate]);
  return null;
}
