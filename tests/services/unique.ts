import { randomInt, randomUUID } from "node:crypto";

/** A word that no other test uses, nor another run of the same test. */
export function unique(word: string): string {
  return `${word}-${randomUUID().slice(0, 8)}`;
}

/** The Steam ID of a player that no other test uses. */
export function uniqueSteamId(): string {
  return `76561198${String(randomInt(1e9)).padStart(9, "0")}`;
}
