import { Link } from "@remix-run/react";
import { type ReactNode, type Ref, useContext } from "react";
import type { HighlightFilter } from "../../../contract/schemas/found-highlights.ts";
import { Icon } from "../../shell/pieces/icon.tsx";
import { StepLink } from "../../shell/pieces/step-link.tsx";
import { useHydrated } from "../../shell/use-hydrated.ts";
import { goField, highlightsAddress, highlightsQuery } from "./highlight-filter.ts";
import { formId, Picked } from "./picks.ts";

interface StepProps {
  /** What the list is narrowed down to then. */
  filter: HighlightFilter;
  page?: number;
  className: string;
  heir?: Ref<HTMLElement>;
  label?: string;
  isCurrent?: boolean;
  children: ReactNode;
}

/** Leads to another part of the list and keeps the ticks: a link that contains them or, before hydration, a button of the form. */
export function Step({ filter, page = 1, className, heir, label, isCurrent, children }: StepProps) {
  const picks = useContext(Picked);
  const looks = {
    className,
    "aria-label": label,
    title: label,
    "aria-current": isCurrent ? ("true" as const) : undefined,
  };
  if (useHydrated()) {
    return (
      <Link
        ref={heir as Ref<HTMLAnchorElement>}
        to={highlightsAddress(filter, page, picks)}
        preventScrollReset
        {...looks}
      >
        {children}
      </Link>
    );
  }
  return (
    <button type="submit" form={formId} name={goField} value={`${highlightsQuery(filter, page)}`} {...looks}>
      {children}
    </button>
  );
}

interface TurnProps {
  direction: "left" | "right";
  label: string;
  filter: HighlightFilter;
  page: number | null;
}

/** An arrow to the page before or after. */
export function Turn({ direction, label, filter, page }: TurnProps) {
  const picks = useContext(Picked);
  const isHydrated = useHydrated();
  if (isHydrated || page === null) {
    return (
      <StepLink
        direction={direction}
        label={label}
        to={page === null ? null : highlightsAddress(filter, page, picks)}
      />
    );
  }
  return (
    <Step filter={filter} page={page} label={label} className="icon-btn border border-line-2">
      <Icon name={direction} />
    </Step>
  );
}
