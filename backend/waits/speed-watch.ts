/** The least that has to come in within any stretch of that length. */
export interface MinSpeed {
  bytes: number;
  withinMs: number;
}

/** Less came in than had to. */
export class TooSlowError extends Error {
  /** What came within the stretch. */
  readonly bytes: number;

  constructor(bytes: number) {
    super("Too little came in.");
    this.bytes = bytes;
  }
}

const ticksPerWindow = 12;

/** Watches that enough comes in. Its signal aborts with a TooSlowError at the end of a stretch that brought too little. */
export class SpeedWatch {
  readonly #controller = new AbortController();
  readonly #min: MinSpeed;
  readonly #timer: NodeJS.Timeout;
  /** Bytes in all at each tick of the stretch, the oldest first. */
  readonly #marks = [0];
  #bytes = 0;

  constructor(min: MinSpeed) {
    this.#min = min;
    this.#timer = setInterval(() => this.#tick(), min.withinMs / ticksPerWindow);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  add(bytes: number): void {
    this.#bytes += bytes;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    this.#marks.push(this.#bytes);
    if (this.#marks.length <= ticksPerWindow) return;
    const bytes = this.#bytes - this.#marks.shift()!;
    if (bytes >= this.#min.bytes) return;
    this.stop();
    this.#controller.abort(new TooSlowError(bytes));
  }
}
