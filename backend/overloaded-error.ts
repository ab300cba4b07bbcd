/** More is asked for at the moment than this process can hold in memory; the answer is 503, and asking again helps. */
export class OverloadedError extends Error {
  readonly retryAfterSeconds: number;

  /** @param sentence for a person */
  constructor(sentence: string, retryAfterSeconds: number) {
    super(sentence);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
