import { RemoteStoreFullError, StoreUnavailableError } from "../storage/blob-store.ts";
import { DatabaseUnavailableError, RemoteDatabaseFullError } from "../storage/database-unavailable.ts";

/** What may be unreachable or full for a while: the database or the store. */
export type Outage = "database" | "store" | "full database" | "full store";

/** How many levels of causes are searched. */
const deepest = 5;

/**
 * Whether something failed because the database or the store is unreachable, or full on disks that are not ours, rather than because of the
 * request: then only waiting helps. Decision 155.
 */
export function outageOf(error: unknown): Outage | null {
  let found = error;
  for (let depth = 0; depth < deepest && found instanceof Error; depth++) {
    if (found instanceof StoreUnavailableError) return "store";
    if (found instanceof DatabaseUnavailableError) return "database";
    if (found instanceof RemoteStoreFullError) return "full store";
    if (found instanceof RemoteDatabaseFullError) return "full database";
    found = found.cause;
  }
  return null;
}
