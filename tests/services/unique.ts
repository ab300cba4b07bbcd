import { randomInt, randomUUID } from "node:crypto";

/** A word that no other test uses, nor the same test when it runs once more. */
export function unique(word: string): string {
  return `${word}-${randomUUID().slice(0, 8)}`;
}

/** The number of a player whom no other test knows. */
export function uniqueSteamId(): string {
  return `76561198${String(randomInt(1e9)).padStart(9, "0")}`;
}
