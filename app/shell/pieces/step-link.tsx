import { Link } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { Icon } from "./icon.tsx";

interface StepLinkProps {
  direction: "left" | "right";
  label: string;
  /** Address that shows the same step without JavaScript; null at an end. */
  to: string | null;
  onStep?: () => void;
}

/** An arrow of a carousel or of paging: a link, so that it works before and without JavaScript. */
export function StepLink({ direction, label, to, onStep }: StepLinkProps) {
  const hadFocus = useRef(false);
  const end = useRef<HTMLButtonElement>(null);
  const isEnd = to === null;
  useEffect(() => {
    if (isEnd && hadFocus.current) end.current?.focus({ preventScroll: true });
  }, [isEnd]);
  if (to === null) {
    return (
      // Not `disabled`, so that the focus stays when somebody steps to the end by keyboard.
      <button
        ref={end}
        type="button"
        aria-disabled="true"
        aria-label={label}
        className="icon-btn border border-line"
        onFocus={() => {
          hadFocus.current = true;
        }}
        onBlur={() => {
          hadFocus.current = false;
        }}
      >
        <Icon name={direction} />
      </button>
    );
  }
  return (
    <Link
      to={to}
      aria-label={label}
      rel="nofollow"
      preventScrollReset
      onFocus={() => {
        hadFocus.current = true;
      }}
      onBlur={(event) => {
        // A link that is removed while it has the focus fires no blur, or only once it is disconnected.
        if (event.target.isConnected) hadFocus.current = false;
      }}
      className="icon-btn border border-line-2"
      onClick={(event) => {
        if (!onStep || event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        onStep();
      }}
    >
      <Icon name={direction} />
    </Link>
  );
}
