/** Aborts when nothing happened for a while. */
export class IdleTimer {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(idleMs: number) {
    this.#timer = setTimeout(() => this.#controller.abort(new Error(`nothing came for ${idleMs} ms`)), idleMs);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  refresh(): void {
    this.#timer.refresh();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
