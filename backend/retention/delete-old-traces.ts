import { deleteEndedSessions } from "../accounts/sessions.ts";
import type { Services } from "../services.ts";
import { deleteOldCounters } from "../storage/event-counts.ts";
import { daysAgo } from "./days-ago.ts";

/** A view matters for six hours, the longest rate limit for a day. */
const keptDays = 2;

/**
 * Deletes what visitors leave behind: ended sessions, sign-in nonces, who viewed what, rate counters, and names and avatars
 * of players that no import has asked for since DEMO_DATA_DAYS. @returns how many sessions
 */
export async function deleteOldTraces(services: Services): Promise<number> {
  const { database, config } = services;
  const sessions = await deleteEndedSessions(services);
  await deleteOldCounters(services, services.now().getTime() - daysAgo(services, keptDays).getTime());
  await database.deleteFrom("views").where("viewed_at", "<", daysAgo(services, keptDays)).execute();
  await database.deleteFrom("profiles").where("refreshed_at", "<", daysAgo(services, config.DEMO_DATA_DAYS)).execute();
  return sessions;
}
