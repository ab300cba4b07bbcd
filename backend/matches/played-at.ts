import type { Services } from "../services.ts";

/** CS2 replaced CS:GO on this day, so no CS2 demo is older. */
const releaseOfCs2 = Date.UTC(2023, 8, 27);

/** The time if a match can have been played then; null before CS2, in the future, and for invalid dates. */
export function plausiblePlayedAt(time: Date | null, now: Date): Date | null {
  const isPlausible = time !== null && time.getTime() >= releaseOfCs2 && time <= now;
  return isPlausible ? time : null;
}

/** Sets the date of a stored demo that has none, because it was uploaded before by somebody. */
export async function dateDemo(services: Services, sha256: string, playedAt: Date | null): Promise<void> {
  if (!playedAt) return;
  await services.database
    .updateTable("demos")
    .set({ played_at: playedAt })
    .where("sha256", "=", sha256)
    .where("played_at", "is", null)
    .execute();
}
