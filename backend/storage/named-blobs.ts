import { sql } from "kysely";
import type { Services } from "../services.ts";
import { outageOf } from "../waits/outage.ts";
import { blobColumns } from "./blob-columns.ts";

/**
 * Stores blobs and has rows name them. Blobs that no row names in the end are deleted. Those that cannot be deleted, and all of them after
 * a lost connection to the database, are left to the sweep of orphans: the session may have committed although its answer was lost, or
 * still do so. Decision 071.
 * @param keys of the blobs of this run only; `storeAndName` may add to them
 */
export async function withNamedBlobs<Result>(
  services: Pick<Services, "blobs" | "database" | "log">,
  keys: readonly string[],
  storeAndName: () => Promise<Result>,
): Promise<Result> {
  try {
    const result = await storeAndName();
    await deleteUnnamed(services, keys);
    return result;
  } catch (error) {
    if (outageOf(error) !== "database") await deleteUnnamed(services, keys);
    throw error;
  }
}

async function deleteUnnamed(
  { blobs, database, log }: Pick<Services, "blobs" | "database" | "log">,
  keys: readonly string[],
): Promise<void> {
  try {
    const named = await namedKeys({ database }, keys);
    for (const key of keys) if (!named.has(key)) await blobs.delete(key);
  } catch (error) {
    log.warn({ err: error, keys }, "stored files left to the sweep of those that no row names");
  }
}

/** The keys that a row names, and those of files that came in parts and wait for their import. */
export async function namedKeys(
  { database }: Pick<Services, "database">,
  keys: readonly string[],
): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  // First: an import that begins meanwhile has a match name the file.
  const waiting = await waitingUploadKeys(database, keys);
  const wanted = sql`(${sql.join(keys)})`;
  const columns = blobColumns.map(
    ([table, column]) =>
      sql`SELECT ${sql.ref(column)} AS key FROM ${sql.table(table)} WHERE ${sql.ref(column)} IN ${wanted}`,
  );
  const { rows } = await sql<{ key: string }>`${sql.join(columns, sql` UNION ALL `)}`.execute(database);
  return new Set([...waiting, ...rows.map((row) => row.key), ...(await namedMapKeys(database, keys))]);
}

/**
 * Files of which everything is here and whose import was refused, for lack of room for example. Their age does not protect them: S3 dates
 * a file of parts by when the first was begun.
 */
async function waitingUploadKeys(database: Services["database"], keys: readonly string[]): Promise<string[]> {
  const ids = keys.flatMap((key) => /^uploads\/([0-9a-f]{24})$/.exec(key)?.[1] ?? []);
  if (ids.length === 0) return [];
  const rows = await database
    .selectFrom("uploads")
    .select("id")
    .where("id", "=", sql<string>`ANY(${ids}::text[])`)
    .where("match_id", "is", null)
    .execute();
  return rows.map(({ id }) => `uploads/${id}`);
}

/** Files of maps that are or were recently in use, and those that clips were planned with. */
async function namedMapKeys(database: Services["database"], keys: readonly string[]): Promise<string[]> {
  const hashes = keys.flatMap((key) => mapHashOf(key) ?? []);
  if (hashes.length === 0) return [];
  const { rows } = await sql<{ hash: string }>`
    SELECT hash FROM unnest(${hashes}::text[]) AS wanted (hash)
    WHERE EXISTS (SELECT 1 FROM map_footprints WHERE map_footprints.hash = wanted.hash)
      OR EXISTS (SELECT 1 FROM clips WHERE clips.map_hash = wanted.hash)
  `.execute(database);
  const named = new Set(rows.map(({ hash }) => hash));
  return keys.filter((key) => named.has(mapHashOf(key) ?? ""));
}

/** The hash in the key of a map's file; null for other keys. */
function mapHashOf(key: string): string | null {
  return /^maps\/([0-9a-f]{32})\//.exec(key)?.[1] ?? null;
}
