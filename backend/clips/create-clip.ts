import type { CreateClip } from "../../contract/api.ts";
import { mapInForce } from "../maps/map-files.ts";
import { Refusal } from "../refusal.ts";
import type { Services } from "../services.ts";
import type { User } from "../storage/schema.ts";
import { insertQueuedClip, lockPlayer } from "./clip-life.ts";
import { writeFoundBy } from "./found-by.ts";
import { highlightNotListed, planClip } from "./plan-clip.ts";
import { queueIsFull } from "./queue-is-full.ts";
import { sameClip } from "./same-clip.ts";

/**
 * Puts a new clip of a player's match into the render queue; asked to reuse, not one that they have already (decision 140).
 * @throws Refusal as `planClip`, and 429 when three of their clips wait or are being rendered
 */
export async function createClip(
  services: Services,
  user: User,
  matchId: string,
  request: CreateClip,
): Promise<{ clipId: number; isNew: boolean }> {
  const { match, demo, highlights, name, settings, spec } = await planClip(services, user, matchId, request);
  const mapHash = await mapInForce(services, demo.map);
  try {
    return await services.database.transaction().execute(async (transaction) => {
      if (request.reuse) {
        // Held until the end: of two requests at once the second finds what the first has made.
        await lockPlayer(transaction, user.id);
        const known = await sameClip(transaction, { userId: user.id, matchId: match.id, spec });
        if (known !== null) return { clipId: known, isNew: false };
      }
      const clipId = await insertQueuedClip(transaction, {
        user_id: user.id,
        match_id: match.id,
        demo_sha256: demo.sha256,
        name,
        spec: JSON.stringify(spec),
        settings: JSON.stringify(settings),
        map_hash: mapHash,
        created_at: services.now(),
      });
      if (clipId === null) throw queueIsFull();
      await transaction
        .insertInto("clip_highlights")
        .values(highlights.map((highlight, position) => ({ clip_id: clipId, highlight_id: highlight.id, position })))
        .execute();
      await writeFoundBy(transaction, clipId);
      await services.jobs.send("render", { clipId }, { ownerId: user.id, transaction });
      return { clipId, isNew: true };
    });
  } catch (error) {
    // A foreign key: the match was deleted since it was looked up, or its highlights were detected anew.
    const { code, constraint } = error as { code?: string; constraint?: string };
    if (code === "23503" && constraint === "clip_highlights_highlight_id_fkey") {
      throw Refusal.ofField("highlight_ids", highlightNotListed);
    }
    if (code === "23503") throw Refusal.notFound("Match not found");
    throw error;
  }
}
