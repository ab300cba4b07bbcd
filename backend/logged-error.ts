/** An error in a line of the log, under `err`. */
export interface LoggedError {
  /** The class: "FetchFailedError"; for values that are no errors, their type. */
  type: string;
  message: string;
  stack: string;
  /** The code of the system or the database: "ECONNREFUSED", "23505". */
  code?: string | number;
  cause: LoggedError | null;
  /** The errors of an AggregateError. */
  errors?: LoggedError[];
}

const keptCharacters = 8000;
/** Limits nested causes and errors. */
const maxDepth = 5;
const maxErrors = 10;

/**
 * Turns any thrown value into its form in the log. Of an error's other properties only the code is included: those of a database driver
 * contain the data that was to be stored.
 */
export function loggedError(value: unknown, depth = 0): LoggedError {
  if (!(value instanceof Error)) {
    // A renderer's process reports errors as plain objects.
    const { message } = (value ?? {}) as { message?: unknown };
    const text = typeof message === "string" ? message : textOf(value);
    return { type: value === null ? "null" : typeof value, message: kept(text), stack: "", cause: null };
  }
  const { code } = value as { code?: unknown };
  const isDeep = depth >= maxDepth;
  return {
    type: value.constructor?.name || value.name,
    message: kept(value.message),
    stack: kept(value.stack ?? ""),
    ...(typeof code === "string" || typeof code === "number" ? { code } : {}),
    cause: value.cause === undefined || value.cause === null || isDeep ? null : loggedError(value.cause, depth + 1),
    ...(value instanceof AggregateError && !isDeep
      ? { errors: value.errors.slice(0, maxErrors).map((error) => loggedError(error, depth + 1)) }
      : {}),
  };
}

/** An error with its causes for the console: each with its stack, outermost first. */
export function errorWithCauses(error: unknown): string {
  const texts: string[] = [];
  for (let link: LoggedError | null = loggedError(error); link; link = link.cause) {
    const text = link.stack || link.message;
    texts.push(link.code === undefined ? text : `${text}\n    code: ${link.code}`);
    for (const one of link.errors ?? []) texts.push(one.stack || one.message);
  }
  return texts.join("\nCaused by: ");
}

const kept = (text: string) => text.slice(0, keptCharacters);

function textOf(value: unknown): string {
  if (typeof value !== "object") return String(value);
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "an object that cannot be written";
  }
}
