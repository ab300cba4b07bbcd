/**
 * The deadlines, in milliseconds, of all waits for somebody else, so that none is forgotten (decision 090). Code that waits for another
 * party adds a line here, and its file to the list in `.dependency-cruiser.cjs` or, for `fetch`, `biome.json`. Not here: our own children
 * (`backend/children`, times are set by whoever starts one), requests to us (`connection-limits.ts`, `body-limits.ts`), and jobs
 * (`backend/jobs`).
 */
export const deadlines = {
  /** A demo's download. */
  download: {
    /** Resolving a name. The system's resolver asks each of its servers for five seconds. */
    lookUpMs: 10_000,
    /** Until the end of the TLS handshake. */
    connectMs: 10_000,
    /** Between two bytes of the answer. */
    idleMs: 30_000,
    /** About 34 KiB/s. Reasons for the figures: decision 090. */
    minSpeed: { bytes: 2 * 1024 ** 2, withinMs: 60_000 },
    /** The whole download: a minimum, longer by its size, up to a maximum. */
    total: { atLeastMs: 2 * 60_000, bytesPerSecond: 64 * 1024, atMostMs: 30 * 60_000 },
  },
  /** An uploaded demo. A player's line may be slower than any host's, and waiting costs only a socket. */
  upload: {
    idleMs: 30_000,
    minSpeed: { bytes: 2 * 1024 ** 2, withinMs: 2 * 60_000 },
    /** How long the rest of a refused upload is read, so that its browser gets to read the answer. */
    refusedMs: 10_000,
  },
  /** A visitor who reads nothing of the file being sent. A paused player keeps its connection, and requests the rest again. */
  visitor: { unreadMs: 10 * 60_000 },
  /** An S3 store. */
  s3: {
    /** A whole request, at most 16 MiB either way; when reading a file, until its beginning. */
    requestMs: 120_000,
    /** Silence in the middle of a file. */
    silentMs: 30_000,
    /** A whole request that a visitor waits for; for a file, until its beginning. */
    visitorMs: 5000,
    /** A check that it is reachable, before a job begins: until then nobody waits for the job's result. */
    probeMs: 30_000,
  },
  /** All checks of `/readyz`: its callers do not wait longer for an answer. */
  readinessMs: 8000,
  steam: {
    /** Steam's check of a sign-in. */
    openIdMs: 10_000,
    /** The player's own name and picture, while they wait to be signed in. */
    ownProfileMs: 4000,
    /** Profiles of a match's players, at the end of its import. */
    profilesMs: 8000,
    /** Avatars of all players together: the start of a render waits for them. */
    avatarsMs: 1500,
  },
  /** A history provider: the page with a player's matches waits for it. */
  historyProviderMs: 5000,
  /** A message to a player's own server: the whole try, of which resolving its name. */
  webhook: { totalMs: 10_000, lookUpMs: 5000 },
  database: {
    /** Connecting to a PostgreSQL server. */
    connectMs: 10_000,
    /** A caller's turn on the one connection of the embedded database. */
    turnMs: 30_000,
    /** The server ends a statement after this. */
    statementMs: 60_000,
    /** A server that has vanished ends no statement: we stop waiting after this. */
    answerMs: 75_000,
    /** Maintenance of the queue, which scans a month of jobs and rebuilds indexes. TCP alone gives up after a quarter of an hour. */
    upkeepMs: 10 * 60_000,
    /** Silence before a connection is probed, where statements have no time limit. */
    signAfterMs: 10_000,
    /** A transaction that its holder forgot. */
    idleTransactionMs: 60_000,
    /** Figures for monitoring, which waits ten seconds for all of them. */
    figuresMs: 5000,
    /** Creating a new embedded database in a separate process. */
    createMs: 10 * 60_000,
  },
  /** Connecting to a running server for the operator's commands; answers take as long as the command does. */
  operatorConnectMs: 5000,
} as const;
