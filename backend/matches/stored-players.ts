import type { RecordedPlayer } from "../../replay/match-record.ts";
import type { DemoPlayer } from "../storage/schema.ts";

/**
 * Whether a demo that was read again has the same players in the same places. Highlights, replay tracks and clips name players
 * by their place: with another list, what is stored would show somebody else.
 */
export function hasSamePlayers(
  stored: readonly DemoPlayer[],
  found: readonly Pick<RecordedPlayer, "steamId">[],
): boolean {
  return stored.length === found.length && stored.every(({ steam_id }, index) => steam_id === found[index]?.steamId);
}
