import type { PGlite } from "@electric-sql/pglite";
import { type Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import { deadlines } from "../waits/deadlines.ts";
import { databaseProblem } from "./database-problem.ts";
import { namedDatabaseError } from "./database-unavailable.ts";
import { openEmbeddedDatabase } from "./embedded-database.ts";
import type { EmbeddedClient } from "./embedded-pool.ts";
import { keepUp } from "./embedded-upkeep.ts";
import { refuseHalfMoved } from "./half-moved.ts";
import { keptPlanName } from "./kept-plan.ts";
import { buildEmbeddedIndexes, buildServerIndexes } from "./large-indexes.ts";
import { migrate } from "./migrate.ts";
import { refuseMoved } from "./moved-mark.ts";
import type { QueryPool } from "./query-pool.ts";
import type { Database } from "./schema.ts";
import { GuardedKysely, refuseInsideTransaction } from "./transaction-guard.ts";
import { serverTypes } from "./type-parsers.ts";

export interface OpenDatabase {
  database: Kysely<Database>;
  pool: QueryPool;
  kind: "embedded" | "postgres";
  /** Embedded only: its single session, for LISTEN, to be used while `connect`'s client is held. */
  pglite?: PGlite;
  /** Embedded only: its single connection, exclusive until release. */
  connect?(): Promise<EmbeddedClient>;
  /** Embedded: writes all pages to their files. A PostgreSQL server does so by itself. */
  checkpoint(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the database of the configuration, migrated: a PostgreSQL server with DATABASE_URL, else the embedded one.
 * @throws StartProblem about its place, rights or version
 * @throws DataDirectoryInUseError when another process has the embedded one open
 */
export async function openDatabase(
  config: Pick<Config, "DATABASE_URL" | "DATA_DIR">,
  log: Logger,
): Promise<OpenDatabase> {
  return config.DATABASE_URL ? await openServer(config.DATABASE_URL, log) : await openEmbedded(config.DATA_DIR, log);
}

/**
 * A database as of some migration, for a restore to fill or a move to read: statements have no time limit, and only the caller works on it.
 * @param upTo name of the last migration to run; null to change nothing
 * @throws StartProblem as `openDatabase`
 */
export async function openDatabaseAt(
  upTo: string | null,
  config: Pick<Config, "DATABASE_URL" | "DATA_DIR">,
  log: Logger,
): Promise<{ database: Kysely<Database>; close(): Promise<void> }> {
  const { DATABASE_URL: url } = config;
  if (url === undefined) refuseMoved(config.DATA_DIR);
  const embedded = url === undefined ? await openEmbeddedDatabase(config.DATA_DIR, log) : null;
  const ofServer = url === undefined ? null : new GuardedPool(withoutTimeLimits(url));
  const pool = ofServer ?? embedded?.pool.forKysely();
  if (!pool) throw new Error("no database is configured");
  const database = new GuardedKysely({ dialect: new PostgresDialect({ pool }) });
  const close = async () => {
    if (embedded) await embedded.close();
    else await database.destroy();
  };
  try {
    if (url !== undefined) await refuseHalfMoved(database);
    // Only to connect.
    if (upTo === null) await sql`SELECT 1`.execute(database);
    else await migrate(database, upTo);
  } catch (error) {
    await close();
    throw databaseProblem(error, url) ?? error;
  }
  return { database, close };
}

/** Connections for statements that may take as long as a table is large. Keep-alive detects a server that vanished. */
const withoutTimeLimits = (url: string): pg.PoolConfig => ({
  connectionString: url,
  types: serverTypes,
  connectionTimeoutMillis: deadlines.database.connectMs,
  keepAlive: true,
  keepAliveInitialDelayMillis: deadlines.database.signAfterMs,
});

async function openEmbedded(dataDirectory: string, log: Logger): Promise<OpenDatabase> {
  refuseMoved(dataDirectory);
  const embedded = await openEmbeddedDatabase(dataDirectory, log);
  const { pool, pglite } = embedded;
  const database = new GuardedKysely({ dialect: new PostgresDialect({ pool: pool.forKysely() }) });
  try {
    await migrateAndLog(database, log);
    await buildEmbeddedIndexes(pool, log);
    await embedded.checkDurability();
  } catch (error) {
    await embedded.close();
    throw databaseProblem(error, undefined) ?? error;
  }
  const upkeep = keepUp(pool, embedded.guard, log);
  return {
    database,
    pool,
    pglite,
    connect: () => pool.connect(),
    kind: "embedded",
    checkpoint: upkeep.checkpoint,
    async close() {
      upkeep.stop();
      await embedded.close();
    },
  };
}

/** A pool that refuses to bypass its caller's open transaction, and whose errors have their own class when the server is unreachable. */
class GuardedPool extends pg.Pool {
  constructor(options: pg.PoolConfig, lost: (error: Error) => void = () => {}) {
    super({ ...options, Client: clientsWithNamedErrors() } as pg.PoolConfig);
    // A restarting server breaks idle connections. The pool replaces them, but an unhandled error would end the process.
    this.on("error", lost);
  }

  // biome-ignore lint/suspicious/noExplicitAny: pg declares overloads that only `any` satisfies
  override connect(callback?: any): any {
    try {
      refuseInsideTransaction();
    } catch (error) {
      if (!callback) return Promise.reject(error);
      process.nextTick(callback, error);
      return;
    }
    if (!callback) return super.connect().catch(rethrowNamed);
    return super.connect((error, client, release) => callback(error && namedDatabaseError(error), client, release));
  }

  // biome-ignore lint/suspicious/noExplicitAny: pg declares overloads that only `any` satisfies
  override query(...given: any[]): any {
    // biome-ignore lint/suspicious/noExplicitAny: the same
    const result = (super.query as any)(...given);
    return result instanceof Promise ? result.catch(rethrowNamed) : result;
  }
}

/**
 * The connections of one pool. Errors of their statements, too, have their own class when the server is unreachable. They keep marked plans
 * until it turns out that a pooler shares the server's connections among several clients.
 */
function clientsWithNamedErrors(): typeof pg.Client {
  let keepsPlans = true;
  return class NamingClient extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config);
      // The pool handles errors of idle ones. Without this, losing one between two statements of a transaction would end the process; the
      // next statement reports it.
      this.on("error", () => {});
    }

    // biome-ignore lint/suspicious/noExplicitAny: pg declares overloads that only `any` satisfies
    override query(...given: any[]): any {
      // biome-ignore lint/suspicious/noExplicitAny: the same
      const query = super.query as any;
      const [text, values, callback] = given;
      const name = keepsPlans && typeof text === "string" && !callback ? keptPlanName(text) : null;
      const result = name ? query.call(this, { name, text, values }) : query.apply(this, given);
      if (!(result instanceof Promise)) return result;
      if (!name) return result.catch(rethrowNamed);
      return result
        .catch((error) => {
          if (!lostPlanCodes.has(error.code)) throw error;
          keepsPlans = false;
          return query.apply(this, given);
        })
        .catch(rethrowNamed);
    }
  };
}

/** PostgreSQL's codes for a statement that this connection has not prepared, and for one that another client has. */
const lostPlanCodes = new Set(["26000", "42P05"]);

function rethrowNamed(error: unknown): never {
  throw namedDatabaseError(error);
}

async function openServer(url: string, log: Logger): Promise<OpenDatabase> {
  const options: pg.PoolConfig = {
    connectionString: url,
    types: serverTypes,
    max: 10,
    connectionTimeoutMillis: deadlines.database.connectMs,
    idleTimeoutMillis: 30_000,
    // Statements and forgotten transactions must not hold their locks for ever.
    statement_timeout: deadlines.database.statementMs,
    query_timeout: deadlines.database.answerMs,
    idle_in_transaction_session_timeout: deadlines.database.idleTransactionMs,
    keepAlive: true,
    application_name: "clutchcast",
    // Our queries read some hundred rows by an index. PostgreSQL overestimates the filtered lists and starts parallel workers for them,
    // which took most of their time (bench/scale). It also assumes a spinning disk, on which a random page is four times as slow as the
    // next one: it then reads all matches of a player rather than those of ten highlights. For queries with a high estimate it compiles the
    // statement first, which takes 50 ms, although ten clips are enough. `?options=` of DATABASE_URL takes precedence.
    options: "-c max_parallel_workers_per_gather=0 -c random_page_cost=1.1 -c jit=off",
  };
  const pool = new GuardedPool(options, (error) => log.warn({ err: error }, "lost an idle database connection"));
  const database = new GuardedKysely({ dialect: new PostgresDialect({ pool }) });
  try {
    await refuseHalfMoved(database);
    await migrateServer(url, log);
    await buildServerIndexes(url, log);
  } catch (error) {
    await pool.end();
    throw databaseProblem(error, url) ?? error;
  }
  return { database, pool, kind: "postgres", checkpoint: async () => {}, close: () => pool.end() };
}

/** Without the pool's deadlines: migrating large tables may take minutes, and another process waits as long for its turn. */
async function migrateServer(url: string, log: Logger): Promise<void> {
  const pool = new GuardedPool({ ...withoutTimeLimits(url), application_name: "clutchcast migrations" });
  const database = new GuardedKysely({ dialect: new PostgresDialect({ pool }) });
  try {
    await migrateAndLog(database, log);
  } finally {
    await database.destroy();
  }
}

async function migrateAndLog(database: Kysely<Database>, log: Logger): Promise<void> {
  const applied = await migrate(database);
  if (applied.length > 0) log.info({ applied }, "database migrated");
}
