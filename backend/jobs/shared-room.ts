/** Places that several queues of a process share: a worker takes a job only when it gets one of them. */
export class SharedRoom {
  #free: number;
  readonly #waiting = new Set<() => void>();

  /** @param places how many jobs run at once, in all queues together */
  constructor(places: number) {
    this.#free = places;
  }

  /**
   * @param wake called once when a place is given back, if there is none now
   * @returns whether there was a place, which is then taken
   */
  take(wake: () => void): boolean {
    if (this.#free === 0) {
      this.#waiting.add(wake);
      return false;
    }
    this.#free--;
    return true;
  }

  giveBack(): void {
    this.#free++;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const wake of waiting) wake();
  }
}
