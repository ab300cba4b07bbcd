/** Room that several queues of a process share: a worker takes a job only while it has a place in it. */
export class SharedRoom {
  #free: number;
  readonly #waiting = new Set<() => void>();

  /** @param places how many jobs go on at once, whatever their queues */
  constructor(places: number) {
    this.#free = places;
  }

  /**
   * @param wake called once when a place is given back, where there is none now
   * @returns whether there was one, which is taken
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
