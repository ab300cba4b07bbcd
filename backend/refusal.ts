import type { RefusalCode } from "../contract/error-codes.ts";

export interface RefusalDetails {
  /** The field of the request that is at fault. */
  field?: string;
  /** When asking again may succeed. */
  retryAfterSeconds?: number;
}

/**
 * A request is refused, and the fault is not ours. Thrown by rooms of the domain, which do not know who asked or how; each border
 * translates it in its own way (`api/api-error.ts`).
 */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly field: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  /** @param sentence for a person: what is wrong, and the way out */
  constructor(code: RefusalCode, sentence: string, { field, retryAfterSeconds }: RefusalDetails = {}) {
    super(sentence);
    this.name = "Refusal";
    this.code = code;
    this.field = field;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** One field of the request is at fault. */
  static ofField(field: string, sentence: string): Refusal {
    return new Refusal("invalid", sentence, { field });
  }

  /** Also for things of somebody else: another answer would tell that they exist. */
  static notFound(sentence: string): Refusal {
    return new Refusal("not_found", sentence);
  }
}
