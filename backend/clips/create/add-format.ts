import type { ClipFormat } from "../../../contract/clip-formats.ts";
import { formatOfSize } from "../../../contract/clip-formats.ts";
import { requireDiskRoom } from "../../accounts/disk-quota.ts";
import { Refusal } from "../../refusal.ts";
import type { Services } from "../../services.ts";
import { insertQueuedFormat } from "../clip-life.ts";
import { expectedVideoBytes } from "./expected-bytes.ts";
import { queueIsFull } from "./queue-is-full.ts";

/**
 * Puts another format of a player's own, finished clip into the render queue; one that failed before is tried again. The files
 * that the clip has are left alone.
 * @returns false when the clip has this format already or it is being rendered
 * @throws Refusal for a clip that is not theirs, is not finished or whose replay data is gone, when their storage is full, and when
 *   three of their renders wait or run
 */
export async function addFormat(
  services: Services,
  userId: number,
  clipId: number,
  format: ClipFormat,
): Promise<boolean> {
  const { database, jobs, now } = services;
  const clip = await database
    .selectFrom("clips")
    .leftJoin("demos", "demos.sha256", "clips.demo_sha256")
    .select(["clips.status", "clips.match_id", "clips.spec", "clips.duration_seconds", "demos.track_key"])
    .where("clips.id", "=", clipId)
    .where("clips.user_id", "=", userId)
    .executeTakeFirst();
  if (!clip) throw clipNotThere();
  if (clip.status !== "completed") {
    throw new Refusal("clip_not_ready", "A format can be added once the video of this clip is ready.");
  }
  if (format === formatOfSize(clip.spec)) return false;
  if (clip.match_id === null) {
    throw new Refusal(
      "invalid",
      "A compilation has the format of its clips. Make another one of clips in this format.",
    );
  }
  const expected = expectedVideoBytes(clip.duration_seconds ?? 0, format);
  try {
    return await database.transaction().execute(async (transaction) => {
      const queued = { clipId, userId, format, expectedBytes: expected, at: now() };
      const outcome = await insertQueuedFormat(transaction, queued);
      if (outcome === "there") return false;
      // After the look at what is there: a format that is ready stays, whatever has been deleted since.
      if (!clip.track_key) {
        throw new Refusal(
          "match_data_deleted",
          "The replay data of this match has been deleted, so no format can be added. The clip itself stays.",
        );
      }
      if (outcome === "full") throw queueIsFull();
      // It counts already, and comes to nothing with a refusal.
      await requireDiskRoom({ ...services, database: transaction }, userId, 0);
      await jobs.send("render", { clipId, format }, { ownerId: userId, transaction });
      return true;
    });
  } catch (error) {
    // A foreign key: the clip was deleted since it was looked up.
    if ((error as { code?: string }).code === "23503") throw clipNotThere();
    throw error;
  }
}

const clipNotThere = () => Refusal.notFound("Clip not found");
