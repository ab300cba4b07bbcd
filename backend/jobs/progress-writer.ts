import { AtMostEvery } from "../waits/at-most-every.ts";

export interface ProgressWriterOptions<Standing> {
  /** Stores the progress. @returns false when nobody waits for the work: it was deleted, or is another worker's */
  write(standing: Standing): Promise<boolean>;
  /** Pages ask every few seconds; writing more often would only cost the disk. */
  everyMs: number;
  /** A sentence: why the work ends when nobody waits for it any more. */
  goneReason: string;
  onError(error: unknown): void;
}

/**
 * Writes the progress of an import or a render to the database. Writes never overlap, and also find out when nobody waits for the work any
 * more. Progress is only for display: no work fails because it could not be written.
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

  /** Written now and then: dropped if there was a write a moment ago, or one is running. */
  report(standing: Standing): void {
    if (this.#waiting === 0 && this.#rhythm.isDue()) this.#enqueue(standing);
  }

  /** Always written, after the current write. */
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
