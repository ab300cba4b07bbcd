/** Shown when the API's answer has no sentence. */
export const outOfReachText = "The server cannot be reached. Please try again in a moment.";

/** The API answered with an error, or not at all (`status` 503). */
export class ApiFailure extends Error {
  override name = "ApiFailure";
  /** HTTP status. */
  readonly status: number;
  /** The parsed body: `{error, detail}`, `{field: [sentence]}`, or null. */
  readonly body: unknown;
  /** The answer's `Retry-After` in seconds; null without one. */
  readonly retryAfter: string | null;

  constructor(status: number, body: unknown, message: string, retryAfter: string | null = null) {
    super(message);
    this.status = status;
    this.body = body;
    this.retryAfter = retryAfter;
  }

  /**
   * True when the cause is not the request itself but a limit, a full disk, or a server that is away. The player is told of those even where the
   * specification only logs a failure.
   */
  get isRefusal(): boolean {
    return [413, 429, 503, 507].includes(this.status);
  }

  /** The server's sentence for a person: its detail, else its error, else the first field's; null when it gave none. */
  get sentence(): string | null {
    if (typeof this.body !== "object" || this.body === null) return null;
    const body = this.body as Record<string, unknown>;
    for (const value of [body.detail, body.error, ...Object.values(body)]) {
      const text = Array.isArray(value) ? value[0] : value;
      if (typeof text === "string" && text.trim()) return text;
    }
    return null;
  }
}
