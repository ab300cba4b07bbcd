import type { Transaction } from "kysely";
import type { CreateClip } from "../../contract/api.ts";
import { limits } from "../../contract/limits.ts";
import type { ClipSpec } from "../../replay/clip-spec.ts";
import { ApiError } from "../api/request-context.ts";
import type { Services } from "../services.ts";
import type { Database, User } from "../storage/schema.ts";
import { freeQueueSlot } from "./free-queue-slot.ts";
import { planClip } from "./plan-clip.ts";

/**
 * Puts a new clip of a player's match into the render queue.
 * @returns its id
 * @throws ApiError as `planClip`, and 429 when three of his clips wait or are being rendered
 */
export async function createClip(
  services: Services,
  user: User,
  matchId: string,
  request: CreateClip,
): Promise<number> {
  const { match, demo, highlights, name, settings, spec } = await planClip(services, user, matchId, request);
  try {
    return await services.database.transaction().execute(async (transaction) => {
      const clipId = await insertInFreeSlot(transaction, {
        user_id: user.id,
        match_id: match.id,
        demo_sha256: demo.sha256,
        name,
        spec,
        settings,
        created_at: services.now(),
        score: Math.max(...highlights.map((highlight) => highlight.score)),
        highlight_types: [...new Set(highlights.map((highlight) => highlight.type))],
      });
      await transaction
        .insertInto("clip_highlights")
        .values(highlights.map((highlight, position) => ({ clip_id: clipId, highlight_id: highlight.id, position })))
        .execute();
      await services.jobs.send("render", { clipId }, { ownerId: user.id, transaction });
      return clipId;
    });
  } catch (error) {
    // A foreign key: the match was deleted since it was looked up.
    if ((error as { code?: string }).code === "23503") throw ApiError.notFound("Match not found");
    throw error;
  }
}

interface NewClip {
  user_id: number;
  match_id: string;
  demo_sha256: string;
  name: string;
  spec: ClipSpec;
  settings: object;
  created_at: Date;
  score: number;
  highlight_types: string[];
}

/**
 * Inserts a clip into one of the player's three places in the queue. A refusal inserts nothing, so it uses up no id.
 * @throws ApiError 429 when none is free
 */
async function insertInFreeSlot(transaction: Transaction<Database>, clip: NewClip): Promise<number> {
  const slot = await freeQueueSlot(transaction, clip.user_id);
  if (slot === null) {
    throw new ApiError(
      429,
      "queue_limit",
      `Queue limit reached. You can only have ${limits.clipsInQueuePerUser} clips in queue or processing at once.`,
    );
  }
  const values = { ...clip, spec: JSON.stringify(clip.spec), settings: JSON.stringify(clip.settings) };
  const { id } = await transaction
    .insertInto("clips")
    .values({ ...values, status: "queued", queue_slot: slot })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}
