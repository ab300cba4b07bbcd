import { Fragment, memo, useMemo } from "react";
import { outOfSight } from "../shell/out-of-sight.ts";
import { HighlightCard } from "./highlight-card.tsx";
import {
  type HighlightOrder,
  type HighlightSelection,
  inOrder,
  isActive,
  isOverridden,
  playerKey,
} from "./highlight-selection.ts";
import type { HighlightSummary } from "./highlight-summary.ts";

/** Puts the reader's own highlights, if there are any, under a heading of their own. */
function groupsOf(listed: readonly HighlightSummary[], order: HighlightOrder, reader: string | null) {
  const isOwn = (highlight: HighlightSummary) => playerKey(highlight) === reader;
  if (order === "round" || !listed.some(isOwn)) return [{ heading: "", highlights: listed }];
  return [
    { heading: "Your best", highlights: listed.filter(isOwn) },
    { heading: "Best of the match", highlights: listed.filter((highlight) => !isOwn(highlight)) },
  ].filter(({ highlights }) => highlights.length > 0);
}

interface HighlightListProps {
  highlights: readonly HighlightSummary[];
  selection: HighlightSelection;
  order: HighlightOrder;
  /** Steam ID of the signed-in player, whose own highlights come first. */
  reader: string | null;
  topPicks: ReadonlySet<number>;
  onTick: (highlight: HighlightSummary) => void;
  replayPath: string;
  picturesUrl: string | null;
}

/** The cards of a match's highlights. Memoised, so that urgent updates of the form do not walk through all of them. */
export const HighlightList = memo(function HighlightList({
  highlights,
  selection,
  order,
  reader,
  topPicks,
  onTick,
  replayPath,
  picturesUrl,
}: HighlightListProps) {
  const groups = useMemo(
    () => groupsOf(inOrder(highlights, order, reader), order, reader),
    [highlights, order, reader],
  );
  return groups.map(({ heading, highlights: listed }) => (
    <Fragment key={heading}>
      {heading ? <h3 className="eyebrow mb-3 not-first:mt-7">{heading}</h3> : null}
      <ul className="grid grid-cols-[minmax(0,1fr)] content-start gap-3 sm:grid-cols-[repeat(auto-fill,minmax(15.5rem,1fr))]">
        {listed.map((highlight) => (
          <li
            key={highlight.id}
            style={outOfSight}
            className="grid min-w-0 grid-cols-1 [contain-intrinsic-size:auto_9rem] sm:[contain-intrinsic-size:auto_19rem]"
          >
            <HighlightCard
              highlight={highlight}
              isActive={isActive(selection, highlight)}
              isOverridden={isOverridden(selection, highlight)}
              isTopPick={topPicks.has(highlight.id)}
              onToggle={onTick}
              matchPath={replayPath}
              picturesUrl={picturesUrl}
            />
          </li>
        ))}
      </ul>
    </Fragment>
  ));
});
