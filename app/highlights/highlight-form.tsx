import { useFetcher, useSearchParams } from "@remix-run/react";
import { Fragment, useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { MatchDetail } from "../../contract/api.ts";
import type { ClipFormat } from "../../contract/clip-formats.ts";
import { createButton } from "../clips/create-button.ts";
import type { CreateClipResult } from "../clips/create-clip-result.ts";
import { RenderSettingsPanel } from "../clips/render-settings-panel.tsx";
import { PreviewButton } from "../replay/preview-controls.tsx";
import { InPlaceField } from "../shell/asking/in-place-field.tsx";
import { Icon } from "../shell/pieces/icon.tsx";
import { useHydrated } from "../shell/use-hydrated.ts";
import { HighlightCard } from "./highlight-card.tsx";
import { FilterButton, HighlightFilters } from "./highlight-filters.tsx";
import {
  activeHighlights,
  applyToggle,
  type HighlightOrder,
  inOrder,
  isActive,
  isOverridden,
  orderFromQuery,
  selectionFromQuery,
  selectionWithTicks,
  selectorTeams,
  toggleHighlight,
  topPickCount,
  topPicks,
} from "./highlight-selection.ts";
import type { HighlightSummary } from "./highlight-summary.ts";

const orderLabels: Record<HighlightOrder, string> = { round: "By round", best: "Best first" };

interface HighlightFormProps {
  matchPath: string;
  highlights: HighlightSummary[];
  playersByTeam: MatchDetail["players_by_team"];
  canCreateClips: boolean;
  /** Before the names of the match's pictures. */
  picturesUrl: string | null;
  defaultFormat: ClipFormat;
  /** Clips of this player that are queued or processing. */
  inQueue: number;
  formResult: CreateClipResult | null;
}

/**
 * Settings, filters, highlights and the create button: one form. Without JavaScript the filter buttons send it by GET and the
 * page comes back with the filters applied; the create button sends it by POST.
 */
export function HighlightForm({
  matchPath,
  highlights,
  playersByTeam,
  canCreateClips,
  picturesUrl,
  defaultFormat,
  inQueue,
  formResult,
}: HighlightFormProps) {
  const [address] = useSearchParams();
  const query = formResult?.ok === false ? new URL(formResult.chosen, "http://x").searchParams : address;
  const fetcher = useFetcher<CreateClipResult>();
  const isHydrated = useHydrated();
  const form = useRef<HTMLFormElement>(null);
  const teams = useMemo(() => selectorTeams(highlights, playersByTeam), [highlights, playersByTeam]);
  const [selection, setSelection] = useState(() => selectionFromQuery(query, highlights, teams));
  const [order, setOrder] = useState<HighlightOrder>(() => orderFromQuery(query));

  // What was ticked before this script ran counts.
  useEffect(() => {
    const ticked = [...(form.current?.querySelectorAll<HTMLInputElement>("input[name=highlight]:checked") ?? [])];
    const ids = ticked.map((box) => Number(box.value));
    setSelection((before) =>
      highlights.every((highlight) => isActive(before, highlight) === ids.includes(highlight.id))
        ? before
        : selectionWithTicks(before, ids, highlights),
    );
  }, [highlights]);
  useEffect(() => {
    if (fetcher.data?.ok) window.scrollTo({ top: 0, behavior: "smooth" });
  }, [fetcher.data]);

  const active = activeHighlights(selection, highlights);
  const isSending = fetcher.state !== "idle";
  const button = createButton({ active: active.length, inQueue, sending: isSending });
  const answer = fetcher.data ?? formResult;
  // Of a few highlights the best are not worth a mark.
  const hasTopPicks = highlights.length > topPickCount * 2;
  const best = useMemo(() => topPicks(highlights), [highlights]);
  const listed = useMemo(() => inOrder(highlights, order), [highlights, order]);
  const onTick = useCallback(
    (highlight: HighlightSummary) => setSelection((before) => toggleHighlight(before, highlight)),
    [],
  );
  const onToggle = (toggle: string) => setSelection((before) => applyToggle(before, toggle, teams, highlights));

  return (
    <fetcher.Form
      ref={form}
      method="post"
      action={matchPath}
      className="mt-4 grid gap-5 lg:grid-cols-[17rem_1fr]"
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

      <div className="lg:col-span-2">
        <RenderSettingsPanel query={query} defaultFormat={defaultFormat} />
      </div>
      <HighlightFilters teams={teams} selection={selection} highlights={highlights} onToggle={onToggle} />
      <div className="min-w-0">
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
                  onToggle={() => setOrder(name as HighlightOrder)}
                  className="filter"
                >
                  {label}
                </FilterButton>
              ))}
            </fieldset>
          </div>
        ) : null}
        <ul className="grid content-start gap-3 sm:grid-cols-2 xl:grid-cols-3">
          {listed.map((highlight) => (
            <li key={highlight.id} className="grid min-w-0 grid-cols-1">
              <HighlightCard
                highlight={highlight}
                isActive={isActive(selection, highlight)}
                isOverridden={isOverridden(selection, highlight)}
                isTopPick={hasTopPicks && best.has(highlight.id)}
                onToggle={onTick}
                matchPath={matchPath}
                picturesUrl={picturesUrl}
              />
            </li>
          ))}
        </ul>
      </div>
      <div className="sticky bottom-0 z-20 -mx-2 grid gap-2 rounded-t-2xl border border-b-0 border-line bg-ink/95 p-3 backdrop-blur-md max-sm:bottom-16 sm:p-4 lg:col-span-2">
        <p role="alert" className="text-sm font-semibold text-loss empty:hidden">
          {answer?.ok === false && !isSending ? answer.error : null}
        </p>
        {canCreateClips ? (
          <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
            <p className="min-w-0 flex-1 basis-48 truncate text-sm text-fog max-sm:hidden">
              {active.length > 0
                ? active.map(({ id, player_name: player, round_number: round }, index) => (
                    <Fragment key={id}>
                      {index > 0 ? " · " : ""}
                      <bdi>{player}</bdi>
                      {`, round ${round}`}
                    </Fragment>
                  ))
                : "Tick up to five highlights. They become one clip, in match order."}
            </p>
            <PreviewButton
              value="selection"
              text="Preview selection"
              matchPath={matchPath}
              picturesUrl={picturesUrl}
              className="btn btn-quiet min-h-12 max-sm:w-full"
            />
            <button
              type="submit"
              aria-live="polite"
              disabled={isHydrated && button.disabled}
              className="btn btn-primary min-h-12 min-w-60 max-sm:w-full"
            >
              {isHydrated ? button.text : `Create Clip (${active.length} active)`}
            </button>
          </div>
        ) : (
          <p className="text-sm text-tee">
            The replay of this match is no longer kept, so no new clips can be made of it.
          </p>
        )}
      </div>
    </fetcher.Form>
  );
}
