import { type ExpressionBuilder, type Kysely, sql, type Transaction } from "kysely";
import type { ClipFilter } from "../../contract/api.ts";
import type { HighlightType } from "../../contract/highlight-types.ts";
import type { Database } from "../storage/schema.ts";

/**
 * Writes by what a clip is found: `map:de_nuke`, `type:ace`, `player:7656…` and `name:` with the player's name in that demo in
 * small letters, of all its highlights. They never change: a clip shows what it shows. Decision 151.
 */
export async function writeFoundBy(
  transaction: Kysely<Database> | Transaction<Database>,
  clipId: number,
): Promise<void> {
  await sql`
    UPDATE clips SET found_by = coalesce((
      SELECT array_agg(DISTINCT key)
      FROM clip_highlights
      JOIN highlights ON highlights.id = clip_highlights.highlight_id
      JOIN demos ON demos.sha256 = highlights.demo_sha256
      CROSS JOIN LATERAL (VALUES
        ('map:' || demos.map),
        ('type:' || highlights.type),
        ('player:' || (demos.players -> highlights.player ->> 'steam_id')),
        ('name:' || lower(demos.players -> highlights.player ->> 'name'))
      ) AS found (key)
      WHERE clip_highlights.clip_id = ${clipId} AND key IS NOT NULL
    ), '{}')
    WHERE id = ${clipId}
  `.execute(transaction);
}

/** Whether a filter leaves anything out. */
export function isFiltering({ map, type, player }: ClipFilter): boolean {
  return Boolean(map || type || player);
}

/**
 * Condition of a query on clips: all that the filter names. One index answers every combination.
 * @param type one that they show as well; the keys are asked for in one, for the planner takes two conditions for independent
 */
export function matches({ map, type, player }: ClipFilter, also?: HighlightType) {
  const keys = [
    ...(map ? [sql`${`map:${map}`}::text`] : []),
    ...[...new Set([type, also])].flatMap((one) => (one ? [sql`${`type:${one}`}::text`] : [])),
    ...(player ? [playerKey(player)] : []),
  ];
  return (_: ExpressionBuilder<Database, "clips">) => sql<boolean>`clips.found_by @> ARRAY[${sql.join(keys)}]`;
}

/** A Steam ID, or a name as the database writes it small. */
function playerKey(player: string) {
  return /^\d{17}$/.test(player) ? sql`${`player:${player}`}::text` : sql`'name:' || lower(${player.trim()}::text)`;
}
