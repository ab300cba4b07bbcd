import { useLocation } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { useBrowserLayoutEffect } from "./use-browser-layout-effect.ts";

const secondsInYear = 365 * 24 * 3600;

/** Does at a route change what browsers do when they load a page: scrolls to the top, to the address's anchor or to where the visitor was, focuses the content, and has the title read out. */
export function RouteChange() {
  const { pathname, hash } = useLocation();
  const shown = useRef(pathname);
  const places = useRef<typeof import("./on-demand/scroll-places.ts")>();
  const [title, setTitle] = useState("");

  useBrowserLayoutEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    if (!places.current?.returnsToPlace()) {
      window.scrollTo(0, 0);
      document.getElementById(hash.slice(1))?.scrollIntoView();
    }
    document.getElementById("content")?.focus({ preventScroll: true });
    setTitle(document.title);
  }, [pathname]);

  useEffect(() => {
    history.scrollRestoration = "manual";
    import("./on-demand/scroll-places.ts").then(
      (loaded) => {
        places.current = loaded;
      },
      () => {},
    );
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and Safari.
    document.cookie = `tz=${timeZone}; Path=/; Max-Age=${secondsInYear}; SameSite=Lax`;
    if (new URLSearchParams(location.search).get("login") === "success") {
      history.replaceState(history.state, "", location.pathname);
    }
  }, []);

  return (
    <p aria-live="polite" className="sr-only">
      {title}
    </p>
  );
}
