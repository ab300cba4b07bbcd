import { z } from "zod";
import { authStatusSchema, loginStartSchema } from "../../../contract/api.ts";
import { textLimits } from "../../../contract/text-limits.ts";
import { localPath, withQuery } from "../../accounts/local-path.ts";
import { endSession, endSessionsOf } from "../../accounts/sessions.ts";
import { signIn } from "../../accounts/sign-in.ts";
import { isBrowserSecret, newBrowserSecret } from "../../accounts/sign-in-state.ts";
import { finishSignIn, returnPath, SignInError, signInAddress } from "../../accounts/steam-openid.ts";
import { networkOf } from "../../http/client-address.ts";
import { isDiskFull } from "../../storage/disk-full.ts";
import { countEvent } from "../../storage/event-counts.ts";
import type { User } from "../../storage/schema.ts";
import { ApiError } from "../api-error.ts";
import { ApiRouter } from "../api-router.ts";
import type { ApiContext } from "../request-context.ts";
import {
  clearSessionCookies,
  clearSignInCookie,
  keepXsrfCookie,
  readSignInCookie,
  setSessionCookies,
  setSignInCookie,
} from "../session-cookies.ts";

const signInsPerWindow = 60;
const signInWindowMs = 10 * 60 * 1000;

/** Signing in and out. */
export const authRoutes = new ApiRouter()
  .add(
    {
      method: "get",
      path: "/api/auth/status/",
      summary: "Who is signed in",
      description: "Sets the XSRF-TOKEN cookie of a signed-in browser that does not have it.",
      tag: "Accounts",
      access: "public",
      answers: { 200: { description: "Signed in or not", schema: authStatusSchema } },
    },
    (c, { user }) => {
      keepXsrfCookie(c);
      return c.json(authStatus(user));
    },
  )
  .add(
    {
      method: "get",
      path: "/api/auth/steam/login/",
      summary: "Start signing in through Steam",
      description:
        "Send the browser to `auth_url`, with the cookie this answer sets: the way back is open to that browser alone, for 15 minutes.",
      tag: "Accounts",
      access: "public",
      query: z.object({ next: z.string().max(textLimits.url).optional() }),
      answers: { 200: { description: "Where to send the browser", schema: loginStartSchema } },
    },
    async (c, { query }) => {
      await limitSignIns(c);
      const cookie = readSignInCookie(c);
      // Kept when there is one, so that a sign-in begun in another tab can still be finished.
      const secret = isBrowserSecret(cookie) ? cookie : newBrowserSecret();
      setSignInCookie(c, secret);
      const now = c.get("services").now();
      const next = localPath(query.next);
      return c.json({ auth_url: signInAddress(c.get("identityProvider"), c.get("publicOrigin"), secret, now, next) });
    },
  )
  .add(
    {
      method: "get",
      path: returnPath,
      summary: "Finish signing in",
      description:
        "Steam sends the browser here. Redirects to `/?login=success` with the session cookie, or to `/?login=failed&reason=…` with one of cancelled, expired, rejected, replayed, unavailable.",
      tag: "Accounts",
      access: "public",
      answers: { 302: { description: "To the page that was asked for, or home" } },
    },
    finish,
  )
  .add(
    {
      method: "post",
      path: "/api/auth/logout/",
      summary: "Sign out",
      tag: "Accounts",
      access: "public",
      onFullDisk: true,
      answers: { 200: { description: "Signed out", schema: authStatusSchema } },
    },
    async (c) => {
      const session = c.get("session");
      if (session) await endSession(c.get("services"), session.idHash);
      clearSessionCookies(c);
      return c.json(authStatus(null));
    },
  )
  .add(
    {
      method: "post",
      path: "/api/auth/logout-everywhere/",
      summary: "Sign out on every device",
      description:
        "Ends all sessions of the user, this one included: for a lost device, or a token that somebody else has.",
      tag: "Accounts",
      access: "signed-in",
      onFullDisk: true,
      answers: { 200: { description: "Signed out", schema: authStatusSchema } },
    },
    async (c, { user }) => {
      await endSessionsOf(c.get("services"), user.id);
      clearSessionCookies(c);
      return c.json(authStatus(null));
    },
  );

async function finish(c: ApiContext): Promise<Response> {
  const services = c.get("services");
  const provider = c.get("identityProvider");
  const cookie = readSignInCookie(c);
  const query = new URL(c.req.url).search.slice(1);
  try {
    const secret = isBrowserSecret(cookie) ? cookie : null;
    const { steamId, next } = await finishSignIn(services, provider, c.get("publicOrigin"), secret, query);
    const { token } = await signIn(services, provider, steamId);
    // The session of before sign-in ends: an id somebody else may know is never carried on.
    const before = c.get("session");
    if (before) await endSession(services, before.idHash);
    clearSignInCookie(c);
    setSessionCookies(c, token);
    return c.redirect(withQuery(next, { login: "success" }));
  } catch (error) {
    if (isDiskFull(error)) return c.redirect(withQuery("/", { login: "failed", reason: "unavailable" }));
    if (!(error instanceof SignInError)) throw error;
    services.log.warn({ requestId: c.get("requestId"), reason: error.reason, cause: error.message }, "sign-in failed");
    return c.redirect(withQuery("/", { login: "failed", reason: error.reason }));
  }
}

/** Not in local use: there, everybody is one address. */
async function limitSignIns(c: ApiContext): Promise<void> {
  const services = c.get("services");
  if (services.config.localIdentity) return;
  const key = `sign-in ${networkOf(c.get("clientAddress"))}`;
  const { allowed, retryAfterSeconds } = await countEvent(services, key, signInsPerWindow, signInWindowMs).catch(
    (error: unknown) => {
      // Then the limit of requests alone holds: a full disk must not keep out who comes to make room.
      if (isDiskFull(error)) return { allowed: true, retryAfterSeconds: 0 };
      throw error;
    },
  );
  if (!allowed) {
    throw new ApiError(429, "rate_limited", "Too many sign-ins from your network. Please try again in a few minutes.", {
      headers: { "Retry-After": String(retryAfterSeconds) },
    });
  }
}

function authStatus(user: User | null) {
  return {
    authenticated: user !== null,
    user: user && { steam_id: user.steam_id, steam_name: user.steam_name, avatar_url: user.avatar_url },
  };
}
