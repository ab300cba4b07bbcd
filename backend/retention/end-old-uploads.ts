import { endUpload } from "../matches/uploads-in-parts.ts";
import type { Services } from "../services.ts";
import { batchSize } from "./batch-size.ts";
import { daysAgo } from "./days-ago.ts";

/** After its last part; until then its player may go on with an upload. */
const unfinishedDays = 1;

/** Ends uploads in parts that nobody goes on with, and forgets those that were imported. @returns how many */
export async function endOldUploads(services: Services, signal: AbortSignal): Promise<number> {
  const before = daysAgo(services, unfinishedDays);
  let ended = 0;
  for (;;) {
    const rows = await services.database
      .selectFrom("uploads")
      .select("id")
      .where("touched_at", "<", before)
      .limit(batchSize)
      .execute();
    for (const { id } of rows) {
      signal.throwIfAborted();
      if (await endUpload(services, id, before)) ended++;
    }
    if (rows.length < batchSize) return ended;
  }
}
