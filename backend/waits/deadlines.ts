/**
 * How long we wait for somebody else: every such wait has its deadline here, so that none is forgotten (decision 090).
 * Milliseconds. Who asks somebody new adds a line here, and the file that asks to the list in
 * `.dependency-cruiser.cjs` or, for `fetch`, `biome.json`. Not here: our own children (`backend/children`, whoever starts one
 * sets its times), requests to us (`connection-limits.ts`, `body-limits.ts`), and jobs (`backend/jobs`).
 */
export const deadlines = {
  /** A demo's download. */
  download: {
    /** Name to addresses. The system's resolver asks each of its servers for five seconds. */
    lookUpMs: 10_000,
    /** To the end of the TLS handshake. */
    connectMs: 10_000,
    /** Without a byte of the answer. */
    idleMs: 30_000,
    /** About 34 KiB/s. Reasons for the figures: decision 090. */
    minSpeed: { bytes: 2 * 1024 ** 2, withinMs: 60_000 },
    /** The whole of a download: a while, and longer by its size, but not for ever. */
    total: { atLeastMs: 2 * 60_000, bytesPerSecond: 64 * 1024, atMostMs: 30 * 60_000 },
  },
  /** An uploaded demo. A player's own line may be slower than any host's, and waiting costs us a socket only. */
  upload: {
    idleMs: 30_000,
    minSpeed: { bytes: 2 * 1024 ** 2, withinMs: 2 * 60_000 },
    /** What a refused upload still sends is read this long, so that its browser comes to read the answer. */
    refusedMs: 10_000,
  },
  /** A visitor who is sent a file and reads none of it. A paused player keeps its connection, and asks anew for the rest. */
  visitor: { unreadMs: 10 * 60_000 },
  /** An S3 store. */
  s3: {
    /** A request to its end, at most 16 MiB either way; of a file that is read, to the beginning. */
    requestMs: 120_000,
    /** In the middle of a file. */
    silentMs: 30_000,
    /** All of what a visitor waits for; of a file, its beginning. */
    visitorMs: 5000,
    /** Whether it is there, before a job begins: until then nobody reads what the job waits for. */
    probeMs: 30_000,
  },
  /** What `/readyz` looks at: whoever asks waits no longer for an answer. */
  readinessMs: 8000,
  steam: {
    /** Its word on a sign-in. */
    openIdMs: 10_000,
    /** The player's own name and picture, while they wait for their sign-in. */
    ownProfileMs: 4000,
    /** Those of a match's players, at the end of its import. */
    profilesMs: 8000,
    /** Their pictures, all of them together: the beginning of a render waits for them. */
    avatarsMs: 1500,
  },
  /** A history provider: the page with a player's matches waits for it. */
  historyProviderMs: 5000,
  /** A message to a player's own server: a try in all, and of that its name to addresses. */
  webhook: { totalMs: 10_000, lookUpMs: 5000 },
  database: {
    /** To a PostgreSQL server. */
    connectMs: 10_000,
    /** The turn of a caller on the one connection of the embedded database. */
    turnMs: 30_000,
    /** Its server ends a statement by itself. */
    statementMs: 60_000,
    /** A server that is there no longer ends none: then we stop waiting. */
    answerMs: 75_000,
    /** The queue's upkeep, which goes through a month of jobs and builds indexes anew. TCP alone gives up after a quarter of an hour. */
    upkeepMs: 10 * 60_000,
    /** Before a silent connection is asked for a sign of life, where a statement may take as long as it takes. */
    signAfterMs: 10_000,
    /** A transaction that its holder forgot. */
    idleTransactionMs: 60_000,
    /** Of figures for monitoring, which waits ten seconds for all of them. */
    figuresMs: 5000,
    /** Making a new embedded one, in a process of its own. */
    createMs: 10 * 60_000,
  },
  /** A running server, by the operator's commands: to a connection. Its answer takes as long as the command. */
  operatorConnectMs: 5000,
} as const;
