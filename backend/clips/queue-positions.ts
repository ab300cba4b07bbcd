import { activeRenderStatuses } from "../../contract/statuses.ts";
import { expectedOrder } from "../jobs/expected-order.ts";
import type { Services } from "../services.ts";

/** Places in the render queue by clip id, 1 for the next. Clips of all players wait in one line, in which players take turns. */
export async function queuePositions(services: Services): Promise<ReadonlyMap<number, number>> {
  const unfinished = await services.database
    .selectFrom("clips")
    .select(["id", "user_id", "status"])
    .where("status", "in", activeRenderStatuses)
    .orderBy("id")
    .execute();
  const running = unfinished.filter(({ status }) => status === "processing").map(({ user_id }) => user_id);
  const waiting = unfinished
    .filter(({ status }) => status !== "processing")
    .map(({ id, user_id }) => ({ job: id, ownerId: user_id }));
  const turns = await services.jobs.turns("render", [...new Set(waiting.map(({ ownerId }) => ownerId))]);
  const order = expectedOrder({ running, waiting, turns });
  return new Map(order.map((clipId, index) => [clipId, index + 1]));
}
