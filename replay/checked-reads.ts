/**
 * Reads at an index that the caller's loop keeps inside; outside they throw instead of giving undefined.
 *
 * There is one function per kind of array, each short enough for V8 to inline: a function that sees several kinds would be
 * slow in inner loops, these take as long as a bare `values[index]`. V8 only inlines so much into one function, though:
 * `relief/shading.ts` reads so often in one loop that it must do without (measured: a quarter slower).
 */

/** @throws {RangeError} */
function outside(): never {
  throw new RangeError("A list was read outside its bounds.");
}

export function float32At(values: Float32Array, index: number): number {
  return values[index] ?? outside();
}

export function float64At(values: Float64Array, index: number): number {
  return values[index] ?? outside();
}

export function int16At(values: Int16Array, index: number): number {
  return values[index] ?? outside();
}

export function int32At(values: Int32Array, index: number): number {
  return values[index] ?? outside();
}

export function uint8At(values: Uint8Array, index: number): number {
  return values[index] ?? outside();
}

export function uint16At(values: Uint16Array, index: number): number {
  return values[index] ?? outside();
}

export function uint32At(values: Uint32Array, index: number): number {
  return values[index] ?? outside();
}

/** For lists whose items are neither undefined nor null. */
export function itemAt<Item extends NonNullable<unknown>>(items: readonly Item[], index: number): Item {
  return items[index] ?? outside();
}
