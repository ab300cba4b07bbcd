/**
 * Ids of list entries for matches that are not imported yet: `recent_{recent match id}_{map}`. Pages take the middle part
 * out to drop the entry once its import is done, so it has no underscore.
 */
export function recentEntryId(recentMatchId: string, map: string): string {
  return `recent_${recentMatchId}_${map}`;
}

/** The recent match that an entry stands for; null when the id is not that of an entry. */
export function recentMatchIdOf(entryId: string): string | null {
  return entryId.match(/^recent_([^_]+)_/)?.[1] ?? null;
}
