import { useState } from "react";
import { useHeirOfFocus } from "../heir-of-focus.ts";
import { useHydrated } from "../use-hydrated.ts";

/** Asks for permission to notify the player of ready clips. Hidden once that is granted or denied, and if the browser has no notifications. */
export function NotifyButton() {
  const isHydrated = useHydrated();
  const [isAsked, setAsked] = useState(false);
  // The focus goes to the link beside it that leads to the clip, or to the heading of the clip's own page.
  const button = useHeirOfFocus<HTMLButtonElement>((gone) => [
    gone.parentElement?.querySelector("a"),
    gone.closest("main")?.querySelector("h1"),
  ]);
  if (!isHydrated || isAsked || !window.isSecureContext || window.Notification?.permission !== "default") return null;
  return (
    <button
      ref={button}
      type="button"
      className="btn btn-quiet"
      onClick={() => void Notification.requestPermission().finally(() => setAsked(true))}
    >
      Notify me
    </button>
  );
}
