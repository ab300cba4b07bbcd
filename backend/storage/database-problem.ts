import { StartProblem } from "../start-problem.ts";

/** An error and its causes, outermost first. */
function chainOf(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let link = error; link instanceof Error && chain.length < 10; link = link.cause) {
    chain.push(link);
    // A host with several addresses: each has its own refusal.
    if (link instanceof AggregateError) chain.push(...link.errors.filter((each) => each instanceof Error));
  }
  return chain;
}

/** How the reader of the sentence configured the place, and what to do after fixing it. */
export interface PlaceWords {
  setting: string;
  again: string;
}

const ofStart: PlaceWords = { setting: "DATABASE_URL", again: "start again" };

interface Place extends PlaceWords {
  /** "db.example.org:5432" */
  host: string;
  user: string;
  database: string;
}

function placeOf(url: string | undefined, words: PlaceWords): Place {
  if (!url) return { ...words, host: "the data directory", user: "", database: "" };
  const { hostname, port, username, pathname, searchParams } = new URL(url);
  // The path of a socket is in the query.
  const host = searchParams.get("host") ?? hostname;
  return {
    ...words,
    host: `${host || "localhost"}:${port || "5432"}`,
    user: decodeURIComponent(username),
    database: decodeURIComponent(pathname.slice(1)),
  };
}

const noRights = ({ user, database }: Place) =>
  `“${user}” may not change the database “${database}”. Make it its owner: ALTER DATABASE "${database}" OWNER TO "${user}"; and, in it, ALTER SCHEMA public OWNER TO "${user}";`;

/** By code of the operating system or of PostgreSQL (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
const sentences: Record<string, (place: Place) => string> = {
  ENOTFOUND: ({ host, setting }) => `There is no host ${host}. Check ${setting}.`,
  EAI_AGAIN: ({ host, setting }) => `The name of ${host} cannot be looked up. Check ${setting} and the network.`,
  ECONNREFUSED: ({ host, setting }) => `Nothing answers at ${host}. Is the database running, and is ${setting} right?`,
  ENOENT: ({ host, setting }) => `There is no socket ${host}. Is the database running, and is ${setting} right?`,
  EHOSTUNREACH: ({ host, setting }) => `There is no way to ${host}. Check ${setting} and the network.`,
  ENETUNREACH: ({ host, setting }) => `There is no way to ${host}. Check ${setting} and the network.`,
  ETIMEDOUT: ({ host, setting }) => `The database at ${host} does not answer. Check ${setting} and firewalls.`,
  ECONNRESET: ({ host }) => `The database at ${host} hung up. Look into its log.`,
  "28P01": ({ user, host, setting }) =>
    `The database at ${host} refuses the password of “${user}”. Check DATABASE_PASSWORD, or the one in ${setting}.`,
  "28000": ({ user, host, setting }) =>
    `The database at ${host} does not let “${user}” in. Check ${setting} and pg_hba.conf.`,
  "3D000": ({ database, host }) => `There is no database “${database}” at ${host}. Make it: createdb ${database}`,
  "42501": noRights,
  // Without the right to use its schema.
  "3F000": noRights,
  "53300": ({ host }) =>
    `The database at ${host} has no connection left. Raise max_connections, or run fewer processes.`,
  "57P03": ({ host }) => `The database at ${host} is starting or stopping. Try again in a moment.`,
  "25006": ({ host, setting }) => `The database at ${host} only reads: it is a copy. Name the primary in ${setting}.`,
  "57014": ({ host, user, again }) =>
    `The database at ${host} ended a statement before it was done: its statement_timeout is too short, or somebody cancelled it. Allow more time (ALTER ROLE "${user}" SET statement_timeout = 0), then ${again}.`,
  "55P03": ({ host, again }) =>
    `Another session of the database at ${host} holds for too long what has to be changed. Look for it in pg_stat_activity, then ${again}.`,
  "53100": ({ host, again }) => `The disk of the database at ${host} is full. Make room, then ${again}.`,
};

/** A pool's errors about a server that does not answer; they have no code. */
const silence = /timeout (exceeded )?when trying to connect|connection timeout|Query read timeout/i;
/** Kysely's error when the database has a migration that this version does not know. */
const unknownMigration = /previously executed migration (\S+) is missing/;

/**
 * Explains to whoever started the process why a database could not be opened.
 * @param url DATABASE_URL, or another address of a server; undefined: embedded
 * @returns null if the problem is not the database's place, rights or version
 */
export function databaseProblem(
  error: unknown,
  url: string | undefined,
  words: PlaceWords = ofStart,
): StartProblem | null {
  const place = placeOf(url, words);
  for (const link of chainOf(error)) {
    const { code } = link as NodeJS.ErrnoException;
    const unknown = unknownMigration.exec(link.message)?.[1];
    if (unknown) return newerThanKnown(unknown, error);
    const sentence = silence.test(link.message)
      ? sentences.ETIMEDOUT?.(place)
      : code === undefined || (!url && !/^[0-9A-Z]{5}$/.test(code))
        ? undefined
        : sentences[code]?.(place);
    if (sentence) return new StartProblem(sentence, { cause: error });
  }
  return null;
}

/** @param migration name of a migration that this version does not know */
export function newerThanKnown(migration: string, cause?: unknown): StartProblem {
  return new StartProblem(
    `A newer Clutchcast has used this database: it knows the change ${migration}, which this version does not. Start the newer version, or restore a backup from before it. Nothing was changed.`,
    { cause },
  );
}

/** @param found version of the queue's tables in the database; null: none yet */
export function refuseNewerQueue(found: number | null, known: number): void {
  if (found !== null && found > known) {
    throw new StartProblem(
      `A newer Clutchcast has used this database: its queue has version ${found}, this one knows ${known}. Start the newer version, or restore a backup from before it. Nothing was changed.`,
    );
  }
}
