import { useRef, useState } from "react";
import { askServer } from "../shell/asking/ask-server.ts";
import type { CarouselClip } from "./carousel-clip.ts";

/** The answer of `/top-lists`. */
export interface AllTopClips {
  /** In the order of the carousels. */
  lists: CarouselClip[][];
}

interface AllClips {
  /** Null until they have been asked for and have come. */
  lists: CarouselClip[][] | null;
  /** @returns false when they cannot be had now; who asks again tries again */
  ask(): Promise<boolean>;
}

/**
 * Every clip of the home page's lists: the page comes with one of each, and most visitors turn none.
 * @param query what the lists are narrowed down to, as part of an address
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
