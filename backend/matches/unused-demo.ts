import type { Services } from "../services.ts";

/** Deletes a demo's highlights, replay track and file when no match uses it any more. */
export async function deleteUnusedDemo(services: Services, sha256: string): Promise<void> {
  const removed = await services.database.transaction().execute(async (transaction) => {
    // Locked first: an import that attaches a match to this demo at the same moment is either seen below or waits for us.
    await transaction.selectFrom("demos").select("sha256").where("sha256", "=", sha256).forUpdate().execute();
    return transaction
      .deleteFrom("demos")
      .where("sha256", "=", sha256)
      .where((demo) =>
        demo.not(
          demo.exists(demo.selectFrom("matches").select("id").whereRef("matches.demo_sha256", "=", "demos.sha256")),
        ),
      )
      .returning(["track_key", "file_key", "pictures_key"])
      .executeTakeFirst();
  });
  for (const key of [removed?.track_key, removed?.file_key, removed?.pictures_key])
    if (key) await services.blobs.delete(key);
}
