import { AtMostEvery } from "../waits/at-most-every.ts";

export interface ProgressWriterOptions<Standing> {
  /** Stores how far the work is. @returns false when nobody waits for it any more: deleted, or another worker's */
  write(standing: Standing): Promise<boolean>;
  /** Pages ask every few seconds; writing more often than they ask would only cost the disk. */
  everyMs: number;
  /** Why the work ends when nobody waits for it any more; a sentence. */
  goneReason: string;
  onError(error: unknown): void;
}

/**
 * Tells the database how far an import or a render is. Writes never overlap, and what they find out on the way is when nobody
 * waits for the work any more. Progress is for the eye only: no work fails because a figure could not be written.
 */
export class ProgressWriter<Standing> {
  readonly #options: ProgressWriterOptions<Standing>;
  readonly #rhythm: AtMostEvery;
  readonly #gone = new AbortController();
  #writing: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor(options: ProgressWriterOptions<Standing>) {
    this.#options = options;
    this.#rhythm = new AtMostEvery(options.everyMs);
    this.#rhythm.restart();
  }

  /** Aborted when nobody waits for this work any more. */
  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  /** Written now and then: dropped when something was written a moment ago, or is being written. */
  report(standing: Standing): void {
    if (this.#waiting === 0 && this.#rhythm.isDue()) this.#enqueue(standing);
  }

  /** Written in any case, after what is being written. */
  reportAtOnce(standing: Standing): void {
    this.#rhythm.restart();
    this.#enqueue(standing);
  }

  /** Waits until everything reported is written. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  #enqueue(standing: Standing): void {
    this.#waiting++;
    this.#writing = this.#writing.then(() => this.#write(standing));
  }

  async #write(standing: Standing): Promise<void> {
    const { write, goneReason, onError } = this.#options;
    try {
      if (!(await write(standing))) this.#gone.abort(new Error(goneReason));
    } catch (error) {
      onError(error);
    } finally {
      this.#waiting--;
    }
  }
}
