import { Link, useLocation } from "@remix-run/react";
import { createContext, type ReactNode, type Ref, useContext, useEffect, useRef, useState } from "react";
import { highlightLabel, highlightTypes } from "../../../contract/highlight-types.ts";
import { limits } from "../../../contract/limits.ts";
import type { FoundHighlight, HighlightFilter } from "../../../contract/schemas/found-highlights.ts";
import { FilterForm, FilterList, PlayerField, TypeList } from "../../clips/filters/filter-form.tsx";
import type { MapOption } from "../../clips/filters/map-options.server.ts";
import { useValueOfAddress } from "../../clips/filters/value-of-address.ts";
import { MatchDate } from "../../matches/shared/match-date.tsx";
import { HighlightStill } from "../../replay/shared/highlight-still.tsx";
import { giveFocus, useHeirOfFocus } from "../../shell/heir-of-focus.ts";
import { Avatar } from "../../shell/pieces/avatar.tsx";
import { Icon } from "../../shell/pieces/icon.tsx";
import { StepLink } from "../../shell/pieces/step-link.tsx";
import { Unfold } from "../../shell/pieces/unfold.tsx";
import { uncoveredFocus } from "../../shell/uncovered-focus.ts";
import { useBrowserLayoutEffect } from "../../shell/use-browser-layout-effect.ts";
import { useHydrated } from "../../shell/use-hydrated.ts";
import { goField, highlightsAddress, highlightsQuery, maxPicks, pickField, picksByMatch } from "./highlight-filter.ts";

/** The fields of a highlight and its match that the page shows. */
export type FoundSummary = Pick<
  FoundHighlight,
  | "id"
  | "highlight_type"
  | "display_name"
  | "player_name"
  | "player_steam_id"
  | "player_avatar_url"
  | "round_number"
  | "reason"
  | "match_id"
  | "map_display_name"
  | "match_date"
  | "imported_at"
  | "can_create_clips"
  | "pictures_url"
>;

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

/** The form to which the whole page belongs, so that the ticks are sent with every button. */
const formId = "find-highlights";
const Picked = createContext<readonly string[]>([]);

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
                <FilterForm
                  id={formId}
                  action="/highlights"
                  label="Filter highlights"
                  isFiltered={isFiltered}
                  clearBy={(heir) => (
                    <Step heir={heir} filter={{}} className="btn min-h-12 text-fog hover:text-chalk">
                      Clear
                    </Step>
                  )}
                >
                  {elsewhere.map((pick) => (
                    <input key={pick} type="hidden" name={pickField} value={pick} />
                  ))}
                  <TypeList value={filter.type} />
                  <FilterList name="weapon" label="Weapon" all="All weapons" options={weapons} value={filter.weapon} />
                  <FilterList name="map" label="Map" all="All maps" options={maps} value={filter.map} />
                  {asked === "all" ? <input type="hidden" name="whose" value="all" /> : null}
                  <PlayerField value={asked === "all" ? undefined : asked} />
                  <DayField name="from" label="Played from" filter={filter} />
                  <DayField name="until" label="until" filter={filter} />
                </FilterForm>
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
              <Found highlight={highlight} isPicked={picks.includes(pickOf(highlight))} />
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

/** The ticks on this and other pages of the list. They are kept in the address too, so that they outlive the page. */
function usePicks(picked: readonly string[]) {
  const [picks, setPicks] = useState(picked);
  const [unticked, setUnticked] = useState(0);
  const { pathname, search } = useLocation();
  const readPicks = () => {
    const form = document.getElementById(formId);
    if (form instanceof HTMLFormElement) setPicks(new FormData(form).getAll(pickField).map(String));
  };
  // Ticks made before hydration, or restored by the browser: read before anything can be pressed.
  useBrowserLayoutEffect(readPicks, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every new address is to hold what is ticked.
  useEffect(() => {
    const query = new URLSearchParams(location.search);
    if (location.pathname !== pathname || query.getAll(pickField).join() === picks.join()) return;
    query.delete(pickField);
    for (const pick of picks) query.append(pickField, pick);
    try {
      history.replaceState(history.state, "", `${pathname}${query.size > 0 ? `?${query}` : ""}${location.hash}`);
    } catch {
      // Safari allows a hundred changes in half a minute; the next one writes everything.
    }
  }, [picks, pathname, search]);
  const untick = () => {
    setPicks([]);
    setUnticked((before) => before + 1);
  };
  return { picks, readPicks, untick, unticked };
}

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
function Step({ filter, page = 1, className, heir, label, isCurrent, children }: StepProps) {
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

function Turn({ direction, label, filter, page }: TurnProps) {
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

interface PickedBarProps {
  /** How many ticked highlights are not on this page. */
  elsewhere: number;
  leftOut: number;
  filter: HighlightFilter;
  page: number;
  onUntick: () => void;
}

function PickedBar({ elsewhere, leftOut, filter, page, onUntick }: PickedBarProps) {
  const picks = useContext(Picked);
  const isHydrated = useHydrated();
  const mostOfMatch = Math.max(0, ...[...picksByMatch(picks).values()].map(({ length }) => length));
  const tooMany =
    picks.length > maxPicks
      ? `Too many highlights ticked (${picks.length}/${maxPicks} max)`
      : mostOfMatch > limits.highlightsPerClip
        ? `Too many highlights of one match (${mostOfMatch}/${limits.highlightsPerClip} max)`
        : null;
  const untick = useHeirOfFocus<HTMLButtonElement>((gone) => [
    gone.closest("main")?.querySelector<HTMLElement>(`input[type=checkbox][name=${pickField}]`),
    gone.closest("main")?.querySelector("h1"),
  ]);
  return (
    <div
      ref={uncoveredFocus}
      className="create-bar ticked-bar sticky bottom-0 z-10 mt-5 flex flex-wrap items-center gap-x-2 gap-y-1 border-t border-line bg-void py-3 max-sm:bottom-16"
    >
      <p role="status" className="text-sm text-fog">
        {tooMany ?? ticksInWords(picks.length, elsewhere, isHydrated)}
        {leftOut > 0 ? ` ${leftOut} more did not stay ticked: ${maxPicks} at once is the most.` : null}
      </p>
      {isHydrated ? (
        picks.length > 0 ? (
          <button ref={untick} type="button" onClick={onUntick} className="btn px-3 text-fog hover:text-chalk">
            Untick all
          </button>
        ) : null
      ) : (
        <button
          type="submit"
          form={formId}
          name={goField}
          value={`${highlightsQuery(filter, page)}&untick=1`}
          className="btn px-3 text-fog hover:text-chalk"
        >
          Untick all
        </button>
      )}
      <button
        type="submit"
        form={formId}
        name="make"
        value={page}
        disabled={isHydrated && (picks.length === 0 || tooMany !== null)}
        className="btn btn-primary ml-auto"
      >
        Make a clip of these
      </button>
    </div>
  );
}

/** @param isCounted whether the ticks on this page are known, which needs a script */
function ticksInWords(ticked: number, elsewhere: number, isCounted: boolean): string {
  if (isCounted) return `${ticked} ticked${elsewhere > 0 ? `, ${elsewhere} of them not shown here` : ""}`;
  return elsewhere > 0 ? `${elsewhere} ticked that are not shown here` : "";
}

const pickOf = ({ match_id, id }: FoundSummary) => `${match_id}:${id}`;

function Found({ highlight, isPicked }: { highlight: FoundSummary; isPicked: boolean }) {
  const label = highlight.display_name || highlightLabel(highlight.highlight_type);
  const id = `pick-${highlight.match_id}-${highlight.id}`;
  const isKnown = highlightTypes.some((known) => known === highlight.highlight_type);
  return (
    <article className="panel relative flex overflow-hidden has-checked:border-flare">
      <span className="relative w-[34%] max-w-56 flex-none">
        <span aria-hidden="true" className="grid size-full place-items-center bg-void text-flare">
          <Icon name={isKnown ? highlight.highlight_type : "other"} className="size-9" />
        </span>
        <HighlightStill picturesUrl={highlight.pictures_url} highlightId={highlight.id} isOver />
      </span>
      <div className="min-w-0 flex-1 py-4 pl-3.5 last:pr-4">
        <h2 className="text-lg leading-tight">
          <label htmlFor={id} className="cover-link cursor-pointer">
            {label} <span className="text-fog">· Round {highlight.round_number}</span>
          </label>
        </h2>
        <p className="mt-0.5 text-sm leading-snug text-fog">{highlight.reason}</p>
        <p className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-haze">
          <PlayerLink highlight={highlight} />
          <Link
            to={`/matches/${highlight.match_id}`}
            className="above-cover relative inline-flex min-h-8 items-center wrap-anywhere hover:text-chalk"
          >
            {highlight.map_display_name}
          </Link>
          <MatchDate match={highlight} />
        </p>
        {highlight.can_create_clips ? null : (
          <p className="mt-1 text-sm text-tee">Its replay data has been deleted, so no new clip can be made of it.</p>
        )}
      </div>
      {highlight.can_create_clips ? (
        <input
          id={id}
          type="checkbox"
          form={formId}
          name={pickField}
          value={pickOf(highlight)}
          defaultChecked={isPicked}
          className="tick above-cover relative m-4 size-6 [--tick:var(--color-flare)]"
        />
      ) : null}
    </article>
  );
}

function PlayerLink({ highlight }: { highlight: FoundSummary }) {
  const { player_steam_id: steamId, player_name: name, player_avatar_url: url } = highlight;
  const face = (
    <>
      <Avatar url={url} of={steamId ?? name} className="size-6 text-xs" />
      <bdi className="max-w-44 truncate font-semibold text-fog">{name}</bdi>
    </>
  );
  if (!steamId) return <span className="inline-flex min-h-8 items-center gap-2">{face}</span>;
  return (
    <Link
      to={`/users/${steamId}/clips`}
      className="above-cover relative inline-flex min-h-8 items-center gap-2 hover:underline"
    >
      {face}
    </Link>
  );
}

interface DayFieldProps {
  name: "from" | "until";
  label: string;
  filter: HighlightFilter;
}

/** A date field with the browser's calendar. Not all calendars can clear it, so there is a link that does. */
function DayField({ name, label, filter }: DayFieldProps) {
  const { [name]: value, ...others } = filter;
  const field = useValueOfAddress<HTMLInputElement>(value ?? "");
  const clear = useHeirOfFocus<HTMLElement>(() => [field.current]);
  return (
    <div
      className={`grid min-w-0 grid-cols-1 gap-1 text-sm text-fog ${value ? "max-sm:col-span-2 sm:w-54" : "sm:w-40"}`}
    >
      <label htmlFor={`played-${name}`}>{label}</label>
      <div className="flex items-center gap-1">
        <input
          ref={field}
          id={`played-${name}`}
          type="date"
          name={name}
          defaultValue={value ?? ""}
          className="field min-w-0 flex-1"
        />
        {value ? (
          <Step heir={clear} filter={others} label={`Clear "${label}"`} className="icon-btn flex-none">
            <Icon name="close" className="size-5" />
          </Step>
        ) : null}
      </div>
    </div>
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
