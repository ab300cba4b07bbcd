import { type RefObject, useEffect, useState } from "react";

/** True once the element has come within `marginPixels` of the viewport, and from then on. */
export function useNearViewport(element: RefObject<Element | null>, marginPixels: number, atOnce = false): boolean {
  const [isNear, setNear] = useState(atOnce);
  useEffect(() => {
    if (isNear || !element.current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setNear(true);
      },
      { rootMargin: `${marginPixels}px` },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, marginPixels, isNear]);
  return isNear;
}
