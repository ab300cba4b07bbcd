import type { PGlite, Results } from "@electric-sql/pglite";
import type { PostgresPool, PostgresPoolClient } from "kysely";
import { deadlines } from "../waits/deadlines.ts";
import { DatabaseUnavailableError } from "./database-unavailable.ts";
import { EmbeddedStatements } from "./embedded-statements.ts";
import { keptPlanName } from "./kept-plan.ts";
import { refuseInsideTransaction } from "./transaction-guard.ts";

/** The result of a statement: the part of pg's QueryResult that Kysely and pg-boss read. */
export interface StatementResult {
  command: string;
  rowCount: number;
  // biome-ignore lint/suspicious/noExplicitAny: rows are whatever the statement selects, as in pg
  rows: any[];
}

export interface EmbeddedClient {
  query(text: string, values?: readonly unknown[]): Promise<StatementResult>;
  release(): void;
}

/** PostgreSQL panicked, e.g. because the disk of its log is full. Committed data is safe; the next start recovers it. */
class DatabaseDownError extends Error {
  constructor(cause: unknown) {
    super(`The embedded database stopped: ${cause instanceof Error ? cause.message : String(cause)}.`, { cause });
  }
}

export interface EmbeddedPoolHooks {
  /** Called once when PostgreSQL has panicked; from then on every query fails. */
  onDown?(error: DatabaseDownError): void;
  /** Runs before each turn, alone on the connection. Its errors are thrown to the caller of the turn. */
  beforeTurn?(query: (text: string) => Promise<StatementResult>): Promise<void>;
}

/** A pool of one: PGlite is a single session, so each caller has it alone until release. Callers are served in the order of their calls. */
export class EmbeddedPool {
  #tail: Promise<void> = Promise.resolve();
  /** The caller with the connection and those who wait for it. */
  #callers = 0;
  #ended = false;
  #down: DatabaseDownError | null = null;
  readonly #database: PGlite;
  readonly #statements: EmbeddedStatements;
  readonly #hooks: EmbeddedPoolHooks;
  readonly #turnMs: number;

  /** @param turnMs how long a caller waits for their turn */
  constructor(database: PGlite, hooks: EmbeddedPoolHooks = {}, turnMs: number = deadlines.database.turnMs) {
    this.#database = database;
    this.#statements = new EmbeddedStatements(database);
    this.#hooks = hooks;
    this.#turnMs = turnMs;
  }

  /**
   * @throws NestedQueryError from inside a transaction, which holds the only connection
   * @throws DatabaseUnavailableError after `turnMs` without a turn; a later call may get one
   * @throws whatever `beforeTurn` throws
   */
  async connect(): Promise<EmbeddedClient> {
    refuseInsideTransaction();
    if (this.#down) throw this.#down;
    if (this.#ended) throw new Error("The database is closed.");
    const previous = this.#tail;
    const isFree = this.#callers === 0;
    this.#callers++;
    let end = () => {};
    const mine = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#tail = previous.then(() => mine);
    const leave = () => {
      this.#callers--;
      end();
    };
    try {
      if (!isFree) await this.#within(this.#turnMs, previous);
      if (!this.#ended && !this.#down) await this.#hooks.beforeTurn?.((text) => this.#run(text));
    } catch (error) {
      leave();
      throw error;
    }
    return this.#client(leave);
  }

  async #within(ms: number, turn: Promise<void>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const overdue = new Promise<never>((_, reject) => {
      const kept = new Error(`No database connection within ${ms / 1000} s: somebody keeps it.`);
      timer = setTimeout(() => reject(new DatabaseUnavailableError(kept)), ms);
    });
    try {
      await Promise.race([turn, overdue]);
    } finally {
      clearTimeout(timer);
    }
  }

  #client(leave: () => void): EmbeddedClient {
    let released = false;
    return {
      query: async (text, values) => {
        if (released) throw new Error("This database connection was given back already.");
        return await this.#run(text, values);
      },
      release: () => {
        if (released) return;
        released = true;
        void this.#rollBackLeftovers().then(leave, leave);
      },
    };
  }

  /** A client that failed between BEGIN and COMMIT must not leave its transaction to the next one. */
  async #rollBackLeftovers(): Promise<void> {
    if (!this.#down && !this.#database.closed && this.#database.isInTransaction())
      await this.#database.exec("ROLLBACK");
  }

  async #run(text: string, values: readonly unknown[] = []): Promise<StatementResult> {
    if (this.#down) throw this.#down;
    try {
      const keptName = keptPlanName(text);
      if (keptName) return statementResult(await this.#statements.run(keptName, text, values));
      if (values.length > 0) return statementResult(await this.#database.query(text, [...values]));
      // Without values the text may contain several statements, which only the simple protocol accepts, as in pg.
      const results = await this.#database.exec(text);
      const last = results.at(-1);
      if (results.length <= 1) return statementResult(last);
      return { ...statementResult(last), rows: results.flatMap((result) => result.rows) };
    } catch (error) {
      if (isTheEnd(error)) {
        this.#down ??= new DatabaseDownError(error);
        this.#hooks.onDown?.(this.#down);
      }
      throw error;
    }
  }

  /** Runs one statement, or several without values, in its own turn. */
  async query(text: string, values?: readonly unknown[]): Promise<StatementResult> {
    const client = await this.connect();
    try {
      return await client.query(text, values);
    } finally {
      client.release();
    }
  }

  /** Waits for its turn, then closes the database. */
  async end(): Promise<void> {
    if (this.#ended || this.#down) return;
    const client = await this.connect();
    this.#ended = true;
    await this.#database.close();
    client.release();
  }

  /** The interface that Kysely needs; cursors, the only other use of its clients, need a server. */
  forKysely(): PostgresPool {
    return {
      connect: async () => (await this.connect()) as unknown as PostgresPoolClient,
      end: () => this.end(),
    };
  }
}

function statementResult(result: Results | undefined): StatementResult {
  return {
    command: result?.command ?? "",
    rowCount: result?.rowCount ?? result?.affectedRows ?? 0,
    rows: result?.rows ?? [],
  };
}

/** After a PANIC, or a WebAssembly trap, the next statement would spin for ever instead of failing, and block the whole server. */
function isTheEnd(error: unknown): boolean {
  return error instanceof WebAssembly.RuntimeError || (error as { severity?: string }).severity === "PANIC";
}
