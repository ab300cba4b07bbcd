import type { CarouselClip } from "./carousel-clip.ts";

/** What the home page comes with of a list. */
export interface FirstOfList {
  /** Clips in the list. */
  count: number;
  /** Which of them is shown, from 0. */
  index: number;
  /** Null in an empty list. */
  clip: CarouselClip | null;
}

/**
 * Which clip each list of the home page begins with: its first that nothing above shows, so that few clips do not look like one.
 * @param lists ids in the order of each list
 * @param asked index that the address asks for, null where it asks for none; beyond the end it begins anew
 * @param top the clip above all lists
 */
export function firstClips(
  lists: readonly (readonly { id: number }[])[],
  asked: readonly (number | null)[] = [],
  top?: { id: number },
): number[] {
  const shown = new Set(top ? [top.id] : []);
  return lists.map((list, position) => {
    const wanted = asked[position] ?? null;
    const fresh = list.findIndex(({ id }) => !shown.has(id));
    const index = list.length > 0 ? (wanted ?? Math.max(0, fresh)) % list.length : 0;
    const first = list[index];
    if (first) shown.add(first.id);
    return index;
  });
}
