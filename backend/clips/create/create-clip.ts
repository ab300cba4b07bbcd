import type { Transaction } from "kysely";
import type { CreateClip } from "../../../contract/schemas/create-clip.ts";
import { requireDiskRoom } from "../../accounts/disk-quota.ts";
import { lockPlayer } from "../../accounts/lock-player.ts";
import { mapInForce } from "../../maps/map-files.ts";
import { Refusal } from "../../refusal.ts";
import type { Services } from "../../services.ts";
import type { Database, User } from "../../storage/schema.ts";
import { insertQueuedClip } from "../clip-life.ts";
import { newLinkKey } from "../clip-link.ts";
import { keepMadeClip } from "../keep-made-clip.ts";
import { writeFoundBy } from "../lists/found-by.ts";
import { expectedClipBytes } from "./expected-bytes.ts";
import { highlightNotListed, planClip } from "./plan-clip.ts";
import { queueIsFull } from "./queue-is-full.ts";
import { sameClip } from "./same-clip.ts";

/** A clip that was not requested by its player. It is marked as such and rendered after all requested ones. Decision 163. */
export interface AutomaticClip {
  /** Runs in the transaction that creates or finds the clip; an error rolls it back. */
  within(transaction: Transaction<Database>, clipId: number): Promise<void>;
}

/**
 * Puts a new clip of a player's match into the render queue. With `reuse`, returns the clip that shows the same if the player has one
 * (decision 140).
 * @throws Refusal as `planClip`, when the player's storage is full, and when three of their clips (two automatic ones) wait or are
 *   being rendered
 */
export async function createClip(
  services: Services,
  user: User,
  matchId: string,
  request: CreateClip,
  automatic?: AutomaticClip,
): Promise<{ clipId: number; isNew: boolean }> {
  const { match, demo, highlights, name, settings, spec } = await planClip(services, user, matchId, request);
  const mapHash = await mapInForce(services, demo.map);
  try {
    return await services.database.transaction().execute(async (transaction) => {
      if (request.reuse) {
        // Locked until the end, so that the second of two simultaneous requests finds the clip of the first.
        await lockPlayer(transaction, user.id);
        // Whoever asks for an unlisted clip must not get a public one. An automatic clip is not needed if there is either.
        const visibility = automatic ? undefined : request.visibility;
        const known = await sameClip(transaction, { userId: user.id, matchId: match.id, spec, visibility });
        if (known !== null) {
          if (automatic) await automatic.within(transaction, known);
          else await keepMadeClip(services, user.id, known, transaction);
          return { clipId: known, isNew: false };
        }
      }
      const expected = expectedClipBytes(spec, demo.timing.tickRate);
      await requireDiskRoom({ ...services, database: transaction }, user.id, expected, {
        isAutomatic: automatic !== undefined,
      });
      const clip = {
        user_id: user.id,
        match_id: match.id,
        demo_sha256: demo.sha256,
        name,
        spec: JSON.stringify(spec),
        settings: JSON.stringify(settings),
        map_hash: mapHash,
        link_key: newLinkKey(request.visibility),
        made_for_you: automatic !== undefined,
        expected_bytes: expected,
        created_at: services.now(),
      };
      const clipId = await insertQueuedClip(transaction, clip);
      if (clipId === null) throw queueIsFull();
      await transaction
        .insertInto("clip_highlights")
        .values(highlights.map((highlight, position) => ({ clip_id: clipId, highlight_id: highlight.id, position })))
        .execute();
      await writeFoundBy(transaction, clipId);
      const sent = { ownerId: user.id, transaction, isAutomatic: automatic !== undefined };
      await services.jobs.send("render", { clipId }, sent);
      await automatic?.within(transaction, clipId);
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
