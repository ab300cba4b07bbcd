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

/** Whether a player has brought any match, in whatever state it is. */
export async function hasMatches({ database }: Services, userId: number): Promise<boolean> {
  const match = await database
    .selectFrom("matches")
    .select("id")
    .where("user_id", "=", userId)
    .limit(1)
    .executeTakeFirst();
  return match !== undefined;
}
