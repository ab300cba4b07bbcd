import type { MatchSummary } from "./match-summary.ts";

type Placed = Pick<MatchSummary, "match_id" | "recent_match_id">;

/** What a card stands for, whether it is offered or imported: an offered match keeps its card when its import begins. */
export function cardKey({ match_id, recent_match_id }: Placed): string {
  return recent_match_id ? `recent ${recent_match_id}` : match_id;
}

/**
 * The cards as the reader knows them: those that are there already stay where they are, so that no button moves under the
 * pointer, and new ones come first.
 * @param known keys of the cards that are shown, in their order
 */
export function inKnownOrder<Match extends Placed>(matches: readonly Match[], known: readonly string[]): Match[] {
  const place = new Map(known.map((key, index) => [key, index]));
  const isNew = (match: Match) => !place.has(cardKey(match));
  const stay = matches.filter((match) => !isNew(match));
  stay.sort((a, b) => (place.get(cardKey(a)) ?? 0) - (place.get(cardKey(b)) ?? 0));
  return [...matches.filter(isNew), ...stay];
}
