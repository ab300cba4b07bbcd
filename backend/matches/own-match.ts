import { sql } from "kysely";
import type { Services } from "../services.ts";
import { keptPlan } from "../storage/kept-plan.ts";
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

/**
 * A player's own match of the demo that a match was imported from, whoever's that match is.
 * @returns null for what does not exist, and of a demo that the player has no match of: they learn nothing of it
 */
export async function ownMatchOfSameDemo(
  { database }: Services,
  userId: number,
  matchId: string,
): Promise<Pick<MatchRow, "id"> | null> {
  const own = await database
    .selectFrom("matches as asked")
    // Of an import that turned out to be a demo its player already had, the match they had knows the demo.
    .innerJoin("matches as named", (join) =>
      join.on((match) => match("named.id", "=", match.fn.coalesce("asked.alias_of", "asked.id"))),
    )
    .innerJoin("matches as own", "own.demo_sha256", "named.demo_sha256")
    .select("own.id")
    .where("asked.id", "=", matchId)
    .where("own.user_id", "=", userId)
    .executeTakeFirst();
  return own ?? null;
}

/** Whether a player has brought any match, in whatever state it is. */
export async function hasMatches({ database }: Services, userId: number): Promise<boolean> {
  const match = await database
    .selectFrom("matches")
    .modifyFront(keptPlan)
    .select("id")
    .where("user_id", "=", userId)
    .limit(sql.lit(1))
    .executeTakeFirst();
  return match !== undefined;
}
