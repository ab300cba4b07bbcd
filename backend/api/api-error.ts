import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { ErrorCode, RefusalCode } from "../../contract/error-codes.ts";
import { retryAfterSeconds } from "../http/retry-after.ts";
import type { OverloadedError } from "../overloaded-error.ts";
import type { Refusal } from "../refusal.ts";
import type { Outage } from "../waits/outage.ts";

/** An error as the API answers it: routes throw it, and the one error handler turns it into `{error, detail}`. */
export class ApiError extends Error {
  readonly status: ContentfulStatusCode;
  /** A short code a program can switch on, e.g. `queue_limit`. */
  readonly code: ErrorCode;
  /** A sentence for a person. */
  readonly detail: string;
  /** Sentences for each rejected field of the body; the answer has them beside `error` and `detail`. */
  readonly fields: Record<string, string[]> | undefined;
  readonly headers: Record<string, string> | undefined;

  constructor(
    status: ContentfulStatusCode,
    code: ErrorCode,
    detail: string,
    more: { fields?: Record<string, string[]>; headers?: Record<string, string> } = {},
  ) {
    super(detail);
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.fields = more.fields;
    this.headers = more.headers;
  }

  /** For a visitor who has to be signed in and is not, or no longer. */
  static signedOut(): ApiError {
    return new ApiError(401, "authentication_required", "Authentication required", {
      headers: { "WWW-Authenticate": 'Bearer realm="clutchcast"' },
    });
  }

  /** A 400 about one field of the body: `{demo_url: ["…"]}`. */
  static field(name: string, sentence: string): ApiError {
    return new ApiError(400, "invalid", sentence, { fields: { [name]: [sentence] } });
  }

  static diskFull(): ApiError {
    return new ApiError(
      507,
      "disk_full",
      "This server has no disk space left, so nothing new can be stored. Everything is still here to see and to delete.",
    );
  }

  /** The database or the store is unreachable. For a full one see `diskFull`. */
  static unavailable(what: Outage): ApiError {
    const sentence =
      what === "database" || what === "full database"
        ? "This server's database is out of reach at the moment. Please try again in a few seconds."
        : "This server's file store is out of reach at the moment. Please try again in a few seconds.";
    return new ApiError(503, "unavailable", sentence, { headers: { "retry-after": String(retryAfterSeconds) } });
  }

  static overloaded({ message, retryAfterSeconds: seconds }: OverloadedError): ApiError {
    return new ApiError(503, "unavailable", message, { headers: { "retry-after": String(seconds) } });
  }

  /** The answer at every address without a call. */
  static nothingHere(): ApiError {
    return ApiError.notFound("There is nothing at this address");
  }

  /** Also answers for what belongs to somebody else: 403 would reveal that it exists. */
  static notFound(detail = "Not found"): ApiError {
    return new ApiError(404, "not_found", detail);
  }
}

/** The HTTP status of each refusal. */
const statusOfRefusal: Record<RefusalCode, ContentfulStatusCode> = {
  invalid: 400,
  not_found: 404,
  not_failed: 409,
  upload_gone: 409,
  upload_limit: 429,
  upload_incomplete: 409,
  part_out_of_order: 409,
  match_not_ready: 409,
  match_data_deleted: 409,
  clip_not_ready: 409,
  not_in_recording: 409,
  moment_limit: 409,
  highlight_in_use: 409,
  queue_limit: 429,
  imports_under_way: 429,
  import_limit: 429,
  token_limit: 409,
  no_history_provider: 409,
  webhook_limit: 409,
  rate_limited: 429,
  disk_quota: 409,
};

/** Turns a refusal into its HTTP error. */
export function errorOfRefusal({ code, message, field, retryAfterSeconds }: Refusal): ApiError {
  return new ApiError(statusOfRefusal[code], code, message, {
    ...(field === undefined ? {} : { fields: { [field]: [message] } }),
    ...(retryAfterSeconds === undefined ? {} : { headers: { "retry-after": String(retryAfterSeconds) } }),
  });
}
