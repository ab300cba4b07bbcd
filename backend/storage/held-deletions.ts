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
export const holdForMs = 60_000;

/**
 * A store that deletes nothing while a backup copies it: what a row named at the beginning has to be there at the end. What is left over is
 * found by the sweep for blobs that no row names.
 */
export function withHeldDeletions(store: BlobStore, database: Kysely<Database>, now: () => Date): BlobStore {
  return {
    putFile: (...given) => store.putFile(...given),
    probe: (...given) => store.probe(...given),
    stat: (...given) => store.stat(...given),
    read: (...given) => store.read(...given),
    openLocal: (...given) => store.openLocal(...given),
    signedUrl: (...given) => store.signedUrl(...given),
    list: (...given) => store.list(...given),
    listSizes: (...given) => store.listSizes(...given),
    async delete(key) {
      // A database that is away cannot say: what stays is found later.
      if (!(await areHeld(database, now()).catch(() => true))) await store.delete(key);
    },
  };
}

async function areHeld(database: Kysely<Database>, now: Date): Promise<boolean> {
  const holds = await database.selectFrom("settings").select("value").where(isHold).execute();
  return holds.some(({ value }) => Date.parse(value) > now.getTime());
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
