import { type RefObject, startTransition, useCallback, useRef, useState } from "react";
import { useBrowserLayoutEffect } from "../shell/use-browser-layout-effect.ts";
import {
  type HighlightOrder,
  type HighlightSelection,
  isActive,
  orderFromQuery,
  type SelectorTeam,
  selectionFromQuery,
  selectionFromState,
  selectionWithTicks,
} from "./highlight-selection.ts";
import type { HighlightSummary } from "./highlight-summary.ts";

/** Starts a slow update only after the pressed button is drawn. */
function afterPaint(update: () => void): void {
  requestAnimationFrame(() => setTimeout(() => startTransition(update)));
}

/**
 * State of the entry in the browser's history, so that the choices are there when the visitor comes back. In the address they would
 * be shared with it, and too long.
 */
interface ChosenState {
  chosen?: unknown;
}

function keepInHistory(chosen: HighlightSelection): void {
  try {
    history.replaceState({ ...history.state, chosen } satisfies ChosenState, "");
  } catch {
    // Safari allows a hundred changes in half a minute; the next tick writes this one too.
  }
}

interface HighlightChoiceOptions {
  form: RefObject<HTMLFormElement | null>;
  query: URLSearchParams;
  highlights: readonly HighlightSummary[];
  teams: readonly SelectorTeam[];
  /** Steam ID of the signed-in player. */
  reader: string | null;
}

/**
 * Which highlights are chosen and how they are ordered. `shown` and `shownOrder` are what the cards show: after a filter they follow
 * `selection` and `order` a moment later, since a slow phone takes long to draw all cards.
 */
export function useHighlightChoice({ form, query, highlights, teams, reader }: HighlightChoiceOptions) {
  const [selection, setSelection] = useState(() => selectionFromQuery(query, highlights, teams, reader));
  const [order, setOrder] = useState<HighlightOrder>(() => orderFromQuery(query));
  const [shown, setShown] = useState(selection);
  const [shownOrder, setShownOrder] = useState(order);
  const latest = useRef(selection);

  /** @param isOfOne whether it changes one card only, which is drawn at once */
  const choose = useCallback((change: (before: HighlightSelection) => HighlightSelection, isOfOne: boolean) => {
    const chosen = change(latest.current);
    if (chosen !== latest.current) keepInHistory(chosen);
    latest.current = chosen;
    setSelection(latest.current);
    if (isOfOne) setShown(latest.current);
    else afterPaint(() => setShown(latest.current));
  }, []);

  const orderBy = useCallback((name: HighlightOrder) => {
    setOrder(name);
    afterPaint(() => setShownOrder(name));
  }, []);

  // Ticks that were made before this script ran count; without any, those of the last visit to this page. Read once, before anything can
  // be pressed: afterwards the boxes may lag behind the selection.
  const hasReadTicks = useRef(false);
  useBrowserLayoutEffect(() => {
    if (hasReadTicks.current) return;
    hasReadTicks.current = true;
    const ticked = [...(form.current?.querySelectorAll<HTMLInputElement>("input[name=highlight]:checked") ?? [])];
    const ids = ticked.map((box) => Number(box.value));
    const left = selectionFromState((history.state as ChosenState | null)?.chosen);
    const isDrawn = (as: HighlightSelection | null) =>
      as !== null && highlights.every((highlight) => isActive(as, highlight) === ids.includes(highlight.id));
    choose((before) => {
      if (isDrawn(before) || isDrawn(left)) return left ?? before;
      return selectionWithTicks(before, ids, highlights);
    }, true);
  }, [form, highlights, choose]);

  return { selection, order, shown, shownOrder, choose, orderBy };
}
