import type { RecordedRound, TeamIndex } from "../../../replay/match-record.ts";
import { type DemoEvent, flagOf, numberOf } from "./demo-events.ts";

const surrenders = new Set<unknown>(["t_surrender", "ct_surrender", 17, 18]);

/**
 * Winner of a round that never went live because the opponents surrendered in its freeze time; null if there is none. Sides may have
 * swapped before it, so the winner is found by the score that rose, unless the teams were level.
 * @param last the match's last round that went live
 */
export function winnerOfGivenUp(events: readonly DemoEvent[], last: RecordedRound): TeamIndex | null {
  const end = events.find(
    (event) =>
      event.event_name === "round_end" &&
      event.tick > last.endTick &&
      typeof event.winner === "string" &&
      surrenders.has(event.reason) &&
      !flagOf(event, "is_warmup_period"),
  );
  const t = end && numberOf(end, "t_team_rounds_total");
  const ct = end && numberOf(end, "ct_team_rounds_total");
  if (!end || t == null || ct == null) return null;
  const [winners, others] = end.winner === "T" ? [t - 1, ct] : [ct - 1, t];
  const [first, second] = last.scoreBefore.map((score, team) => score + (last.winner === team ? 1 : 0));
  if (first === second) return null;
  if (winners === first && others === second) return 0;
  return winners === second && others === first ? 1 : null;
}
