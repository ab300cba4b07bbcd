/** The current requests need more memory than this process has; the answer is 503, and a later request may succeed. */
export class OverloadedError extends Error {
  readonly retryAfterSeconds: number;

  /** @param sentence for a person */
  constructor(sentence: string, retryAfterSeconds: number) {
    super(sentence);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
