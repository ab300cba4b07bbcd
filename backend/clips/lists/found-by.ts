import { createHash } from "node:crypto";
import { type ExpressionBuilder, type Kysely, sql, type Transaction } from "kysely";
import type { ClipFilter } from "../../../contract/schemas/clip-lists.ts";
import type { Database } from "../../storage/schema.ts";

/**
 * Writes the keys by which a clip is found, for all its highlights: `map:de_nuke`, `type:ace`, `player:7656…` and `name:` with the player's
 * name in that demo in lower case. They never change, since a clip always shows the same. Decision 151.
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

/** Lower case is done in JavaScript: PGlite's `lower` knows only ASCII. */
const nameKey = (name: string) => `name:${name.toLowerCase()}`;

/** Whether a filter excludes anything. */
export function isFiltering({ map, type, player }: ClipFilter): boolean {
  return Boolean(map || type || player);
}

/** Condition of a query on clips: they match every field of the filter. One index answers every combination. */
export function matches(filter: ClipFilter) {
  const keys = keysOf(filter);
  return (_: ExpressionBuilder<Database, "clips">) => sql<boolean>`clips.found_by @> ${keys}::text[]`;
}

/**
 * The same for a query that reads only `id` and `found_signature` from an index: the row itself is read if the signature has all bits of the
 * keys.
 */
export function matchesBySignature(filter: ClipFilter) {
  const keys = keysOf(filter);
  const signature = signatureOf(keys);
  return sql<boolean>`clips.found_signature & ${signature}::bigint = ${signature}::bigint
    AND (SELECT found_by FROM clips AS whole WHERE whole.id = clips.id) @> ${keys}::text[]`;
}

/**
 * The same as `signature_of` of the database (migration 030); calling that would take longer than reading a list.
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

function keysOf({ map, type, player }: ClipFilter): string[] {
  return [...(map ? [`map:${map}`] : []), ...(type ? [`type:${type}`] : []), ...(player ? [playerKey(player)] : [])];
}

const playerKey = (player: string) => (/^\d{17}$/.test(player) ? `player:${player}` : nameKey(player.trim()));
