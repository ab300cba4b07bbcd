import type { Match } from "../../contract/schemas/matches.ts";
import type { DemoPlayer, DemoTeam } from "../storage/schema.ts";

/** Which roster of a demo is shown first: the player's own when they are among its players, else the demo's first. */
export function rosterOrder(players: readonly DemoPlayer[], steamId: string): { own: boolean; order: [0 | 1, 0 | 1] } {
  const team = players.find((player) => player.steam_id === steamId)?.team ?? null;
  return { own: team !== null, order: team === 1 ? [1, 0] : [0, 1] };
}

/** Both scores, the player's roster first; null where nobody says. */
export function orderedScores(
  demo: { players: readonly DemoPlayer[]; teams: readonly DemoTeam[] } | null,
  provider: { provider_score1: number | null; provider_score2: number | null },
  steamId: string,
): { score1: number | null; score2: number | null; own: boolean } {
  if (!demo) return { score1: provider.provider_score1, score2: provider.provider_score2, own: false };
  const { own, order } = rosterOrder(demo.players, steamId);
  return { score1: demo.teams[order[0]]?.score ?? null, score2: demo.teams[order[1]]?.score ?? null, own };
}

/**
 * How the match went for the player.
 * @param own whether the first score is that of the player's roster
 */
export function userOutcome(score1: number | null, score2: number | null, own: boolean): Match["user_outcome"] {
  if (score1 === null || score2 === null) return { color_class: "other", formatted_score: "" };
  const formatted_score = `${score1} - ${score2}`;
  if (!own) return { color_class: "other", formatted_score };
  const color_class = score1 > score2 ? "win" : score1 < score2 ? "loss" : "draw";
  return { color_class, formatted_score };
}
