import { randomUUID } from "node:crypto";
import type { ExpressionBuilder, Kysely } from "kysely";
import type { BlobStore } from "./blob-store.ts";
import type { Database } from "./schema.ts";

/**
 * Begins the keys of rows in `settings` that say until when no process deletes blobs, one row for each running backup. Earlier
 * versions have one row of exactly this key.
 */
export const holdKey = "blobs held until";
const isHold = (rows: ExpressionBuilder<Database, "settings">) => rows("key", "like", `${holdKey}%`);
/** A backup that dies holds deletions no longer than this. */
const holdForMs = 60_000;

/**
 * Wraps a store so that nothing is deleted while a backup copies it: blobs that rows named when it began must be there until it ends.
 * Keys of blobs to delete later are kept in `held_deletions`.
 */
export function withHeldDeletions(store: BlobStore, database: Kysely<Database>, now: () => Date): BlobStore {
  return {
    async putFile(key, ...given) {
      // Stored again, it is wanted. If the database is away the key stays, which is harmless: blobs that a row names are not deleted.
      await forgetHeld(database, [key]).catch(() => {});
      await store.putFile(key, ...given);
    },
    probe: (...given) => store.probe(...given),
    stat: (...given) => store.stat(...given),
    read: (...given) => store.read(...given),
    openLocal: (...given) => store.openLocal(...given),
    signedUrl: (...given) => store.signedUrl(...given),
    list: (...given) => store.list(...given),
    listSizes: (...given) => store.listSizes(...given),
    beginParts: (...given) => store.beginParts(...given),
    putPart: (...given) => store.putPart(...given),
    completeParts: (...given) => store.completeParts(...given),
    abortParts: (...given) => store.abortParts(...given),
    endUploads: (...given) => store.endUploads(...given),
    async delete(key) {
      // If the database is away, the blob stays: the sweep for blobs that no row names finds it later.
      if (!(await areDeletionsHeld(database, now()).catch(() => true))) await store.delete(key);
      else await rememberHeld(database, [key]).catch(() => {});
    },
  };
}

/** Whether any process is backing up the store. */
export async function areDeletionsHeld(database: Kysely<Database>, now: Date): Promise<boolean> {
  const holds = await database.selectFrom("settings").select("value").where(isHold).execute();
  return holds.some(({ value }) => Date.parse(value) > now.getTime());
}

/** Keys of blobs whose deletion was held, in order. */
export async function heldAfter(database: Kysely<Database>, after: string, limit: number): Promise<string[]> {
  const rows = database.selectFrom("held_deletions").select("key").where("key", ">", after).orderBy("key").limit(limit);
  return (await rows.execute()).map(({ key }) => key);
}

export async function rememberHeld(database: Kysely<Database>, keys: readonly string[]): Promise<void> {
  await database
    .insertInto("held_deletions")
    .values(keys.map((key) => ({ key })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** @returns the keys among them that were held */
export async function forgetHeld(database: Kysely<Database>, keys: readonly string[]): Promise<string[]> {
  const rows = await database.deleteFrom("held_deletions").where("key", "in", keys).returning("key").execute();
  return rows.map(({ key }) => key);
}

/** Holds all deletions until released, or until a minute after this process dies. Holds of others stay. */
export async function holdDeletions(database: Kysely<Database>): Promise<{ release(): Promise<void> }> {
  const key = `${holdKey} ${randomUUID()}`;
  const hold = async () => {
    const value = new Date(Date.now() + holdForMs).toISOString();
    await database
      .insertInto("settings")
      .values({ key, value })
      .onConflict((conflict) => conflict.column("key").doUpdateSet({ value }))
      .execute();
  };
  // Left by backups that died.
  await database.deleteFrom("settings").where(isHold).where("value", "<", new Date().toISOString()).execute();
  await hold();
  const timer = setInterval(() => hold().catch(() => {}), holdForMs / 4);
  return {
    async release() {
      clearInterval(timer);
      await database.deleteFrom("settings").where("key", "=", key).execute();
    },
  };
}
