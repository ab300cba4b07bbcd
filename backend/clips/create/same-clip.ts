import { sql, type Transaction } from "kysely";
import type { Visibility } from "../../../contract/clip-address.ts";
import { formatOfSize } from "../../../contract/clip-formats.ts";
import type { ClipSpec } from "../../../replay/clip-spec.ts";
import type { Database } from "../../storage/schema.ts";

interface WantedClip {
  userId: number;
  matchId: string;
  spec: ClipSpec;
  /** Only one that is so; without: whichever there is. */
  visibility?: Visibility | undefined;
}

/**
 * A player's clip of a match that shows what a spec describes, whatever it is called: finished, waiting or being rendered, in the
 * format in which it was created or in one that was added.
 * @returns the id of the newest, null when there is none that has not failed
 */
export async function sameClip(
  transaction: Transaction<Database>,
  { userId, matchId, spec, visibility }: WantedClip,
): Promise<number | null> {
  const shown = sql`${JSON.stringify(spec)}::jsonb - 'title'`;
  const anySize = (column: ReturnType<typeof sql>) => sql`${column} - 'title' - 'width' - 'height' - 'framesPerSecond'`;
  const known = await transaction
    .selectFrom("clips")
    .select("id")
    .where("user_id", "=", userId)
    .where("match_id", "=", matchId)
    .where("status", "<>", "failed")
    .$if(visibility !== undefined, (clips) => clips.where("link_key", visibility === "public" ? "is" : "is not", null))
    .where((clip) =>
      clip.or([
        sql<boolean>`clips.spec - 'title' = ${shown}`,
        clip.and([
          sql<boolean>`${anySize(sql`clips.spec`)} = ${anySize(sql`${JSON.stringify(spec)}::jsonb`)}`,
          clip.exists(
            clip
              .selectFrom("clip_formats")
              .select("clip_id")
              .whereRef("clip_id", "=", "clips.id")
              .where("format", "=", formatOfSize(spec))
              .where("clip_formats.status", "<>", "failed"),
          ),
        ]),
      ]),
    )
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return known?.id ?? null;
}
