import { useState } from "react";
import { useHeirOfFocus } from "../heir-of-focus.ts";
import { useHydrated } from "../use-hydrated.ts";

/** Asks the browser for leave to say when clips are ready; gone once it was given or refused, and where there is none to ask for. */
export function NotifyButton() {
  const isHydrated = useHydrated();
  const [isAsked, setAsked] = useState(false);
  // To the way to what is waited for, which stands beside it, or to the name of the page that is about it.
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
