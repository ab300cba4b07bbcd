import type { Services } from "../../services.ts";

/** After the tries of its job a file has its next ones, and the operator the reason in the log. */
const againAfterMs = 6 * 3600_000;
/** Younger clips have a job of their own. */
const settledMs = 60_000;
/** Sent at a time, so that a new version does not queue up the clips of years. */
const sentAtOnce = 10;

/**
 * Puts finished clips to work that lack a file which follows the video, the one for chat apps or the loop: its job failed in every
 * try, or they are older than such files. Some at a time, and only while no other is being made.
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
    // A loop is drawn from the replay data, that of a compilation is one of its parts'; a file for chat apps is made of the video.
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
