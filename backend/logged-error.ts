/** An error as every line of the log has it, under `err`. */
export interface LoggedError {
  /** The class: "FetchFailedError"; of what is no error, its type. */
  type: string;
  message: string;
  stack: string;
  /** What a system or the database calls it: "ECONNREFUSED", "23505". */
  code?: string | number;
  cause: LoggedError | null;
  /** Of one that stands for several. */
  errors?: LoggedError[];
}

const keptCharacters = 8000;
/** Of causes of causes, and of errors that are made of others. */
const maxDepth = 5;
const maxErrors = 10;

/**
 * Any thrown value as a log line has it. Of an error's other properties only its code is taken: those of a database driver hold what was
 * to be stored.
 */
export function loggedError(value: unknown, depth = 0): LoggedError {
  if (!(value instanceof Error)) {
    // A renderer's process tells of its errors as plain objects.
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

/** An error with what caused it, for whoever reads the console: each with its stack, outermost first. */
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
