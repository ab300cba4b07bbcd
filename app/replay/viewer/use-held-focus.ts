import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from "react";

/**
 * Keeps the focus in the viewer, which hears keys only there. When the focused control is disabled or removed while the next source
 * loads, the viewer itself takes the focus, and gives it back once the control is usable again.
 */
export function useHeldFocus(region: RefObject<HTMLElement>) {
  const holder = useRef<HTMLElement | null>(null);
  const returnsTo = useRef<HTMLElement | null>(null);
  useLayoutEffect(() => {
    const { current: around } = region;
    const { current: held } = holder;
    if (!around || !held) return;
    if (!held.isConnected || held.matches(":disabled")) {
      returnsTo.current = held.isConnected ? held : null;
      around.focus({ preventScroll: true });
    } else if (held === around) returnsTo.current?.focus({ preventScroll: true });
    else returnsTo.current = null;
  });
  return {
    onFocus: ({ target }: FocusEvent<HTMLElement>) => {
      holder.current = target;
    },
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
      if (!currentTarget.contains(relatedTarget)) holder.current = null;
    },
  };
}
