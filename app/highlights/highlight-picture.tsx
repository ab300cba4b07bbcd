import { highlightTypes } from "../../contract/highlight-types.ts";
import { Icon } from "../shell/pieces/icon.tsx";
import { categoryOf } from "./highlight-selection.ts";
import type { HighlightSummary } from "./highlight-summary.ts";

const looks = {
  special: "text-tee from-tee/20",
  multikill: "text-flare from-flare/20",
  clutch: "text-ct from-ct/20",
  other: "text-fog from-line",
} as const;

/**
 * The head of a highlight's card, in 16:9: the emblem of its type. What shows the moment itself lies over it and fills its parent,
 * which is positioned.
 */
export function HighlightPicture({ highlight }: { highlight: HighlightSummary }) {
  const { highlight_type: type } = highlight;
  return (
    <span
      aria-hidden="true"
      className={`grid size-full place-items-center bg-radial to-void to-75% ${looks[categoryOf(type)]}`}
    >
      <Icon name={iconOf(type)} className="size-9 sm:size-12" />
    </span>
  );
}

/** Every type has a picture; types that this version does not know share one. */
const iconOf = (type: string) => (highlightTypes.some((known) => known === type) ? type : "other");
