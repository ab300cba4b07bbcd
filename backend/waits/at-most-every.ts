/** Limits repeated reports, such as progress, to one per interval. */
export class AtMostEvery {
  readonly #milliseconds: number;
  #last = Number.NEGATIVE_INFINITY;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  /** True at first, and then once per interval. */
  isDue(): boolean {
    if (performance.now() - this.#last < this.#milliseconds) return false;
    this.restart();
    return true;
  }

  /** Starts the interval anew after a report that did not ask. */
  restart(): void {
    this.#last = performance.now();
  }
}
