/**
 * Looks through a sorted list by halves.
 * @param holds true for every item from some index on, false for all before
 * @returns the first index at which it holds; the list's length when there is none
 */
export function firstIndexWhere<Item>(sorted: ArrayLike<Item>, holds: (item: Item) => boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    // Between two bounds of the list there is always an item.
    if (holds(sorted[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
