import { useSyncExternalStore } from "react";

/**
 * The ids of clips that this browser's player waits for, shared by all pages and tabs. A page that
 * polls some of them itself says so, and they are not polled twice.
 */
const storageKey = "awaited-clips";
/** A player has three places in the queue; more are leftovers of tabs that were closed. */
const mostAwaited = 10;

interface Awaited {
  ids: readonly number[];
  /** The clips that the page shows and polls itself. */
  shown: readonly number[];
  /** Sentence for screen readers. */
  said: string;
}

const nobody: Awaited = { ids: [], shown: [], said: "" };
let state = nobody;
let isRead = false;
const listeners = new Set<() => void>();

function change(to: Partial<Awaited>): void {
  state = { ...state, ...to };
  for (const listener of listeners) listener();
}

function stored(): number[] {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(storageKey) ?? "[]");
    return Array.isArray(ids) ? ids.filter(Number.isSafeInteger).slice(-mostAwaited) : [];
  } catch {
    return [];
  }
}

function store(ids: readonly number[]): void {
  change({ ids });
  try {
    localStorage.setItem(storageKey, JSON.stringify(ids));
  } catch {
    // Without storage, other pages and tabs do not know.
  }
}

/** From now on every page announces when this clip is ready. */
export function awaitClip(id: number): void {
  if (!state.ids.includes(id)) store([...state.ids, id].slice(-mostAwaited));
}

/** Stops waiting for a clip that is ready, has failed or is gone. */
export function forgetAwaited(id: number): void {
  if (state.ids.includes(id)) store(state.ids.filter((other) => other !== id));
}

/** Notes that the page shows these clips and polls them itself, until the returned function is called. */
export function showsClips(ids: readonly number[]): () => void {
  change({ shown: [...state.shown, ...ids] });
  return () => {
    const left = [...state.shown];
    for (const id of ids) left.splice(left.indexOf(id), 1);
    change({ shown: left });
  };
}

/** Announces a change to screen readers. */
export function announce(sentence: string): void {
  change({ said: "" });
  // The same sentence is read a second time only if it was removed in between.
  setTimeout(() => change({ said: sentence }), 50);
}

function listen(listener: () => void): () => void {
  if (!isRead) {
    isRead = true;
    state = { ...state, ids: [...new Set([...stored(), ...state.ids])] };
  }
  const hear = (event: StorageEvent) => {
    // A clip that another tab has seen finished is still news in this one: nothing is removed.
    if (event.key === storageKey) change({ ids: [...new Set([...state.ids, ...stored()])] });
  };
  window.addEventListener("storage", hear);
  listeners.add(listener);
  return () => {
    window.removeEventListener("storage", hear);
    listeners.delete(listener);
  };
}

/** Empty on the server and during hydration. */
export function useAwaited(): Awaited {
  return useSyncExternalStore(
    listen,
    () => state,
    () => nobody,
  );
}
