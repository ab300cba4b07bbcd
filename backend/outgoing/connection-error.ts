/** The connection failed. The technical reason is in `cause`; it is no error of the file system, whatever its code says. */
export class ConnectionError extends Error {
  constructor(cause: unknown) {
    super("The connection failed.", { cause });
  }
}

/** There was no connection, or no secure one, in time. */
export class NoConnectionInTimeError extends Error {
  readonly code = "ETIMEDOUT";
}

/** What came is not what a web server answers to our request. */
export class NotHttpError extends Error {
  readonly code = "HPE_NOT_HTTP";
}
