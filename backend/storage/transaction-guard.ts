import { AsyncLocalStorage } from "node:async_hooks";
import { Kysely, type Transaction, type TransactionBuilder } from "kysely";
import type { Database } from "./schema.ts";

const openTransaction = new AsyncLocalStorage<{ open: boolean }>();

/** A query that bypassed the transaction around it. */
export class NestedQueryError extends Error {
  constructor() {
    super("A query outside the open transaction was made from inside it: pass the transaction on and query that.");
  }
}

/**
 * The embedded database has one connection: a query on the pool from inside a transaction would wait for itself for ever. On a PostgreSQL
 * server the same query would work, but silently not be part of the transaction. Both are the same mistake, so both pools refuse it.
 * @throws NestedQueryError
 */
export function refuseInsideTransaction(): void {
  if (openTransaction.getStore()?.open) throw new NestedQueryError();
}

/** Runs something independent of the caller's transaction, e.g. a notification's listener. */
export function outsideTransaction<Result>(work: () => Result): Result {
  return openTransaction.exit(work);
}

/** A Kysely whose transactions `refuseInsideTransaction` knows. */
export class GuardedKysely extends Kysely<Database> {
  override transaction(): TransactionBuilder<Database> {
    return guarded(super.transaction());
  }
}

function guarded(builder: TransactionBuilder<Database>): TransactionBuilder<Database> {
  const withLevel = builder.setIsolationLevel.bind(builder);
  const withMode = builder.setAccessMode.bind(builder);
  const execute = builder.execute.bind(builder);
  builder.setIsolationLevel = (level) => guarded(withLevel(level));
  builder.setAccessMode = (mode) => guarded(withMode(mode));
  builder.execute = <Result>(callback: (transaction: Transaction<Database>) => Promise<Result>) =>
    execute((transaction) => {
      const mark = { open: true };
      return openTransaction.run(mark, async () => {
        try {
          return await callback(transaction);
        } finally {
          // Timers and listeners created inside keep this context; for them the transaction is over.
          mark.open = false;
        }
      });
    });
  return builder;
}
