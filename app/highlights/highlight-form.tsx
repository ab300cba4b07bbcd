import { useFetcher, useSearchParams } from "@remix-run/react";
import { type FormEvent, useCallback, useEffect, useMemo, useRef } from "react";
import type { ClipFormat } from "../../contract/clip-formats.ts";
import type { MatchDetail } from "../../contract/schemas/matches.ts";
import type { ClipSummary } from "../clips/clip-summary.ts";
import type { CreateClipResult } from "../clips/create-clip-result.ts";
import { InPlaceField } from "../shell/asking/in-place-field.tsx";
import { Icon } from "../shell/pieces/icon.tsx";
import { useSessionUser } from "../shell/session/use-session-user.ts";
import { uncoveredFocus } from "../shell/uncovered-focus.ts";
import { CreateBar } from "./create-bar.tsx";
import { FilterButton, HighlightFilters } from "./highlight-filters.tsx";
import { HighlightList } from "./highlight-list.tsx";
import {
  activeHighlights,
  applyToggle,
  emptySelection,
  type HighlightOrder,
  selectorTeams,
  toggleHighlight,
  topPickCount,
  topPicks,
} from "./highlight-selection.ts";
import type { HighlightSummary } from "./highlight-summary.ts";
import { useHighlightChoice } from "./use-highlight-choice.ts";

const orderLabels: Record<HighlightOrder, string> = { best: "Best first", round: "By round" };

interface HighlightFormProps {
  matchPath: string;
  /** Below this path lie its replay calls; the page itself has two addresses. */
  replayPath: string;
  highlights: HighlightSummary[];
  playersByTeam: MatchDetail["players_by_team"];
  canCreateClips: boolean;
  /** Before the names of the match's pictures. */
  picturesUrl: string | null;
  defaultFormat: ClipFormat;
  /** All clips of the match. */
  clips: readonly ClipSummary[];
  formResult: CreateClipResult | null;
  onMade: (clipId: number) => void;
}

/**
 * Settings, filters, highlights and the create button: one form. Without JavaScript the filter buttons send it by GET and the
 * page comes back with the filters applied; the create button sends it by POST.
 */
export function HighlightForm({
  matchPath,
  replayPath,
  highlights,
  playersByTeam,
  canCreateClips,
  picturesUrl,
  defaultFormat,
  clips,
  formResult,
  onMade,
}: HighlightFormProps) {
  const [address] = useSearchParams();
  const query = formResult?.chosen ? new URL(formResult.chosen, "http://x").searchParams : address;
  const fetcher = useFetcher<CreateClipResult>();
  const form = useRef<HTMLFormElement>(null);
  const teams = useMemo(() => selectorTeams(highlights, playersByTeam), [highlights, playersByTeam]);
  const reader = useSessionUser()?.steam_id ?? null;
  const choice = useHighlightChoice({ form, query, highlights, teams, reader });
  const { selection, order, shown, shownOrder, choose, orderBy } = choice;
  const isSending = fetcher.state !== "idle";
  const isSent = useRef(false);
  useEffect(() => {
    if (isSending) return;
    isSent.current = false;
    if (!fetcher.data?.ok || !fetcher.data.isNew) return;
    choose(() => emptySelection, true);
    onMade(fetcher.data.clipId);
    window.scrollTo({ top: 0, behavior: "smooth" });
  }, [isSending, fetcher.data, onMade, choose]);

  // Among a few highlights the best need no mark.
  const hasTopPicks = highlights.length > topPickCount * 2;
  const best = useMemo(
    () => (hasTopPicks ? topPicks(highlights, reader) : new Set<number>()),
    [hasTopPicks, highlights, reader],
  );
  const onTick = useCallback(
    (highlight: HighlightSummary) => choose((before) => toggleHighlight(before, highlight), true),
    [choose],
  );
  const onToggle = useCallback(
    (toggle: string) => choose((before) => applyToggle(before, toggle, teams, highlights, reader), false),
    [choose, teams, highlights, reader],
  );

  return (
    <fetcher.Form
      ref={form}
      id="highlights"
      method="post"
      action={matchPath}
      onSubmit={(event: FormEvent) => {
        // A second click may come before the button is drawn as busy.
        if (isSent.current) event.preventDefault();
        isSent.current = true;
      }}
      className="mt-4 grid grid-cols-[minmax(0,1fr)] gap-5 lg:grid-cols-[15rem_minmax(0,1fr)] xl:grid-cols-[15rem_minmax(0,1fr)_20.5rem]"
      data-way-back={matchPath}
    >
      {/* Enter in a checkbox presses the form's first button: one that changes nothing, so that no filter is set by accident. */}
      <button
        type="submit"
        formMethod="get"
        name="toggle"
        value="nothing"
        aria-hidden="true"
        tabIndex={-1}
        className="sr-only"
        onClick={(event) => event.preventDefault()}
      />
      <InPlaceField />
      {selection.players.map((key) => (
        <input key={key} type="hidden" name="player" value={key} />
      ))}
      {selection.categories.map((category) => (
        <input key={category} type="hidden" name="category" value={category} />
      ))}
      <input type="hidden" name="settings" value="chosen" />
      <input type="hidden" name="order" value={order} />

      <HighlightFilters
        query={query}
        teams={teams}
        players={selection.players}
        categories={selection.categories}
        highlights={highlights}
        onToggle={onToggle}
      />
      <div className="highlight-list min-w-0">
        {hasTopPicks ? (
          <div className="mb-4 flex flex-wrap items-center justify-between gap-2">
            <FilterButton value="best" onToggle={onToggle} className="btn btn-quiet max-sm:px-3">
              <Icon name="ace" className="size-5 text-flare" />
              Tick the best {topPickCount}
            </FilterButton>
            <fieldset aria-label="Order" className="flex gap-1.5">
              {Object.entries(orderLabels).map(([name, label]) => (
                <FilterButton
                  key={name}
                  value={`order:${name}`}
                  isOn={order === name}
                  onToggle={() => orderBy(name as HighlightOrder)}
                  className="filter"
                >
                  {label}
                </FilterButton>
              ))}
            </fieldset>
          </div>
        ) : null}
        <HighlightList
          highlights={highlights}
          selection={shown}
          order={shownOrder}
          reader={reader}
          topPicks={best}
          onTick={onTick}
          replayPath={replayPath}
          picturesUrl={picturesUrl}
        />
      </div>
      <div ref={uncoveredFocus} className="create-bar match-bar">
        {canCreateClips ? (
          <CreateBar
            query={query}
            active={activeHighlights(selection, highlights)}
            clips={clips}
            defaultFormat={defaultFormat}
            answer={fetcher.data ?? formResult}
            isSending={isSending}
            replayPath={replayPath}
            picturesUrl={picturesUrl}
          />
        ) : (
          <p className="text-sm text-tee">
            The replay of this match is no longer kept, so no new clips can be made of it.
          </p>
        )}
      </div>
    </fetcher.Form>
  );
}
