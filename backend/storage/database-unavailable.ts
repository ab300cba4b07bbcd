/** The server that keeps the database is away, or takes no more connections: nothing is wrong with what was asked of it. */
export class DatabaseUnavailableError extends Error {
  constructor(cause: unknown) {
    super(`The database cannot be reached: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** The disk of the server that keeps the database is full: its operator makes room. On our own disk, `DiskSpace` tells. */
export class RemoteDatabaseFullError extends Error {
  constructor(cause: Error) {
    super(`The database's disk is full: ${cause.message}`, { cause });
  }
}

/** What the system says of a connection that is not there, or not any more. */
const connectionCodes = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "ECONNABORTED", "EPIPE", "ETIMEDOUT", "ENOTFOUND", "EAI_AGAIN"],
  ...["EHOSTUNREACH", "EHOSTDOWN", "ENETUNREACH", "ENETDOWN"],
]);

/**
 * PostgreSQL's: no connection; it stops, starts or recovers; no connection is free; it stands by and takes no writes.
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const states = /^(08...|57P0[1-5]|53300|25006)$/;

/** node-postgres gives these no code. */
const lostConnection =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client was closed)/;

/** An error of node-postgres as it is to be thrown on: by a name of its own where the server is away, or its disk full. */
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
