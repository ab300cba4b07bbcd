import { webhookLimits } from "../../contract/webhooks.ts";
import { deleteEndedSessions } from "../accounts/sessions.ts";
import { deleteEndedTokens } from "../accounts/tokens.ts";
import { viewAgainAfterMs } from "../clips/views.ts";
import type { Services } from "../services.ts";
import { deleteOldCounters } from "../storage/event-counts.ts";
import { daysAgo } from "./days-ago.ts";

/** The longest rate limit is for a day: counters that outlive their account are deleted after that. */
const counterMs = 86_400_000;

/**
 * Deletes visitors' traces: ended sessions and tokens, sign-in nonces, views, rate counters, the log of webhooks and, after DEMO_DATA_DAYS,
 * names and avatars of players whom no import has asked for since, and the records of matches that were imported automatically.
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
