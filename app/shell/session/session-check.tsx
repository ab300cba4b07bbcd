import { useRevalidator } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { limits } from "../../../contract/limits.ts";
import { ConnectionNotice } from "../asking/connection-notice.tsx";
import { usePolling } from "../asking/use-polling.ts";
import { useRootData } from "../root-data.ts";
import { checkSession, useSessionEnded } from "./ended-session.ts";
import { SessionEndedNotice } from "./session-ended-notice.tsx";

/** While signed in: asks on a click or key press, at most every 5 s, whether that is still so, and says when it is not. */
export function SessionCheck() {
  const { user, isUnknown } = useRootData();
  const steamId = user?.steam_id;
  const { revalidate } = useRevalidator();
  const lastCheck = useRef(0);
  usePolling(isUnknown ? "/session" : null, limits.clipStatusPollMs, revalidate);

  useEffect(() => {
    lastCheck.current = Date.now();
    async function check() {
      if (Date.now() - lastCheck.current < limits.authRecheckMs) return;
      lastCheck.current = Date.now();
      const status = await checkSession();
      if (status?.user && status.user.steam_id !== steamId) revalidate();
    }
    const onInteraction = () => void check();
    document.addEventListener("click", onInteraction);
    document.addEventListener("keydown", onInteraction);
    return () => {
      document.removeEventListener("click", onInteraction);
      document.removeEventListener("keydown", onInteraction);
    };
  }, [steamId, revalidate]);
  return (
    <>
      <SessionEndedNotice isShown={useSessionEnded()} />
      <ConnectionNotice isLost={isUnknown} />
    </>
  );
}
