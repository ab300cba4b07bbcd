import { type Kysely, sql } from "kysely";
import { StartProblem } from "../start-problem.ts";
import type { Database } from "./schema.ts";

/** Schema of the move's own records, on a server, while `operator move-to-postgres` is unfinished. */
export const moveSchema = "clutchcast_move";

export type MoveState = "none" | "begun" | "finished";

/** The progress of a move into this database. */
export async function moveState(database: Kysely<Database>): Promise<MoveState> {
  const { rows: tables } = await sql<{ name: string | null }>`
    SELECT to_regclass(${`${moveSchema}.state`})::text AS name
  `.execute(database);
  if (tables[0]?.name == null) return "none";
  const { rows } = await sql<{ isFinished: boolean }>`
    SELECT finished_at IS NOT NULL AS "isFinished" FROM ${sql.table(`${moveSchema}.state`)}
  `.execute(database);
  return rows[0]?.isFinished ? "finished" : "begun";
}

/** @throws StartProblem for a database with only a part of another one's rows */
export async function refuseHalfMoved(database: Kysely<Database>): Promise<void> {
  if ((await moveState(database)) === "begun") throw halfMoved();
}

export function halfMoved(): StartProblem {
  return new StartProblem(
    "Only a part of the embedded database is in this one yet. Go on with it (npm run operator -- move-to-postgres, the server " +
      "of the embedded one stopped), or name an empty database.",
  );
}
