export interface PlaceRequest {
  /** Who or what asks; each key has a limit of its own. */
  key: string;
  /** An automatic request, which all others in the line precede. */
  isAutomatic?: boolean;
  /** Leaves the line when aborted. */
  signal: AbortSignal;
  /** Called when there is no place at once, and whenever the position in the line changes. 1 is the next. */
  onWait?: (position: number) => void;
}

interface Waiting extends PlaceRequest {
  position: number;
  admit(): void;
}

/**
 * A number of places for work that is too heavy to be done all at once in one process. They are given in the order of requests, but a key
 * with its share in use lets others go first, and so do automatic requests.
 */
export class Places {
  readonly #max: number;
  readonly #maxPerKey: number;
  readonly #taken = new Map<string, number>();
  readonly #line: Waiting[] = [];
  #takenInAll = 0;

  constructor(max: number, maxPerKey = max) {
    this.#max = max;
    this.#maxPerKey = maxPerKey;
  }

  /** Waits for a place. @returns a function that gives it back @throws the signal's reason */
  async take(request: PlaceRequest): Promise<() => void> {
    const { key, signal } = request;
    signal.throwIfAborted();
    if (!this.#hasPlaceFor(key)) await this.#wait(request);
    else this.#count(key, 1);
    let isGivenBack = false;
    return () => {
      if (isGivenBack) return;
      isGivenBack = true;
      this.#count(key, -1);
      this.#admit();
    };
  }

  #wait(request: PlaceRequest): Promise<void> {
    const { key, signal } = request;
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#line.splice(this.#line.indexOf(waiting), 1);
        this.#tellPositions();
        reject(signal.reason);
      };
      const waiting: Waiting = {
        ...request,
        position: 0,
        admit: () => {
          signal.removeEventListener("abort", leave);
          this.#count(key, 1);
          resolve();
        },
      };
      signal.addEventListener("abort", leave, { once: true });
      const firstBehind = request.isAutomatic ? -1 : this.#line.findIndex(({ isAutomatic }) => isAutomatic);
      this.#line.splice(firstBehind < 0 ? this.#line.length : firstBehind, 0, waiting);
      this.#tellPositions();
    });
  }

  #admit(): void {
    for (;;) {
      const next = this.#line.findIndex(({ key }) => this.#hasPlaceFor(key));
      if (next < 0) break;
      const [admitted] = this.#line.splice(next, 1);
      admitted?.admit();
    }
    this.#tellPositions();
  }

  #tellPositions(): void {
    for (const [index, waiting] of this.#line.entries()) {
      if (waiting.position === index + 1) continue;
      waiting.position = index + 1;
      waiting.onWait?.(waiting.position);
    }
  }

  #hasPlaceFor(key: string): boolean {
    return this.#takenInAll < this.#max && (this.#taken.get(key) ?? 0) < this.#maxPerKey;
  }

  #count(key: string, change: 1 | -1): void {
    this.#takenInAll += change;
    const taken = (this.#taken.get(key) ?? 0) + change;
    if (taken > 0) this.#taken.set(key, taken);
    else this.#taken.delete(key);
  }
}
