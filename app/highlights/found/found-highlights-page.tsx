import { Form, Link } from "@remix-run/react";
import { useState } from "react";
import type { FoundHighlight, HighlightFilter } from "../../../contract/api.ts";
import { highlightLabel, highlightTypes } from "../../../contract/highlight-types.ts";
import { limits } from "../../../contract/limits.ts";
import { FilterForm, FilterList, PlayerField, TypeList } from "../../clips/filters/filter-form.tsx";
import type { MapOption } from "../../clips/filters/map-options.server.ts";
import { useValueOfAddress } from "../../clips/filters/value-of-address.ts";
import { MatchDate } from "../../matches/shared/match-date.tsx";
import { useHeirOfFocus } from "../../shell/heir-of-focus.ts";
import { Avatar } from "../../shell/pieces/avatar.tsx";
import { Icon } from "../../shell/pieces/icon.tsx";
import { StepLink } from "../../shell/pieces/step-link.tsx";
import { useHydrated } from "../../shell/use-hydrated.ts";
import { highlightsAddress, pickField } from "./highlight-filter.ts";

/** What the page shows of a highlight and its match. */
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
  /** Addresses of the pages before and after. */
  previous: string | null;
  next: string | null;
  page: number;
  /** Ticked highlights of several matches: a link for each. */
  several: readonly { to: string; label: string }[];
  picked: readonly string[];
}

/** The highlights of all own matches, the best first, to make clips of. */
export function FoundHighlightsPage({
  highlights,
  filter,
  player,
  hasOwn,
  steamId,
  maps,
  weapons,
  previous,
  next,
  page,
  several,
  picked,
}: FoundHighlightsPageProps) {
  const isOwn = player === steamId;
  const { player: asked, ...others } = filter;
  const isFiltered = Object.keys(others).length > 0 || (asked !== undefined && asked !== "all");
  return (
    <>
      <header className="flex flex-wrap items-end justify-between gap-4">
        <div>
          <h1 className="title-1">My Highlights</h1>
          <p className="mt-2 text-lg text-fog">Of all your matches, the best first</p>
        </div>
        {hasOwn ? (
          <nav aria-label="Whose highlights" className="flex gap-2">
            <Whose to={whoseAddress(filter, null)} isCurrent={isOwn}>
              Yours
            </Whose>
            <Whose to={whoseAddress(filter, "all")} isCurrent={player === "all"}>
              Everybody's
            </Whose>
          </nav>
        ) : null}
      </header>
      <div className="mt-6">
        <FilterForm action="/highlights" label="Filter highlights" isFiltered={isFiltered}>
          <TypeList value={filter.type} />
          <FilterList name="weapon" label="Weapon" all="All weapons" options={weapons} value={filter.weapon} />
          <FilterList name="map" label="Map" all="All maps" options={maps} value={filter.map} />
          {asked === "all" ? <input type="hidden" name="whose" value="all" /> : null}
          <PlayerField value={asked === "all" ? undefined : asked} />
          <DayField name="from" label="Played from" filter={filter} />
          <DayField name="until" label="until" filter={filter} />
        </FilterForm>
      </div>
      {several.length > 0 ? (
        <section aria-labelledby="several" className="panel mt-6 border-tee p-5">
          <h2 id="several" className="text-xl">
            These are of {several.length} matches
          </h2>
          <p className="mt-1 text-fog">
            A clip shows highlights of one match. Make one of each, and put them together as a compilation afterwards.
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
      ) : null}
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
        // Of other highlights other ones are ticked. All around it stays, and keeps the focus.
        <Picker
          key={`${page} ${JSON.stringify(filter)}`}
          highlights={highlights}
          filter={filter}
          page={page}
          picked={picked}
        />
      )}
      {previous || next ? (
        <nav aria-label="Pages of highlights" className="mt-6 flex items-center justify-center gap-4">
          <StepLink direction="left" label="Previous page" to={previous} />
          <p className="figure text-lg text-fog">{page}</p>
          <StepLink direction="right" label="Next page" to={next} />
        </nav>
      ) : null}
    </>
  );
}

function Picker({
  highlights,
  filter,
  page,
  picked,
}: Pick<FoundHighlightsPageProps, "highlights" | "filter" | "page" | "picked">) {
  const [count, setCount] = useState(picked.length);
  const isHydrated = useHydrated();
  const isTooMany = count > limits.highlightsPerClip;
  return (
    <Form
      method="get"
      action="/highlights"
      onChange={(event) => setCount(new FormData(event.currentTarget).getAll(pickField).length)}
      className="mt-6"
    >
      {Object.entries(filter).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {page > 1 ? <input type="hidden" name="page" value={page} /> : null}
      <ul className="grid grid-cols-1 gap-3 md:grid-cols-2">
        {highlights.map((highlight) => (
          <li key={`${highlight.match_id} ${highlight.id}`} className="grid min-w-0 grid-cols-1">
            <Found highlight={highlight} isPicked={picked.includes(pickOf(highlight))} />
          </li>
        ))}
      </ul>
      <div className="create-bar ticked-bar sticky bottom-0 z-10 mt-5 flex flex-wrap items-center gap-4 border-t border-line bg-void/95 py-3 max-sm:bottom-16">
        <p role="status" className="text-sm text-fog">
          {isTooMany
            ? `Too many highlights (${count}/${limits.highlightsPerClip} max)`
            : isHydrated
              ? `${count} ticked`
              : ""}
        </p>
        <button
          type="submit"
          name="make"
          value="1"
          disabled={isHydrated && (count === 0 || isTooMany)}
          className="btn btn-primary ml-auto"
        >
          Make a clip of these
        </button>
      </div>
    </Form>
  );
}

const pickOf = ({ match_id, id }: FoundSummary) => `${match_id}:${id}`;

function Found({ highlight, isPicked }: { highlight: FoundSummary; isPicked: boolean }) {
  const label = highlight.display_name || highlightLabel(highlight.highlight_type);
  const id = `pick-${highlight.match_id}-${highlight.id}`;
  const isKnown = highlightTypes.some((known) => known === highlight.highlight_type);
  return (
    <article className="panel relative flex gap-3.5 p-4 has-checked:border-flare">
      <span className="grid size-11 flex-none place-items-center rounded-lg bg-void text-flare">
        <Icon name={isKnown ? highlight.highlight_type : "other"} className="size-6" />
      </span>
      <div className="min-w-0 flex-1">
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
          <p className="mt-1 text-sm text-tee">Its replay data is deleted: no new clip can be made of it.</p>
        )}
      </div>
      {highlight.can_create_clips ? (
        <input
          id={id}
          type="checkbox"
          name={pickField}
          value={pickOf(highlight)}
          defaultChecked={isPicked}
          className="tick above-cover relative size-6 [--tick:var(--color-flare)]"
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

/** A day, by the browser's own calendar. Not all of them can empty it again, so there is a link that does. */
function DayField({ name, label, filter }: DayFieldProps) {
  const { [name]: value, ...others } = filter;
  const field = useValueOfAddress<HTMLInputElement>(value ?? "");
  const clear = useHeirOfFocus<HTMLAnchorElement>(() => [field.current]);
  return (
    <div
      className={`grid min-w-0 grid-cols-1 gap-1 text-sm text-fog ${value ? "max-sm:col-span-2 sm:w-54" : "sm:w-44"}`}
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
          <Link
            ref={clear}
            to={highlightsAddress(others)}
            preventScrollReset
            aria-label={`Clear "${label}"`}
            title={`Clear "${label}"`}
            className="icon-btn flex-none"
          >
            <Icon name="close" className="size-5" />
          </Link>
        ) : null}
      </div>
    </div>
  );
}

function Whose({ to, isCurrent, children }: { to: string; isCurrent: boolean; children: string }) {
  return (
    <Link
      to={to}
      preventScrollReset
      aria-current={isCurrent ? "true" : undefined}
      className={`btn ${isCurrent ? "border border-flare bg-flare/10 text-chalk" : "btn-quiet"}`}
    >
      {children}
    </Link>
  );
}

function whoseAddress({ player: _, ...filter }: HighlightFilter, player: string | null): string {
  return highlightsAddress(player ? { ...filter, player } : filter);
}
