import type { Kysely, Transaction } from "kysely";
import type { Database } from "../schema.ts";

/** A database whose session breaks off between the server's COMMIT and its answer: the written data is there. */
export function withLostCommit(database: Kysely<Database>, error: Error): Kysely<Database> {
  return new Proxy(database, {
    get(target, name) {
      if (name !== "transaction") {
        const value = Reflect.get(target, name, target);
        return typeof value === "function" ? value.bind(target) : value;
      }
      return () => ({
        async execute(callback: (transaction: Transaction<Database>) => Promise<unknown>) {
          await target.transaction().execute(callback);
          throw error;
        },
      });
    },
  });
}
