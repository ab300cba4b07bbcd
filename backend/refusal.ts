import type { RefusalCode } from "../contract/error-codes.ts";

export interface RefusalDetails {
  /** The rejected field of the request. */
  field?: string;
  /** When a repeated request may succeed. */
  retryAfterSeconds?: number;
}

/**
 * A request is refused for a reason on the caller's side. Thrown by code of the domain, which does not know the kind of request; each
 * border translates it (`api/api-error.ts`).
 */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly field: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  /** @param sentence for a person: the problem and what to do */
  constructor(code: RefusalCode, sentence: string, { field, retryAfterSeconds }: RefusalDetails = {}) {
    super(sentence);
    this.name = "Refusal";
    this.code = code;
    this.field = field;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** One field of the request is rejected. */
  static ofField(field: string, sentence: string): Refusal {
    return new Refusal("invalid", sentence, { field });
  }

  /** Also for what belongs to somebody else: another answer would reveal that it exists. */
  static notFound(sentence: string): Refusal {
    return new Refusal("not_found", sentence);
  }
}
