import { limits } from "../../contract/limits.ts";
import { Refusal } from "../refusal.ts";

/** All places that a player has in the render queue are taken. */
export function queueIsFull(): Refusal {
  const sentence = `Queue limit reached. You can only have ${limits.clipsInQueuePerUser} clips in queue or processing at once.`;
  return new Refusal("queue_limit", sentence);
}
