import type { RefusalCode } from "../contract/error-codes.ts";

export interface RefusalDetails {
  /** The field of the request that it is about. */
  field?: string;
  /** When asking again may help. */
  retryAfterSeconds?: number;
}

/**
 * What was asked for is not done, through no fault of ours: thrown by accounts, matches, clips and their like, which know
 * nothing of who asked or how. The border to the outside says it in its own way (`api/api-error.ts`).
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

  /** About one field of the request. */
  static ofField(field: string, sentence: string): Refusal {
    return new Refusal("invalid", sentence, { field });
  }

  /** Also for what exists but is somebody else's: anything else would tell that it exists. */
  static notFound(sentence: string): Refusal {
    return new Refusal("not_found", sentence);
  }
}
