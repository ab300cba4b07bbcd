import { sql, type Transaction } from "kysely";
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
  const now = services.now();
  const dayAgo = new Date(now.getTime() - dayMs);
  const { count, window_start } = await transaction
    .insertInto("rate_counters")
    .values({ key: `imports:${userId}`, window_start: now, count: 1 })
    .onConflict((conflict) =>
      conflict.column("key").doUpdateSet({
        count: sql<number>`case when rate_counters.window_start <= ${dayAgo} then 1 else rate_counters.count + 1 end`,
        window_start: sql<Date>`case when rate_counters.window_start <= ${dayAgo} then ${now} else rate_counters.window_start end`,
      }),
    )
    .returning(["count", "window_start"])
    .executeTakeFirstOrThrow();
  const limit = services.config.IMPORTS_PER_DAY;
  if (count <= limit) return;
  const seconds = Math.max(1, Math.ceil((window_start.getTime() + dayMs - now.getTime()) / 1000));
  throw new ApiError(
    429,
    "import_limit",
    `Import limit reached. You can import ${limit} ${limit === 1 ? "match" : "matches"} a day.`,
    { headers: { "retry-after": String(seconds) } },
  );
}
