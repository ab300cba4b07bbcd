import type { Services } from "../services.ts";

/** Deletes a demo's highlights, replay track and files when no match uses it any more. */
export async function deleteUnusedDemo(services: Services, sha256: string): Promise<void> {
  const keys = await services.database.transaction().execute(async (transaction) => {
    // Locked first: an import that attaches a match to this demo at the same moment is either seen below or waits for us.
    await transaction.selectFrom("demos").select("sha256").where("sha256", "=", sha256).forUpdate().execute();
    const stills = await transaction
      .selectFrom("highlights")
      .select("still_key")
      .where("demo_sha256", "=", sha256)
      .where("still_key", "is not", null)
      .execute();
    const removed = await transaction
      .deleteFrom("demos")
      .where("sha256", "=", sha256)
      .where((demo) =>
        demo.not(
          demo.exists(demo.selectFrom("matches").select("id").whereRef("matches.demo_sha256", "=", "demos.sha256")),
        ),
      )
      .returning(["track_key", "file_key", "pictures_key"])
      .executeTakeFirst();
    return removed ? [...Object.values(removed), ...stills.map(({ still_key: key }) => key)] : [];
  });
  for (const key of keys) if (key) await services.blobs.delete(key);
}
