/**
 * Which clip each list of the home page begins with: its first that no list above begins with, so that few clips do not look like one.
 * @param lists ids in the order of each list
 * @param asked index that the address asks for, null where it asks for none
 */
export function firstClips(
  lists: readonly (readonly { id: number }[])[],
  asked: readonly (number | null)[] = [],
): number[] {
  const shown = new Set<number>();
  return lists.map((list, position) => {
    const wanted = asked[position] ?? null;
    const fresh = list.findIndex(({ id }) => !shown.has(id));
    const index = wanted ?? Math.max(0, fresh);
    const first = list[list.length > 0 ? index % list.length : 0];
    if (first) shown.add(first.id);
    return index;
  });
}
