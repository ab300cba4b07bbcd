import type { Services } from "../services.ts";
import { areDeletionsHeld, forgetHeld, heldAfter, rememberHeld } from "../storage/held-deletions.ts";
import { namedKeys } from "../storage/named-blobs.ts";
import { batchSize } from "./batch-size.ts";

/** Deletions in parallel, since a store takes a while for each. */
const deletedAtOnce = 8;

/**
 * Deletes blobs whose deletion was held while backups copied the store, unless a row names them again. Does nothing while a backup still
 * runs.
 * @returns how many
 */
export async function deleteHeldBlobs(services: Services, signal?: AbortSignal): Promise<number> {
  const { blobs, database, log, now } = services;
  let deleted = 0;
  let after: string | undefined = "";
  while (after !== undefined) {
    signal?.throwIfAborted();
    if (await areDeletionsHeld(database, now())) break;
    const keys = await heldAfter(database, after, batchSize);
    const named = await namedKeys(services, keys);
    const unnamed = keys.filter((key) => !named.has(key));
    if (named.size > 0) await forgetHeld(database, [...named]);
    for (let begin = 0; begin < unnamed.length; begin += deletedAtOnce) {
      // Removed from the list first: a process that stores one of them again either does so after its deletion, or removes it from the
      // list.
      const taken = await forgetHeld(database, unnamed.slice(begin, begin + deletedAtOnce));
      const ended = await Promise.allSettled(taken.map((key) => blobs.delete(key)));
      const failed = taken.filter((_, index) => ended[index]?.status === "rejected");
      deleted += taken.length - failed.length;
      if (failed.length > 0) {
        await rememberHeld(database, failed);
        throw ended.find((result) => result.status === "rejected")?.reason;
      }
    }
    after = keys.at(-1);
  }
  if (deleted > 0) log.info({ deleted }, "deleted what backups had held");
  return deleted;
}
