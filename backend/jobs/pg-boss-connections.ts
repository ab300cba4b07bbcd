import { CompiledQuery, type Transaction } from "kysely";
import type { Db } from "pg-boss";
import type { OpenDatabase } from "../storage/open-database.ts";
import type { Database } from "../storage/schema.ts";
import { outsideTransaction } from "../storage/transaction-guard.ts";
import { deadlines } from "../waits/deadlines.ts";

/**
 * Connections of pg-boss for its upkeep, its clock and its notifications; it passes these options to node-postgres. Statements that
 * somebody waits for go over the pool of everything else.
 */
export const ownConnections = {
  max: 4,
  application_name: "clutchcast jobs",
  connectionTimeoutMillis: deadlines.database.connectMs,
  query_timeout: deadlines.database.upkeepMs,
  keepAlive: true,
};

/** Runs pg-boss on the one connection, through the pool, so that its statements are never part of somebody else's transaction. */
export function embeddedAdapter({ pool, pglite, connect }: OpenDatabase): Db {
  return {
    executeSql: (text, values) => pool.query(text, values),
    async listen(channel, onNotification, onReconnect) {
      if (!pglite || !connect) throw new Error("Only the embedded database listens in its own session.");
      // LISTEN belongs to the session's transaction: it must not run inside one that may be rolled back.
      const client = await connect();
      try {
        // PGlite calls from within the statement that notified, so inside its caller's transaction.
        await pglite.listen(channel, (payload) => outsideTransaction(() => onNotification(payload)));
      } finally {
        client.release();
      }
      onReconnect();
      return {
        async close() {
          const holder = await connect();
          try {
            await pglite.unlisten(channel);
          } finally {
            holder.release();
          }
        },
      };
    },
  };
}

/** Runs pg-boss's statements in a transaction of ours. */
export function onTransaction(transaction: Transaction<Database>): Db {
  return {
    async executeSql(text, values) {
      const { rows } = await transaction.executeQuery(CompiledQuery.raw(text, [...(values ?? [])]));
      return { rows };
    },
  };
}
