import { useLocation, useNavigation } from "@remix-run/react";
import { type ReactNode, useEffect, useRef, useState } from "react";

const patienceMs = 180;

/** The page, or the outline of the next one if that takes longer than a moment to load. */
export function PendingPage({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  const navigation = useNavigation();
  const target = navigation.state === "loading" ? navigation.location.pathname : pathname;
  const isLeaving = target !== pathname;
  const [isSlow, setSlow] = useState(false);
  const left = useRef({ pathname, place: 0 });

  useEffect(() => {
    if (!isLeaving) return setSlow(false);
    const timer = setTimeout(() => {
      // Here and not once the outline is there: it is shorter than most pages, and by then the address may be the next one's.
      left.current = { pathname, place: scrollY };
      setSlow(true);
    }, patienceMs);
    return () => clearTimeout(timer);
  }, [isLeaving, pathname]);

  const showsOutline = isLeaving && isSlow;
  useEffect(() => {
    if (!showsOutline) return;
    // Scrolled far down, the outline would be out of sight.
    scrollTo(0, 0);
    return () => {
      if (location.pathname === left.current.pathname) scrollTo(0, left.current.place);
    };
  }, [showsOutline]);
  return (
    <>
      {isLeaving ? (
        <div aria-hidden="true" className="fixed inset-x-0 top-0 z-50 h-0.5 overflow-hidden">
          <div className="h-full w-2/5 animate-travel bg-flare" />
        </div>
      ) : null}
      <div hidden={showsOutline}>{children}</div>
      <p role="status" className={showsOutline ? "eyebrow mb-8" : "sr-only"}>
        {isLeaving ? loadingText(target) : ""}
      </p>
      {showsOutline ? <PageOutline isGrid={!/^\/(clips|match(es)?)\/./.test(target)} /> : null}
    </>
  );
}

function loadingText(path: string): string {
  if (/^\/(matches|my-matches)\/?$/.test(path)) return "Loading matches...";
  if (/^\/match(es)?\/./.test(path)) return "Loading match details...";
  if (/^\/clips\/./.test(path)) return "Loading clip...";
  return "Loading...";
}

function PageOutline({ isGrid }: { isGrid: boolean }) {
  return (
    <div aria-hidden="true" className="grid gap-6">
      <div className="shimmer h-12 w-2/3 max-w-md" />
      {isGrid ? (
        <div className="grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
          {["a", "b", "c", "d", "e", "f"].map((key) => (
            <div key={key} className="shimmer h-64" />
          ))}
        </div>
      ) : (
        <>
          <div className="shimmer aspect-video max-h-[32rem] w-full" />
          <div className="shimmer h-24 w-full" />
        </>
      )}
    </div>
  );
}
