import { useEffect, useRef, useState } from "react";
import { Icon } from "../../shell/pieces/icon.tsx";
import { stopLoops, useLoopsAllowed } from "./loops-allowed.ts";

/** More at once make a phone drop frames, and nobody can watch them. */
const mostAtOnce = 3;
/** The share of a loop that has to be in view. */
const seenPart = 0.6;

/** The loops that are in view, in the order in which they came; the first of them play. */
const inView = new Set<(mayPlay: boolean) => void>();

function givePlaces(): void {
  let place = 0;
  for (const tell of inView) tell(place++ < mostAtOnce);
}

/**
 * The moving picture of a clip over its poster: silent, looped, hidden from screen readers, and not counted as a view. It is not
 * loaded before it is in view, and pauses while it is not. Its parent is positioned.
 * @param onShown called when it starts and stops moving
 */
export function ClipLoop({ url, onShown }: { url: string; onShown?: (isShown: boolean) => void }) {
  const place = useRef<HTMLDivElement>(null);
  const video = useRef<HTMLVideoElement>(null);
  const isAllowed = useLoopsAllowed() === "playing";
  const [mayPlay, setMayPlay] = useState(false);
  const [wasSeen, setSeen] = useState(false);
  const [isMoving, setMoving] = useState(false);

  useEffect(() => {
    if (!isAllowed || !place.current) return;
    const leave = () => {
      inView.delete(setMayPlay);
      setMayPlay(false);
      givePlaces();
    };
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.at(-1)?.isIntersecting) leave();
        else if (!inView.has(setMayPlay)) {
          inView.add(setMayPlay);
          givePlaces();
        }
      },
      { threshold: seenPart },
    );
    observer.observe(place.current);
    return () => {
      observer.disconnect();
      leave();
    };
  }, [isAllowed]);

  useEffect(() => {
    if (mayPlay) setSeen(true);
  }, [mayPlay]);

  useEffect(() => {
    if (!wasSeen || !video.current) return;
    // Rejected by the browser, or by a pause before it began: then the poster stays.
    if (mayPlay) video.current.play().catch(() => {});
    else video.current.pause();
  }, [wasSeen, mayPlay]);

  useEffect(() => {
    if (isAllowed) return;
    setMoving(false);
    onShown?.(false);
  }, [isAllowed, onShown]);

  function show(isShown: boolean) {
    setMoving(isShown);
    onShown?.(isShown);
  }

  return (
    <div ref={place} aria-hidden="true" className="pointer-events-none absolute inset-0">
      {wasSeen && isAllowed ? (
        <video
          ref={video}
          src={url}
          muted
          loop
          playsInline
          preload="none"
          tabIndex={-1}
          disablePictureInPicture
          disableRemotePlayback
          onPlaying={() => show(true)}
          onError={() => show(false)}
          className={`size-full object-cover transition-opacity ${isMoving ? "" : "opacity-0"}`}
        />
      ) : null}
    </div>
  );
}

/** Stops and starts all moving pictures of the site; absent if none would move, though its space is reserved. */
export function LoopSwitch({ className = "" }: { className?: string }) {
  const allowed = useLoopsAllowed();
  const isMoving = allowed === "playing";
  return (
    <button
      type="button"
      aria-pressed={isMoving}
      onClick={() => stopLoops(isMoving)}
      className={`btn btn-quiet ${allowed === "never" ? "invisible" : ""} ${className}`}
    >
      <Icon name={isMoving ? "pause" : "play"} className="size-4" />
      <span>Autoplay</span>
    </button>
  );
}
