import type { Kysely } from "kysely";
import type { AutomationRow, Database } from "../storage/schema.ts";

const dayMs = 86_400_000;

export const aDayBefore = (now: Date) => new Date(now.getTime() - dayMs);

/** How many clips were made for a player within the last day; deleted ones stay counted. */
export async function madeToday(database: Kysely<Database>, now: Date, userId: number): Promise<number> {
  const { made } = await database
    .selectFrom("automation_clips")
    .select((row) => row.fn.countAll<number>().as("made"))
    .where("user_id", "=", userId)
    .where("made_at", ">", aDayBefore(now))
    .executeTakeFirstOrThrow();
  return Number(made);
}

/** How many more may be made now. */
export async function roomToday(
  database: Kysely<Database>,
  now: Date,
  { user_id: userId, clips_per_day: most }: Pick<AutomationRow, "user_id" | "clips_per_day">,
): Promise<number> {
  return most - (await madeToday(database, now, userId));
}
