import { useSyncExternalStore } from "react";

/**
 * The clips that this browser's player waits for, on whatever page they are: their ids, kept for all pages and tabs. A page that
 * asks for some of them itself says so, and they are not asked for twice.
 */
const storageKey = "awaited-clips";
/** A player has three places in the queue; more are leftovers of tabs that were closed. */
const mostAwaited = 10;

interface Awaited {
  ids: readonly number[];
  /** Those that the page shows and asks for. */
  shown: readonly number[];
  /** Read to those who do not see the page. */
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
    // Then other pages and tabs do not know.
  }
}

/** From now on it is said, wherever the player is, when this clip is ready. */
export function awaitClip(id: number): void {
  if (!state.ids.includes(id)) store([...state.ids, id].slice(-mostAwaited));
}

/** It is ready, has failed or is gone. */
export function forgetAwaited(id: number): void {
  if (state.ids.includes(id)) store(state.ids.filter((other) => other !== id));
}

/** The page shows these clips and asks for them itself, until the returned function is called. */
export function showsClips(ids: readonly number[]): () => void {
  change({ shown: [...state.shown, ...ids] });
  return () => {
    const left = [...state.shown];
    for (const id of ids) left.splice(left.indexOf(id), 1);
    change({ shown: left });
  };
}

/** Reads a sentence to those who do not see what has changed. */
export function announce(sentence: string): void {
  change({ said: "" });
  // The same sentence twice is read twice only if it was away in between.
  setTimeout(() => change({ said: sentence }), 50);
}

function listen(listener: () => void): () => void {
  if (!isRead) {
    isRead = true;
    state = { ...state, ids: [...new Set([...stored(), ...state.ids])] };
  }
  const hear = (event: StorageEvent) => {
    // What another tab has seen finished is still news to this one: nothing is taken away.
    if (event.key === storageKey) change({ ids: [...new Set([...state.ids, ...stored()])] });
  };
  window.addEventListener("storage", hear);
  listeners.add(listener);
  return () => {
    window.removeEventListener("storage", hear);
    listeners.delete(listener);
  };
}

/** Nothing on the server and while the page is taken over. */
export function useAwaited(): Awaited {
  return useSyncExternalStore(
    listen,
    () => state,
    () => nobody,
  );
}
