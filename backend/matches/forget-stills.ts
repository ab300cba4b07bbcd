import type { Transaction } from "kysely";
import type { Database } from "../storage/schema.ts";

/**
 * Removes the stills of custom moments from their rows, for a whole demo or for some moments.
 * @returns the keys of their files, for the caller to delete once the transaction is done
 */
export async function forgetStills(
  transaction: Transaction<Database>,
  of: { sha256: string } | { ids: readonly number[] },
): Promise<string[]> {
  const rows = await transaction
    .selectFrom("highlights")
    .select(["id", "still_key"])
    .$if("sha256" in of, (query) => query.where("demo_sha256", "=", "sha256" in of ? of.sha256 : ""))
    .$if("ids" in of, (query) => query.where("id", "in", "ids" in of ? of.ids : []))
    .where("still_key", "is not", null)
    .forUpdate()
    .execute();
  if (rows.length === 0) return [];
  await transaction
    .updateTable("highlights")
    .set({ still_key: null, still_tried_at: null })
    .where(
      "id",
      "in",
      rows.map(({ id }) => id),
    )
    .execute();
  return rows.flatMap(({ still_key: key }) => key ?? []);
}
