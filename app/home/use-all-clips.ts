import { useRef, useState } from "react";
import { askServer } from "../shell/asking/ask-server.ts";
import type { CarouselClip } from "./carousel-clip.ts";

/** The answer of `/top-lists`. */
export interface AllTopClips {
  /** In the order of the carousels. */
  lists: CarouselClip[][];
}

interface AllClips {
  /** Null until they have been requested and loaded. */
  lists: CarouselClip[][] | null;
  /** @returns false if they cannot be loaded now; another call tries again */
  ask(): Promise<boolean>;
}

/**
 * Loads all clips of the home page's lists on demand: the page contains one of each, and most visitors turn none.
 * @param query the lists' filter, as part of an address
 */
export function useAllClips(query: string): AllClips {
  const [found, setFound] = useState<{ query: string; lists: CarouselClip[][] } | null>(null);
  const asked = useRef<{ query: string; answer: Promise<boolean> } | null>(null);

  async function askAnew(): Promise<boolean> {
    try {
      const response = await askServer(`/top-lists?${query}`);
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      const { lists } = (await response.json()) as AllTopClips;
      if (asked.current?.query === query) setFound({ query, lists });
      return true;
    } catch {
      if (asked.current?.query === query) asked.current = null;
      return false;
    }
  }

  return {
    lists: found?.query === query ? found.lists : null,
    ask() {
      if (asked.current?.query !== query) asked.current = { query, answer: askAnew() };
      return asked.current.answer;
    },
  };
}
