import type { TeamIndex } from "../replay/match-record.ts";
import { splitClusters } from "./text.ts";

/**
 * Initials of players without a picture: the first letter of their name and, if team-mates share it, the first later letter
 * that distinguishes them ("MAVEN" and "Mokka" become "Ma" and "Mo").
 * @param names cleaned, by player
 * @param teams by player
 */
export function initialsOf(names: readonly string[], teams: readonly (TeamIndex | null)[]): string[] {
  const letters = names.map((name) => splitClusters(name.toUpperCase()));
  return letters.map((own, player) => {
    const first = own[0] ?? "";
    const alike = letters.filter((other, i) => i !== player && teams[i] === teams[player] && other[0] === first);
    if (alike.length === 0) return first;
    const isLetter = (cluster: string, at: number) => at > 0 && cluster.trim() !== "";
    const tells = (cluster: string, at: number) =>
      isLetter(cluster, at) && alike.every((other) => other[at] !== cluster);
    return first + (own.find(tells) ?? own.find(isLetter) ?? "").toLowerCase();
  });
}

/**
 * One letter for each player, for places without room for two: the first of their name, or if a team-mate has that already, the
 * first later one that no team-mate has ("MAVEN" and "Mokka" become "M" and "O").
 * @param names cleaned, by player
 * @param teams by player
 */
export function singleInitialsOf(names: readonly string[], teams: readonly (TeamIndex | null)[]): string[] {
  const letters = names.map((name) => splitClusters(name.toUpperCase()).filter((cluster) => cluster.trim() !== ""));
  const found = letters.map(() => "");
  const isTaken = (player: number, letter: string) =>
    found.some((other, i) => i !== player && teams[i] === teams[player] && other === letter);
  // Players with a unique first letter keep it, regardless of order.
  for (const [player, [first = ""]] of letters.entries()) {
    const isAlone = letters.every((other, i) => i === player || teams[i] !== teams[player] || other[0] !== first);
    if (isAlone) found[player] = first;
  }
  for (const [player, own] of letters.entries()) {
    found[player] ||= own.find((letter) => !isTaken(player, letter)) ?? own[0] ?? "";
  }
  return found;
}
