/** The list with one item at another place, both counted from 0. @returns as it was where there is no such place */
export function movedTo<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const moved = [...items];
  if (from < 0 || from >= items.length || to < 0 || to >= items.length) return moved;
  moved.splice(to, 0, ...moved.splice(from, 1));
  return moved;
}
