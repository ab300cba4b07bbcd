/** The connection failed for the reason in `cause`. It is not an error of the file system, whatever its code is. */
export class ConnectionError extends Error {
  constructor(cause: unknown) {
    super("The connection failed.", { cause });
  }
}

/** There was no connection, or no TLS, in time. */
export class NoConnectionInTimeError extends Error {
  readonly code = "ETIMEDOUT";
}

/** The answer is not HTTP. */
export class NotHttpError extends Error {
  readonly code = "HPE_NOT_HTTP";
}
