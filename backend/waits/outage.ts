import { RemoteStoreFullError, StoreUnavailableError } from "../storage/blob-store.ts";
import { DatabaseUnavailableError, RemoteDatabaseFullError } from "../storage/database-unavailable.ts";

/** What others keep for us and may be away for a while, or without room. */
export type Outage = "database" | "store" | "full database" | "full store";

/** How deep causes are looked for. */
const deepest = 5;

/**
 * Whether something failed because the database or the store is away, or full on disks that are not ours, and not because of what was asked for: then waiting mends it,
 * and nothing else does. Decision 155.
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
