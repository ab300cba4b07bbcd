import { type Kysely, sql } from "kysely";
import { mapFootprintsKey } from "../../maps/map-files.ts";
import { blobColumns } from "../../storage/blob-columns.ts";
import type { Database } from "../../storage/schema.ts";

const pageSize = 5000;

/** Keys after one, in the database's order of texts; an empty list at the end. */
export type NamedBlobs = (after: string) => Promise<string[]>;

/** The next keys that rows name, without duplicates. */
export async function namedBlobsAfter(database: Kysely<Database>, after: string): Promise<string[]> {
  const [prefix = "", suffix = ""] = mapFootprintsKey("|").split("|");
  const mapKey = sql`${sql.lit(prefix)} || hash || ${sql.lit(suffix)}`;
  const maps = sql`(
    SELECT ${mapKey} AS key FROM (
      SELECT hash FROM map_footprints WHERE hash IS NOT NULL
      UNION SELECT map_hash FROM clips WHERE map_hash IS NOT NULL
    ) AS named WHERE ${mapKey} > ${after}
  )`;
  // Each by its own index as far as it has one.
  const columns = blobColumns.map(([table, name]) => {
    const column = sql.ref(name);
    return sql`(SELECT ${column} AS key FROM ${sql.table(table)} WHERE ${column} > ${after} ORDER BY 1 LIMIT ${sql.lit(pageSize)})`;
  });
  const { rows } = await sql<{ key: string }>`
    ${sql.join([...columns, maps], sql` UNION `)} ORDER BY 1 LIMIT ${sql.lit(pageSize)}
  `.execute(database);
  return rows.map(({ key }) => key);
}
