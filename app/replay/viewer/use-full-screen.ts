import { type RefObject, useEffect, useState } from "react";

/** Whether an element fills the screen, and what changes that. */
export function useFullScreen(region: RefObject<HTMLElement>): { isFull: boolean; toggleFull: () => void } {
  const [isFull, setFull] = useState(false);
  useEffect(() => {
    const onChange = () =>
      setFull(document.fullscreenElement !== null && document.fullscreenElement === region.current);
    document.addEventListener("fullscreenchange", onChange);
    return () => document.removeEventListener("fullscreenchange", onChange);
  }, [region]);
  const toggleFull = () => {
    const change = isFull ? document.exitFullscreen() : region.current?.requestFullscreen();
    // If the browser refuses, the size stays as it is.
    change?.catch(() => {});
  };
  return { isFull, toggleFull };
}
