import { limits } from "../../../contract/limits.ts";
import { Refusal } from "../../refusal.ts";

/** How soon a player whose places are taken may find one, in seconds: the same as for imports. */
const roomAfterSeconds = 30;

/** All places that a player has in the render queue are taken. */
export function queueIsFull(): Refusal {
  const sentence = `Queue limit reached. You can only have ${limits.clipsInQueuePerUser} clips in queue or processing at once.`;
  return new Refusal("queue_limit", sentence, { retryAfterSeconds: roomAfterSeconds });
}
