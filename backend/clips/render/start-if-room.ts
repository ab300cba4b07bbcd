import type { Transaction } from "kysely";
import { diskUse } from "../../accounts/disk-quota.ts";
import { lockPlayer } from "../../accounts/lock-player.ts";
import type { Services } from "../../services.ts";
import type { Database } from "../../storage/schema.ts";
import { type DrawnClip, startRendering } from "../clip-life.ts";
import { deleteClipFiles } from "../delete-clip.ts";

/**
 * Starts rendering a clip if its player's storage has room for it. Since an automatic clip was queued, requests of the player may
 * have taken the room. Then it goes back to the wanted clips, where it waits for room (`makeDueClips`), and its player is told so.
 * Decision 163.
 * @returns null when it went back, has ended or was deleted
 */
export async function startIfRoom(services: Services, clipId: number): Promise<DrawnClip | null> {
  if (!services.config.USER_DISK_BYTES) return startRendering(services.database, { clipId });
  const { clip, isPutBack } = await services.database.transaction().execute(async (transaction) => {
    const isPutBack = await putBackWithoutRoom(services, transaction, clipId);
    return { isPutBack, clip: isPutBack ? null : await startRendering(transaction, { clipId }) };
  });
  // An interrupted run may have left files.
  if (isPutBack) await deleteClipFiles(services, `clips/${clipId}/`);
  return clip;
}

async function putBackWithoutRoom(
  { config, now, log }: Services,
  transaction: Transaction<Database>,
  clipId: number,
): Promise<boolean> {
  const waiting = transaction
    .selectFrom("clips")
    .innerJoin("automation_clips", "automation_clips.clip_id", "clips.id")
    .innerJoin("automation", "automation.user_id", "clips.user_id")
    .select(["clips.user_id", "expected_bytes", "provider_id", "highlight_id"])
    .where("clips.id", "=", clipId)
    .where("made_for_you", "=", true)
    .where("status", "=", "queued")
    // Once automatic clips are switched off, what is queued is finished: put back, it would never be made.
    .where("is_on", "=", true);
  const found = await waiting.executeTakeFirst();
  if (!found) return false;
  // From here on no request of the player can take room, or keep this clip as theirs.
  await lockPlayer(transaction, found.user_id);
  const clip = await waiting.forUpdate("clips").executeTakeFirst();
  if (!clip) return false;
  // Other automatic clips that still wait do not count: they are asked the same when their turn comes.
  const use = await diskUse({ config, database: transaction }, clip.user_id);
  if (!use || use.usedBytes + (clip.expected_bytes ?? 0) <= use.quotaBytes) return false;
  await transaction
    .updateTable("automation_clips")
    .set({ made_at: null, clip_id: null })
    .where("user_id", "=", clip.user_id)
    .where("provider_id", "=", clip.provider_id)
    .where("highlight_id", "=", clip.highlight_id)
    .execute();
  await transaction
    .updateTable("automation_matches")
    .set({ state: "making", changed_at: now() })
    .where("user_id", "=", clip.user_id)
    .where("provider_id", "=", clip.provider_id)
    .execute();
  await transaction.deleteFrom("clips").where("id", "=", clipId).execute();
  log.info({ clipId, userId: clip.user_id }, "no room for an automatic clip any more: it waits for some");
  return true;
}
