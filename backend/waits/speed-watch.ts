/** The minimum to be received in any interval of that length. */
export interface MinSpeed {
  bytes: number;
  withinMs: number;
}

/** Less than the minimum was received. */
export class TooSlowError extends Error {
  /** What was received in the interval. */
  readonly bytes: number;

  constructor(bytes: number) {
    super("Too little came in.");
    this.bytes = bytes;
  }
}

const ticksPerWindow = 12;

/** Watches the speed of a transfer. Its signal aborts with a TooSlowError at the end of an interval with too few bytes. */
export class SpeedWatch {
  readonly #controller = new AbortController();
  readonly #min: MinSpeed;
  readonly #timer: NodeJS.Timeout;
  /** Total bytes at each tick of the interval, oldest first. */
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
