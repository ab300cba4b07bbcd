import { apiRoutes } from "../../../contract/api-routes.ts";
import { dayCounter } from "../../accounts/day-counter.ts";
import { endListedSession, listSessions } from "../../accounts/sessions.ts";
import { accountArchive } from "../../library/account-archive.ts";
import { askForDeletion } from "../../library/delete-user.ts";
import { countEvent, isEventAllowed } from "../../storage/event-counts.ts";
import { deadlines } from "../../waits/deadlines.ts";
import { guardedStream } from "../../waits/guarded-stream.ts";
import { ApiError } from "../api-error.ts";
import { implementRoutes } from "../implement-routes.ts";
import { clearSessionCookies } from "../session-cookies.ts";

/** An archive reads all files of the player. */
const archivesPerDay = 10;
const dayMs = 24 * 3600_000;

/** A player's own account: sessions, the archive of their data, and deletion. */
export const accountRoutes = implementRoutes(apiRoutes.account, {
  sessions: async (c, { user, reply }) => {
    const results = await listSessions(c.get("services"), user.id, c.get("session")?.idHash ?? null);
    return reply(200, { results });
  },

  endSession: async (c, { user, parameters }) => {
    const hasEnded = await endListedSession(c.get("services"), user.id, parameters.id);
    if (!hasEnded) throw ApiError.notFound("This session has ended already");
    return c.body(null, 204);
  },

  data: async (c, { user }) => {
    const services = c.get("services");
    // A HEAD request does not count as an archive.
    const isLook = c.req.method === "HEAD";
    const count = isLook ? isEventAllowed : countEvent;
    const counter = await dayCounter(services.database, "data", user);
    const { allowed, retryAfterSeconds } = await count(services, counter, archivesPerDay, dayMs);
    if (!allowed) {
      throw new ApiError(429, "rate_limited", `A copy of your data can be made ${archivesPerDay} times a day.`, {
        headers: { "Retry-After": String(retryAfterSeconds) },
      });
    }
    const headers = {
      "Content-Type": "application/zip",
      "Content-Disposition": `attachment; filename="clutchcast-${user.steam_id}.zip"`,
    };
    if (isLook) return c.body(null, 200, headers);
    const archive = guardedStream(await accountArchive(services, user), {
      signal: c.req.raw.signal,
      unreadMs: deadlines.visitor.unreadMs,
    });
    return c.body(archive, 200, headers);
  },

  remove: async (c, { user, body, reply }) => {
    if (body.steam_id !== user.steam_id) {
      throw ApiError.field("steam_id", "This is not the Steam ID of the account that is signed in.");
    }
    await askForDeletion(c.get("services"), user);
    clearSessionCookies(c);
    return reply(200, { authenticated: false, user: null });
  },
});
