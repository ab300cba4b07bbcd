import type { Services } from "../services.ts";
import type { MatchRow } from "../storage/schema.ts";

/**
 * A player's own match. The id of an import that turned out to be a demo they already had gives the match they had.
 * @returns null for what does not exist or is somebody else's
 */
export async function ownMatch(services: Services, userId: number, matchId: string): Promise<MatchRow | null> {
  const read = (id: string) =>
    services.database
      .selectFrom("matches")
      .selectAll()
      .where("id", "=", id)
      .where("user_id", "=", userId)
      .executeTakeFirst();
  const row = await read(matchId);
  if (!row?.alias_of) return row ?? null;
  return (await read(row.alias_of)) ?? null;
}

/** Number of listed highlights of each of some demos. */
export async function highlightCounts(
  services: Services,
  demos: readonly (string | null)[],
): Promise<ReadonlyMap<string, number>> {
  const known = [...new Set(demos.filter((sha256) => sha256 !== null))];
  if (known.length === 0) return new Map();
  const rows = await services.database
    .selectFrom("highlights")
    .select((row) => ["demo_sha256", row.fn.countAll<number>().as("count")])
    .where("demo_sha256", "in", known)
    .where("is_listed", "=", true)
    .groupBy("demo_sha256")
    .execute();
  return new Map(rows.map((row) => [row.demo_sha256, Number(row.count)]));
}
