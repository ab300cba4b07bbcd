import type { Highlight } from "../../contract/schemas/highlights.ts";

/** Ids of the highlights whose clips are done soonest: a render takes about as long as what it shows. */
export function shortestHighlights(highlights: readonly Highlight[], count: number): number[] {
  const ticks = ({ start_tick, end_tick }: Highlight) => end_tick - start_tick;
  return [...highlights]
    .sort((a, b) => ticks(a) - ticks(b))
    .slice(0, count)
    .map(({ id }) => id);
}
