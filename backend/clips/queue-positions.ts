import { sql } from "kysely";
import type { ClipFormat } from "../../contract/clip-formats.ts";
import { activeRenderStatuses } from "../../contract/statuses.ts";
import { expectedLine } from "../jobs/expected-order.ts";
import type { Services } from "../services.ts";
import type { RenderTarget } from "./clip-life.ts";

/** Key of a waiting clip or added format. */
export function queueKey({ clipId, format }: RenderTarget): string {
  return format === undefined ? `${clipId}` : `${clipId} ${format}`;
}

/**
 * Positions in the render queue by `queueKey`, 1 for the next. Clips and added formats of all players wait in one line, in which players take
 * turns; automatic clips wait behind all of them (decision 163).
 */
export async function queuePositions(services: Services): Promise<ReadonlyMap<string, number>> {
  const unfinished = await services.database
    .selectFrom("clips")
    .select(["id", sql<ClipFormat | null>`NULL::text`.as("format"), "user_id", "status", "made_for_you", "created_at"])
    .where("status", "in", activeRenderStatuses)
    // Compilations wait in a queue of their own, which moves within seconds.
    .where("match_id", "is not", null)
    .unionAll(
      services.database
        .selectFrom("clip_formats")
        .select((row) => [
          "clip_id as id",
          "format",
          "user_id",
          "status",
          row.val(false).as("made_for_you"),
          "created_at",
        ])
        .where("queue_slot", "is not", null),
    )
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  const order = await expectedLine(
    services.jobs,
    "render",
    unfinished.map(({ id, format, user_id, status, made_for_you }) => ({
      key: queueKey({ clipId: id, format: format ?? undefined }),
      ownerId: user_id,
      isAutomatic: made_for_you,
      isRunning: status === "processing",
    })),
  );
  return new Map(order.map(({ key }, index) => [key, index + 1]));
}

/** Pages ask every few seconds for a position in a line that moves within minutes. */
const keptMs = 1000;

interface KeptPositions {
  positions: Promise<ReadonlyMap<string, number>>;
  /** When reading them ended, by `performance.now`, so that slow reads are kept as long as fast ones. */
  readAt: number;
}

const kept = new WeakMap<Services["database"], KeptPositions>();

/**
 * As `queuePositions`, but worked out at most once a second in a process. A position may be a second old; clips that have none in the kept
 * result, because they were created since, are looked up anew.
 * @param waiting clips and formats whose positions are wanted
 */
export async function keptQueuePositions(
  services: Services,
  waiting: readonly RenderTarget[],
): Promise<ReadonlyMap<string, number>> {
  const last = kept.get(services.database);
  if (!last || performance.now() - last.readAt > keptMs) return readAnew(services);
  const positions = await last.positions;
  if (waiting.every((target) => positions.has(queueKey(target)))) return positions;
  // A read that began after this call knows the clips it asks for.
  const since = kept.get(services.database);
  return since && since !== last ? since.positions : readAnew(services);
}

function readAnew(services: Services): Promise<ReadonlyMap<string, number>> {
  const reading: KeptPositions = { positions: queuePositions(services), readAt: Number.POSITIVE_INFINITY };
  kept.set(services.database, reading);
  reading.positions.then(
    () => {
      reading.readAt = performance.now();
    },
    () => {
      // A failure is not kept for others.
      if (kept.get(services.database) === reading) kept.delete(services.database);
    },
  );
  return reading.positions;
}
