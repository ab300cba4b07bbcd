import type { Highlight } from "../../contract/schemas/highlights.ts";

/** IDs of the highlights whose clips are done soonest: rendering takes about as long as the shown time. */
export function shortestHighlights(highlights: readonly Highlight[], count: number): number[] {
  const ticks = ({ start_tick, end_tick }: Highlight) => end_tick - start_tick;
  return [...highlights]
    .sort((a, b) => ticks(a) - ticks(b))
    .slice(0, count)
    .map(({ id }) => id);
}
