import { Link } from "@remix-run/react";
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
  if (to === null) {
    return (
      <button type="button" disabled aria-label={label} className="icon-btn border border-line">
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
