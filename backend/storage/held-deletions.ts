import { randomUUID } from "node:crypto";
import type { ExpressionBuilder, Kysely } from "kysely";
import type { BlobStore } from "./blob-store.ts";
import type { Database } from "./schema.ts";

/**
 * What the rows of `settings` begin with that say until when no blob is deleted, in whatever process: one a backup. Earlier versions
 * have one of exactly this name.
 */
export const holdKey = "blobs held until";
const isHold = (rows: ExpressionBuilder<Database, "settings">) => rows("key", "like", `${holdKey}%`);
/** A backup that died holds them no longer than this. */
const holdForMs = 60_000;

/**
 * A store that deletes nothing while a backup copies it: what a row named at the beginning has to be there at the end. Which blobs were to go
 * is kept in `held_deletions`.
 */
export function withHeldDeletions(store: BlobStore, database: Kysely<Database>, now: () => Date): BlobStore {
  return {
    async putFile(key, ...given) {
      // Stored again it is wanted. A database that is away cannot say so: nothing that a row names is deleted later.
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
    endUploads: (...given) => store.endUploads(...given),
    async delete(key) {
      // A database that is away cannot say: what stays is found later, by the sweep for blobs that no row names.
      if (!(await areDeletionsHeld(database, now()).catch(() => true))) await store.delete(key);
      else await rememberHeld(database, [key]).catch(() => {});
    },
  };
}

/** Whether a backup copies the store, in whatever process. */
export async function areDeletionsHeld(database: Kysely<Database>, now: Date): Promise<boolean> {
  const holds = await database.selectFrom("settings").select("value").where(isHold).execute();
  return holds.some(({ value }) => Date.parse(value) > now.getTime());
}

/** Some of the blobs that were to go meanwhile, in the order of their names. */
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

/** @returns those that were remembered until now */
export async function forgetHeld(database: Kysely<Database>, keys: readonly string[]): Promise<string[]> {
  const rows = await database.deleteFrom("held_deletions").where("key", "in", keys).returning("key").execute();
  return rows.map(({ key }) => key);
}

/** Holds all deletions until released, or until this process is gone for a minute. Others that hold them go on. */
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
  // Of backups that died.
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
