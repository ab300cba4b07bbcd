/** The database server is unreachable, or accepts no more connections; the request is not at fault. */
export class DatabaseUnavailableError extends Error {
  constructor(cause: unknown) {
    super(`The database cannot be reached: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** The disk of the database server is full: its operator has to make room. `DiskSpace` watches our own disk. */
export class RemoteDatabaseFullError extends Error {
  constructor(cause: Error) {
    super(`The database's disk is full: ${cause.message}`, { cause });
  }
}

/** The system's codes for a missing or lost connection. */
const connectionCodes = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "ECONNABORTED", "EPIPE", "ETIMEDOUT", "ENOTFOUND", "EAI_AGAIN"],
  ...["EHOSTUNREACH", "EHOSTDOWN", "ENETUNREACH", "ENETDOWN"],
]);

/**
 * PostgreSQL's codes: no connection; it stops, starts or recovers; no connection is free; it is a standby and accepts no writes.
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const states = /^(08...|57P0[1-5]|53300|25006)$/;

/** Errors of node-postgres without a code. */
const lostConnection =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client was closed)/;

/** Gives an error of node-postgres its own class if the server is unreachable, or its disk full. */
export function namedDatabaseError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseUnavailableError) return error;
  if (error instanceof RemoteDatabaseFullError) return error;
  const { code } = error as { code?: unknown };
  if (code === "53100") return new RemoteDatabaseFullError(error);
  const isAway =
    (typeof code === "string" && (connectionCodes.has(code) || states.test(code))) ||
    lostConnection.test(error.message) ||
    (error instanceof AggregateError && error.errors.every((one) => namedDatabaseError(one) !== one));
  return isAway ? new DatabaseUnavailableError(error) : error;
}
