import type { Services } from "../services.ts";

/** CS2 replaced CS:GO on this day; no demo of a match in it is older. */
const releaseOfCs2 = Date.UTC(2023, 8, 27);

/** A time at which a match can have been played; null for one before CS2 or after now, and for what is no time. */
export function plausiblePlayedAt(time: Date | null, now: Date): Date | null {
  const isPlausible = time !== null && time.getTime() >= releaseOfCs2 && time <= now;
  return isPlausible ? time : null;
}

/** Dates a stored demo that has no date yet: one that was uploaded before, when nobody knew. */
export async function dateDemo(services: Services, sha256: string, playedAt: Date | null): Promise<void> {
  if (!playedAt) return;
  await services.database
    .updateTable("demos")
    .set({ played_at: playedAt })
    .where("sha256", "=", sha256)
    .where("played_at", "is", null)
    .execute();
}
