import type { Services } from "../services.ts";

/** Forgets a match's uploaded file once its import has ended well: it is the demo's raw file now, or no longer needed. */
export async function releaseUpload(services: Services, matchId: string, uploadKey: string): Promise<void> {
  await services.database.updateTable("matches").set({ upload_key: null }).where("id", "=", matchId).execute();
  await deleteUnnamedUpload(services, uploadKey);
}

/** Deletes an uploaded file unless a demo keeps it as its raw file. */
export async function deleteUnnamedUpload(services: Services, uploadKey: string): Promise<void> {
  const demo = await services.database
    .selectFrom("demos")
    .select("sha256")
    .where("file_key", "=", uploadKey)
    .executeTakeFirst();
  if (!demo) await services.blobs.delete(uploadKey);
}
