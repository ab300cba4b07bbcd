import { StoreUnavailableError } from "../storage/blob-store.ts";
import { DatabaseUnavailableError } from "../storage/database-unavailable.ts";

/** What others keep for us and may be away for a while. */
export type Outage = "database" | "store";

/** How deep causes are looked for. */
const deepest = 5;

/**
 * Whether something failed because the database or the store is away, and not because of what was asked for: then waiting mends it,
 * and nothing else does. Decision 155.
 */
export function outageOf(error: unknown): Outage | null {
  let found = error;
  for (let depth = 0; depth < deepest && found instanceof Error; depth++) {
    if (found instanceof StoreUnavailableError) return "store";
    if (found instanceof DatabaseUnavailableError) return "database";
    found = found.cause;
  }
  return null;
}
