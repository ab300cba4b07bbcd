import { webhookLimits } from "../../contract/webhooks.ts";
import { deleteEndedSessions } from "../accounts/sessions.ts";
import { deleteEndedTokens } from "../accounts/tokens.ts";
import { viewAgainAfterMs } from "../clips/views.ts";
import type { Services } from "../services.ts";
import { deleteOldCounters } from "../storage/event-counts.ts";
import { daysAgo } from "./days-ago.ts";

/** The longest rate limit is for a day: what outlives its account goes when that is over. */
const counterMs = 86_400_000;

/**
 * Deletes what visitors leave behind: ended sessions and tokens, sign-in nonces, who viewed what, rate counters, and names and avatars
 * of players that no import has asked for since DEMO_DATA_DAYS, which matches were taken care of by themselves before that, and the log of webhooks.
 * @returns how many sessions
 */
export async function deleteOldTraces(services: Services): Promise<number> {
  const { database, config } = services;
  const sessions = await deleteEndedSessions(services);
  await deleteEndedTokens(services);
  await deleteOldCounters(services, counterMs);
  const countedAlready = new Date(services.now().getTime() - viewAgainAfterMs);
  await database.deleteFrom("views").where("viewed_at", "<=", countedAlready).execute();
  await database.deleteFrom("profiles").where("refreshed_at", "<", daysAgo(services, config.DEMO_DATA_DAYS)).execute();
  await database
    .deleteFrom("automation_matches")
    .where("found_at", "<", daysAgo(services, config.DEMO_DATA_DAYS))
    .where("state", "in", ["past", "failed", "done"])
    .execute();
  await database
    .deleteFrom("webhook_deliveries")
    .where("created_at", "<", daysAgo(services, webhookLimits.logDays))
    .execute();
  return sessions;
}
