import { useEffect, useState } from "react";
import { askServer } from "./asking/ask-server.ts";
import { Icon } from "./pieces/icon.tsx";

/**
 * Keeps visitors on their page when they follow a link without a network: the router would replace it by an error, or by the browser's
 * own error page where the next page's script is missing (Remix 2.17.5, measured). The server is asked before, because browsers
 * also call themselves offline on a machine without internet that runs this server.
 */
export function OfflineGuard() {
  const [isStopped, setStopped] = useState(false);
  useEffect(() => {
    let isPassed = false;
    const onClick = async (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      if (navigator.onLine || isPassed || !link || !isForRouter(event, link)) return;
      event.preventDefault();
      event.stopPropagation();
      const answer = await askServer("/session").catch(() => null);
      setStopped(!answer);
      if (!answer) return;
      isPassed = true;
      link.click();
      isPassed = false;
    };
    const onOnline = () => setStopped(false);
    // Before React, whose own listener is on the document.
    window.addEventListener("click", onClick, true);
    window.addEventListener("online", onOnline);
    return () => {
      window.removeEventListener("click", onClick, true);
      window.removeEventListener("online", onOnline);
    };
  }, []);
  // No element while there is nothing to say: many pages have an alert of their own.
  return isStopped ? (
    <div
      role="alert"
      className="pointer-events-none fixed inset-x-0 bottom-4 z-50 flex justify-center px-4 max-sm:bottom-20"
    >
      <p className="flex animate-rise items-center gap-2 rounded-2xl border border-tee/50 bg-ink px-4 py-2 text-sm font-semibold text-tee shadow-lg">
        <Icon name="wifi-off" />
        You are offline. This page stays; follow the link again once you are back.
      </p>
    </div>
  ) : null;
}

/** Whether a press makes the router load a page. Its links are marked by Remix; all others are the browser's or have an action of their own. */
function isForRouter({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent, link: HTMLAnchorElement): boolean {
  if (button !== 0 || ctrlKey || metaKey || shiftKey || altKey || !link.hasAttribute("data-discover")) return false;
  return link.pathname + link.search !== location.pathname + location.search;
}
