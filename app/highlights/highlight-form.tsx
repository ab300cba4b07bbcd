import { Link, useFetcher, useSearchParams } from "@remix-run/react";
import { type FormEvent, Fragment, startTransition, useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { ClipFormat } from "../../contract/clip-formats.ts";
import { limits } from "../../contract/limits.ts";
import type { MatchDetail } from "../../contract/schemas/matches.ts";
import type { ClipSummary } from "../clips/clip-summary.ts";
import { createButton, takesPlace } from "../clips/create-button.ts";
import type { CreateClipResult } from "../clips/create-clip-result.ts";
import { renderOptions } from "../clips/render-settings.ts";
import type { RenderSettingsPanelProps } from "../clips/render-settings-panel.tsx";
import { PreviewButton } from "../replay/preview-controls.tsx";
import { InPlaceField } from "../shell/asking/in-place-field.tsx";
import { outOfSight } from "../shell/out-of-sight.ts";
import { DrawnByServer } from "../shell/pieces/drawn-by-server.tsx";
import { Icon } from "../shell/pieces/icon.tsx";
import { latePart } from "../shell/pieces/late-part.tsx";
import { Unfold } from "../shell/pieces/unfold.tsx";
import { withWaysOut } from "../shell/pieces/with-ways-out.tsx";
import { useSessionUser } from "../shell/session/use-session-user.ts";
import { uncoveredFocus } from "../shell/uncovered-focus.ts";
import { useBrowserLayoutEffect } from "../shell/use-browser-layout-effect.ts";
import { useHydrated } from "../shell/use-hydrated.ts";
import { HighlightCard } from "./highlight-card.tsx";
import { FilterButton, HighlightFilters } from "./highlight-filters.tsx";
import {
  activeHighlights,
  applyToggle,
  emptySelection,
  type HighlightOrder,
  type HighlightSelection,
  inOrder,
  isActive,
  isOverridden,
  orderFromQuery,
  playerKey,
  selectionFromQuery,
  selectionWithTicks,
  selectorTeams,
  toggleHighlight,
  topPickCount,
  topPicks,
} from "./highlight-selection.ts";
import type { HighlightSummary } from "./highlight-summary.ts";

/** Loaded after the page: its fields are part of the form and keep their own state. */
const RenderSettingsPanel = latePart<RenderSettingsPanelProps>(
  () => import("../clips/render-settings-panel.tsx").then((panel) => ({ default: panel.RenderSettingsPanel })),
  UsualSettings,
);
/** Needed only after the form was sent. */
const MadeClip = latePart(
  () => import("../clips/made-clip.tsx"),
  ({ made }) => (
    <Link to={`/clips/${made.clipId}`} className="link inline-flex min-h-11 items-center font-semibold">
      Open the clip
    </Link>
  ),
);

const orderLabels: Record<HighlightOrder, string> = { best: "Best first", round: "By round" };

/** Starts a slow update only after the pressed button is drawn. */
function afterPaint(update: () => void): void {
  requestAnimationFrame(() => setTimeout(() => startTransition(update)));
}

/**
 * State of the entry in the browser's history, so that the choices are there when the visitor comes back. In the address they would
 * be shared with it, and too long.
 */
interface ChosenState {
  chosen?: HighlightSelection;
}

function keepInHistory(chosen: HighlightSelection): void {
  try {
    history.replaceState({ ...history.state, chosen } satisfies ChosenState, "");
  } catch {
    // Safari allows a hundred changes in half a minute; the next tick writes this one too.
  }
}

/** Puts the reader's own highlights, if there are any, under a heading of their own. */
function groupsOf(listed: readonly HighlightSummary[], order: HighlightOrder, reader: string | null) {
  const isOwn = (highlight: HighlightSummary) => playerKey(highlight) === reader;
  if (order === "round" || !listed.some(isOwn)) return [{ heading: "", highlights: listed }];
  return [
    { heading: "Your best", highlights: listed.filter(isOwn) },
    { heading: "Best of the match", highlights: listed.filter((highlight) => !isOwn(highlight)) },
  ].filter(({ highlights }) => highlights.length > 0);
}

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
  const inQueue = clips.filter(takesPlace).length;
  const [address] = useSearchParams();
  const query = formResult?.chosen ? new URL(formResult.chosen, "http://x").searchParams : address;
  const fetcher = useFetcher<CreateClipResult>();
  const isHydrated = useHydrated();
  const form = useRef<HTMLFormElement>(null);
  const teams = useMemo(() => selectorTeams(highlights, playersByTeam), [highlights, playersByTeam]);
  const reader = useSessionUser()?.steam_id ?? null;
  const [selection, setSelection] = useState(() => selectionFromQuery(query, highlights, teams, reader));
  const [order, setOrder] = useState<HighlightOrder>(() => orderFromQuery(query));
  // The selection that the cards show. After a filter it follows a moment later: a slow phone takes long to draw all cards.
  const [shown, setShown] = useState(selection);
  const [shownOrder, setShownOrder] = useState(order);
  const latest = useRef(selection);
  const choose = useCallback((change: (before: HighlightSelection) => HighlightSelection, isOfOne: boolean) => {
    const chosen = change(latest.current);
    if (chosen !== latest.current) keepInHistory(chosen);
    latest.current = chosen;
    setSelection(latest.current);
    if (isOfOne) setShown(latest.current);
    else afterPaint(() => setShown(latest.current));
  }, []);

  // Ticks that were made before this script ran count; without any, those of the last visit to this page. Read once, before anything can
  // be pressed: afterwards the boxes may lag behind the selection.
  const hasReadTicks = useRef(false);
  useBrowserLayoutEffect(() => {
    if (hasReadTicks.current) return;
    hasReadTicks.current = true;
    const ticked = [...(form.current?.querySelectorAll<HTMLInputElement>("input[name=highlight]:checked") ?? [])];
    const ids = ticked.map((box) => Number(box.value));
    const left = (history.state as ChosenState | null)?.chosen;
    const isDrawn = (as: HighlightSelection | undefined) =>
      as && highlights.every((highlight) => isActive(as, highlight) === ids.includes(highlight.id));
    choose((before) => {
      if (isDrawn(before) || isDrawn(left)) return left ?? before;
      return selectionWithTicks(before, ids, highlights);
    }, true);
  }, [highlights, choose]);
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

  const active = activeHighlights(selection, highlights);
  const button = createButton({ active: active.length, inQueue, sending: isSending });
  const answer = fetcher.data ?? formResult;
  const made = answer?.ok ? answer : null;
  // Among a few highlights the best need no mark.
  const hasTopPicks = highlights.length > topPickCount * 2;
  const best = useMemo(() => topPicks(highlights, reader), [highlights, reader]);
  const groups = useMemo(
    () => groupsOf(inOrder(highlights, shownOrder, reader), shownOrder, reader),
    [highlights, shownOrder, reader],
  );
  const onTick = useCallback(
    (highlight: HighlightSummary) => choose((before) => toggleHighlight(before, highlight), true),
    [choose],
  );
  const onToggle = useCallback(
    (toggle: string) => choose((before) => applyToggle(before, toggle, teams, highlights, reader), false),
    [choose, teams, highlights, reader],
  );
  // Memoised, so that urgent updates do not walk through all cards.
  const cards = useMemo(
    () =>
      groups.map(({ heading, highlights: listed }) => (
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
                  isActive={isActive(shown, highlight)}
                  isOverridden={isOverridden(shown, highlight)}
                  isTopPick={hasTopPicks && best.has(highlight.id)}
                  onToggle={onTick}
                  matchPath={replayPath}
                  picturesUrl={picturesUrl}
                />
              </li>
            ))}
          </ul>
        </Fragment>
      )),
    [groups, shown, hasTopPicks, best, onTick, replayPath, picturesUrl],
  );
  const onOrder = (name: HighlightOrder) => {
    setOrder(name);
    afterPaint(() => setShownOrder(name));
  };

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
                  onToggle={() => onOrder(name as HighlightOrder)}
                  className="filter"
                >
                  {label}
                </FilterButton>
              ))}
            </fieldset>
          </div>
        ) : null}
        {cards}
      </div>
      <div ref={uncoveredFocus} className="create-bar match-bar">
        {canCreateClips ? (
          <>
            <p role="alert" className="text-sm font-semibold text-loss empty:hidden">
              {answer?.ok === false && !isSending ? withWaysOut(answer.error) : null}
            </p>
            {made && !isSending ? <MadeClip made={made} clip={clips.find(({ id }) => id === made.clipId)} /> : null}
            <Unfold
              query={query}
              name="settings"
              label="Settings"
              until="xl"
              isBelow
              folded={
                <DrawnByServer>
                  <RenderSettingsPanel query={query} defaultFormat={defaultFormat} />
                </DrawnByServer>
              }
            >
              <Chosen highlights={active} />
              <PreviewButton
                value="selection"
                text="Preview selection"
                disabled={isHydrated && (active.length === 0 || active.length > limits.highlightsPerClip)}
                matchPath={replayPath}
                picturesUrl={picturesUrl}
                className="btn btn-quiet min-h-12 grow max-sm:px-3 sm:max-xl:grow-0"
              />
              <button
                type="submit"
                aria-live="polite"
                // While it is sent the focus stays on it.
                disabled={isHydrated && button.disabled && !isSending}
                aria-disabled={isSending || undefined}
                className="create-clip btn btn-primary min-h-12 min-w-60 grow max-lg:min-w-52 max-sm:min-w-0 sm:max-xl:grow-0"
              >
                <span>{isHydrated ? button.text : `Create Clip (${active.length} active)`}</span>
              </button>
            </Unfold>
          </>
        ) : (
          <p className="text-sm text-tee">
            The replay of this match is no longer kept, so no new clips can be made of it.
          </p>
        )}
      </div>
    </fetcher.Form>
  );
}

/** Stands in when the settings cannot be loaded: the clip gets the default ones. */
function UsualSettings({ defaultFormat }: RenderSettingsPanelProps) {
  return (
    <div className="text-sm text-fog">
      {renderOptions.map(({ name, isOn }) => (isOn ? <input key={name} type="hidden" name={name} value="on" /> : null))}
      <input type="hidden" name="format" value={defaultFormat} />
      The settings could not be loaded: clips get the usual ones.
    </div>
  );
}

/** The highlights of the new clip: one line in the bar, or a list where there is a column for it. */
function Chosen({ highlights }: { highlights: readonly HighlightSummary[] }) {
  const shown = highlights.slice(0, limits.highlightsPerClip);
  const more = highlights.length - shown.length;
  if (shown.length === 0) {
    return (
      <p className="min-w-0 flex-1 basis-32 text-sm text-fog max-sm:hidden xl:order-last xl:flex-none xl:basis-full">
        Tick up to five highlights.<span className="sm:max-lg:hidden"> They become one clip, in match order.</span>
      </p>
    );
  }
  return (
    <ul className="flex min-w-0 flex-1 basis-32 gap-x-4 gap-y-1 overflow-hidden text-sm text-fog max-sm:hidden xl:order-last xl:flex-none xl:basis-full xl:flex-col">
      {shown.map(({ id, player_name: player, round_number: round }) => (
        <li key={id} className="flex max-w-full min-w-0">
          <bdi className="truncate text-chalk">{player}</bdi>
          <span className="flex-none whitespace-pre">, round {round}</span>
        </li>
      ))}
      {more > 0 ? <li className="flex-none">and {more} more</li> : null}
    </ul>
  );
}
