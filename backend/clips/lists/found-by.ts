import { createHash } from "node:crypto";
import { type ExpressionBuilder, type Kysely, sql, type Transaction } from "kysely";
import type { HighlightType } from "../../../contract/highlight-types.ts";
import type { ClipFilter } from "../../../contract/schemas/clip-lists.ts";
import type { Database } from "../../storage/schema.ts";

/**
 * Writes by what a clip is found: `map:de_nuke`, `type:ace`, `player:7656…` and `name:` with the player's name in that demo in
 * small letters, of all its highlights. They never change: a clip shows what it shows. Decision 151.
 */
export async function writeFoundBy(
  transaction: Kysely<Database> | Transaction<Database>,
  clipId: number,
): Promise<void> {
  const shown = await transaction
    .selectFrom("clip_highlights")
    .innerJoin("highlights", "highlights.id", "clip_highlights.highlight_id")
    .innerJoin("demos", "demos.sha256", "highlights.demo_sha256")
    .select([
      "demos.map",
      "highlights.type",
      sql<string | null>`demos.players -> highlights.player ->> 'steam_id'`.as("steam_id"),
      sql<string | null>`demos.players -> highlights.player ->> 'name'`.as("name"),
    ])
    .where("clip_highlights.clip_id", "=", clipId)
    .execute();
  const keys = shown.flatMap(({ map, type, steam_id, name }) => [
    `map:${map}`,
    `type:${type}`,
    ...(steam_id ? [`player:${steam_id}`] : []),
    ...(name ? [nameKey(name)] : []),
  ]);
  await transaction
    .updateTable("clips")
    .set({ found_by: [...new Set(keys)] })
    .where("id", "=", clipId)
    .execute();
}

/** Small letters are JavaScript's: PGlite's own `lower` knows those of ASCII alone. */
const nameKey = (name: string) => `name:${name.toLowerCase()}`;

/** Whether a filter leaves anything out. */
export function isFiltering({ map, type, player }: ClipFilter): boolean {
  return Boolean(map || type || player);
}

/**
 * Condition of a query on clips: all that the filter names. One index answers every combination.
 * @param type one that they show as well; the keys are asked for in one, for the planner takes two conditions for independent
 */
export function matches(filter: ClipFilter, also?: HighlightType) {
  const keys = keysOf(filter, also);
  return (_: ExpressionBuilder<Database, "clips">) => sql<boolean>`clips.found_by @> ${keys}::text[]`;
}

/**
 * The same of a query on `clips` whose rows were read from an index with `id` and `found_signature` alone: the row itself is looked at
 * where the signature has all bits of the keys.
 */
export function matchesBySignature(filter: ClipFilter) {
  const keys = keysOf(filter);
  const signature = signatureOf(keys);
  return sql<boolean>`clips.found_signature & ${signature}::bigint = ${signature}::bigint
    AND (SELECT found_by FROM clips AS whole WHERE whole.id = clips.id) @> ${keys}::text[]`;
}

/**
 * As `signature_of` of the database does (migration 030), which takes longer to be called there than a list to be read.
 * @returns 64 bits as a signed number, in digits
 */
export function signatureOf(keys: readonly string[]): string {
  let bits = 0n;
  for (const key of keys) {
    const hash = createHash("sha256").update(key).digest();
    for (const byte of hash.subarray(0, 4)) bits |= 1n << BigInt(byte & 63);
  }
  return BigInt.asIntN(64, bits).toString();
}

function keysOf({ map, type, player }: ClipFilter, also?: HighlightType): string[] {
  return [
    ...(map ? [`map:${map}`] : []),
    ...[...new Set([type, also])].flatMap((one) => (one ? [`type:${one}`] : [])),
    ...(player ? [playerKey(player)] : []),
  ];
}

const playerKey = (player: string) => (/^\d{17}$/.test(player) ? `player:${player}` : nameKey(player.trim()));
