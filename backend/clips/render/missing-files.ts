import type { Services } from "../../services.ts";

/** After a job has used up its tries, the file is tried again this much later. The log has the reason. */
const againAfterMs = 6 * 3600_000;
/** Younger clips still have their own job. */
const settledMs = 60_000;
/** Jobs sent at a time, so that a new version does not queue the clips of years at once. */
const sentAtOnce = 10;

/**
 * Sends jobs for finished clips without a loop, or without a file for chat apps: their job failed in every try, or they are older than
 * such files. Sends some at a time, and only while no such job waits or runs.
 */
export async function sendMissingFileJobs(services: Services, file: "share" | "loop"): Promise<void> {
  const { database, jobs, now } = services;
  const { waiting, running } = (await jobs.depth())[file];
  if (waiting + running > 0) return;
  const at = now();
  const triedAt = `${file}_tried_at` as const;
  const clips = await database
    .selectFrom("clips")
    .select(["clips.id", "clips.user_id"])
    .where("clips.status", "=", "completed")
    .where(`clips.${file}_key`, "is", null)
    .where((row) =>
      row.or([
        row(`clips.${triedAt}`, "is", null),
        row(`clips.${triedAt}`, "<", new Date(at.getTime() - againAfterMs)),
        row(`clips.${triedAt}`, ">", at),
      ]),
    )
    .where((row) =>
      row.or([
        row("clips.completed_at", "is", null),
        row("clips.completed_at", "<", new Date(at.getTime() - settledMs)),
      ]),
    )
    // A loop needs the replay data, or for a compilation a part with a loop; a file for chat apps needs only the video.
    .$if(file === "loop", (query) =>
      query.where((row) =>
        row.or([
          row.exists(
            row
              .selectFrom("demos")
              .select("sha256")
              .whereRef("demos.sha256", "=", "clips.demo_sha256")
              .where("track_key", "is not", null),
          ),
          row.exists(
            row
              .selectFrom("clip_parts")
              .innerJoin("clips as part", "part.id", "clip_parts.part_id")
              .select("part.id")
              .whereRef("clip_parts.clip_id", "=", "clips.id")
              .where("part.loop_key", "is not", null),
          ),
        ]),
      ),
    )
    .orderBy("clips.id", "desc")
    .limit(sentAtOnce)
    .execute();
  for (const { id: clipId, user_id: ownerId } of clips) {
    await database.transaction().execute(async (transaction) => {
      await transaction
        .updateTable("clips")
        .set({ [triedAt]: at })
        .where("id", "=", clipId)
        .execute();
      await jobs.send(file, { clipId }, { ownerId, transaction });
    });
  }
}
