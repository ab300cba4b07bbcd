/** Keeps what is told again and again, like progress, to no more than once in a time. */
export class AtMostEvery {
  readonly #milliseconds: number;
  #last = Number.NEGATIVE_INFINITY;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  /** Whether it is time again, as it is at first; then it is not until the time has passed. */
  isDue(): boolean {
    if (performance.now() - this.#last < this.#milliseconds) return false;
    this.restart();
    return true;
  }

  /** The time begins anew: something was told without asking. */
  restart(): void {
    this.#last = performance.now();
  }
}
