import { sql } from "kysely";
import type { Services } from "../services.ts";
import { keptPlan } from "../storage/kept-plan.ts";
import type { MatchRow } from "../storage/schema.ts";

/**
 * A player's own match. The id of an alias gives the match that it stands for.
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
 * The player's own match of the same demo as a given match, which may be somebody else's.
 * @returns null for what does not exist, and of a demo that the player has no match of: they learn nothing of it
 */
export async function ownMatchOfSameDemo(
  { database }: Services,
  userId: number,
  matchId: string,
): Promise<Pick<MatchRow, "id"> | null> {
  const own = await database
    .selectFrom("matches as asked")
    // An alias has no demo; the match that it stands for has.
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

/** Whether a player has any match, in any state. */
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
