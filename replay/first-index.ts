/**
 * Looks through a sorted list by halves.
 * @param length of the list
 * @param holds true for every index from some index on, false for all before
 * @returns the first index at which it holds; `length` when there is none
 */
export function firstIndexWhere(length: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
