/**
 * Labels of groups of clips for screen readers, from the names of their maps. They are unique, although a page may show several matches of a map.
 * @param maps names of the groups' maps in the order of the page
 */
export function groupLabels(maps: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return maps.map((map) => {
    const count = (seen.get(map) ?? 0) + 1;
    seen.set(map, count);
    return count === 1 ? `Clips of ${map}` : `Clips of ${map}, match ${count}`;
  });
}
