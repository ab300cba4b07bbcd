import type { Transaction } from "kysely";
import { countEvent } from "../api/rate-limits.ts";
import { ApiError } from "../api/request-context.ts";
import type { Services } from "../services.ts";
import type { Database } from "../storage/schema.ts";

const dayMs = 86_400_000;

/**
 * Counts an import of a player towards the day's limit. Deleted matches stay counted, so deleting makes no room.
 * @throws ApiError 429 when the limit is reached
 */
export async function countImport(
  services: Services,
  userId: number,
  transaction: Transaction<Database>,
): Promise<void> {
  const limit = services.config.IMPORTS_PER_DAY;
  const { allowed, retryAfterSeconds } = await countEvent(
    { ...services, database: transaction },
    `imports:${userId}`,
    limit,
    dayMs,
  );
  if (allowed) return;
  throw new ApiError(
    429,
    "import_limit",
    `Import limit reached. You can import ${limit} ${limit === 1 ? "match" : "matches"} a day.`,
    { headers: { "retry-after": String(retryAfterSeconds) } },
  );
}
