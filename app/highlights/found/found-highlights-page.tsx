import { Link, useLocation } from "@remix-run/react";
import { useEffect, useRef } from "react";
import type { HighlightFilter } from "../../../contract/schemas/found-highlights.ts";
import type { MapOption } from "../../clips/filters/map-options.server.ts";
import { giveFocus } from "../../shell/heir-of-focus.ts";
import { Unfold } from "../../shell/pieces/unfold.tsx";
import { FoundCard } from "./found-card.tsx";
import { FoundFilters } from "./found-filters.tsx";
import type { FoundSummary } from "./found-summary.ts";
import { PickedBar } from "./picked-bar.tsx";
import { formId, Picked, pickOf, usePicks } from "./picks.ts";
import { Step, Turn } from "./step.tsx";

interface FoundHighlightsPageProps {
  highlights: FoundSummary[];
  filter: HighlightFilter;
  /** Whose highlights these are: a Steam ID, a name or `all`. */
  player: string;
  hasOwn: boolean;
  steamId: string | null;
  maps: readonly MapOption[];
  weapons: readonly MapOption[];
  page: number;
  hasNext: boolean;
  /** A link for each match, if highlights of several are ticked. */
  several: readonly { to: string; label: string }[];
  /** The ticks in the address, including highlights on other pages. */
  picked: readonly string[];
  /** How many ticks did not fit into the address. */
  leftOut: number;
}

/** The highlights of all own matches, the best first, for making clips. Ticks stay, whatever the list shows. */
export function FoundHighlightsPage({
  highlights,
  filter,
  player,
  hasOwn,
  steamId,
  maps,
  weapons,
  page,
  hasNext,
  several,
  picked,
  leftOut,
}: FoundHighlightsPageProps) {
  const { picks, readPicks, untick, unticked } = usePicks(picked);
  const isOwn = player === steamId;
  const { player: asked, ...others } = filter;
  const isFiltered = Object.keys(others).length > 0 || (asked !== undefined && asked !== "all");
  const shown = highlights.map(pickOf);
  const elsewhere = picks.filter((pick) => !shown.includes(pick));
  const isAll = player === "all" || !hasOwn;
  const hasNone = isAll && highlights.length === 0 && !isFiltered && page === 1 && picks.length === 0;
  const { search } = useLocation();
  return (
    <Picked.Provider value={picks}>
      {/* Enter in a field presses the form's first button, which must not lead elsewhere. */}
      <button type="submit" form={formId} hidden tabIndex={-1}>
        Show
      </button>
      <header className="flex flex-wrap items-end justify-between gap-4">
        <div>
          <h1 className="title-1">My Highlights</h1>
          <p className="mt-2 text-lg text-fog">From all your matches, best first</p>
        </div>
        {hasOwn ? (
          <nav aria-label="Whose highlights" className="flex gap-2">
            <Whose filter={others} isCurrent={isOwn}>
              Yours
            </Whose>
            <Whose filter={{ ...others, player: "all" }} isCurrent={player === "all"}>
              Everybody's
            </Whose>
          </nav>
        ) : null}
      </header>
      {hasNone ? (
        // There is nothing to filter, but buttons that lead elsewhere belong to this form.
        <form id={formId} action="/highlights" />
      ) : (
        <div className="relative mt-6">
          <Unfold
            query={new URLSearchParams(isFiltered ? "unfolded=filters" : search)}
            name="filters"
            label="Filters"
            until="lg"
            folded={
              <div className="max-lg:mt-3">
                <FoundFilters
                  filter={filter}
                  isFiltered={isFiltered}
                  maps={maps}
                  weapons={weapons}
                  elsewhere={elsewhere}
                />
              </div>
            }
          />
        </div>
      )}
      {several.length > 0 ? <Several key={several.map(({ to }) => to).join()} several={several} /> : null}
      {highlights.length === 0 ? (
        <p
          role="status"
          className="mt-8 rounded-2xl border border-dashed border-line-2 px-6 py-14 text-center text-fog"
        >
          {isFiltered ? (
            "No highlight fits these filters."
          ) : (
            <>
              There are no highlights yet.{" "}
              <Link to="/matches" className="link">
                Import a match
              </Link>
            </>
          )}
        </p>
      ) : (
        <ul key={unticked} onChange={readPicks} className="mt-6 grid grid-cols-1 gap-3 md:grid-cols-2">
          {highlights.map((highlight) => (
            <li key={`${highlight.match_id} ${highlight.id}`} className="grid min-w-0 grid-cols-1">
              <FoundCard highlight={highlight} isPicked={picks.includes(pickOf(highlight))} />
            </li>
          ))}
        </ul>
      )}
      {highlights.length > 0 || picks.length > 0 ? (
        <PickedBar elsewhere={elsewhere.length} leftOut={leftOut} filter={filter} page={page} onUntick={untick} />
      ) : null}
      {page > 1 || hasNext ? (
        <nav aria-label="Pages of highlights" className="mt-6 flex items-center justify-center gap-4">
          <Turn direction="left" label="Previous page" filter={filter} page={page > 1 ? page - 1 : null} />
          <p className="figure text-lg text-fog">{page}</p>
          <Turn direction="right" label="Next page" filter={filter} page={hasNext ? page + 1 : null} />
        </nav>
      ) : null}
    </Picked.Provider>
  );
}

function Whose({ filter, isCurrent, children }: { filter: HighlightFilter; isCurrent: boolean; children: string }) {
  return (
    <Step
      filter={filter}
      isCurrent={isCurrent}
      className={`btn ${isCurrent ? "border border-flare bg-flare/10 text-chalk" : "btn-quiet"}`}
    >
      {children}
    </Step>
  );
}

/** What to do with highlights of several matches. It is above the button that was pressed, and gets the focus. */
function Several({ several }: Pick<FoundHighlightsPageProps, "several">) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!heading.current) return;
    giveFocus(heading.current);
    heading.current.scrollIntoView({ block: "center" });
  }, []);
  return (
    <section aria-labelledby="several" className="panel mt-6 border-tee p-5">
      <h2 ref={heading} id="several" className="text-xl">
        These are from {several.length} matches
      </h2>
      <p className="mt-1 text-fog">
        A clip shows highlights of one match. Make a clip for each match, then join them in a compilation.
      </p>
      <ul className="mt-3 flex flex-wrap gap-3">
        {several.map(({ to, label }) => (
          <li key={to}>
            <Link to={to} className="btn btn-quiet">
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
