import { apiRoutes } from "../../../contract/api-routes.ts";
import { localPath, withQuery } from "../../../contract/local-path.ts";
import type { AuthStatus } from "../../../contract/schemas/accounts.ts";
import type { SignInFailure } from "../../../contract/sign-in-failures.ts";
import { deviceName } from "../../accounts/device-name.ts";
import { isOperator } from "../../accounts/is-operator.ts";
import { endSession, endSessionsOf } from "../../accounts/sessions.ts";
import { signIn } from "../../accounts/sign-in.ts";
import { isBrowserSecret, newBrowserSecret } from "../../accounts/sign-in-state.ts";
import { finishSignIn, SignInError, signInAddress } from "../../accounts/steam-openid.ts";
import { revokeTokensOf } from "../../accounts/tokens.ts";
import type { Config } from "../../config.ts";
import { networkOf } from "../../http/client-address.ts";
import { hasMatches } from "../../matches/own-match.ts";
import { isDiskFull } from "../../storage/disk-full.ts";
import { countEvent, isEventAllowed } from "../../storage/event-counts.ts";
import type { User } from "../../storage/schema.ts";
import { outageOf } from "../../waits/outage.ts";
import { ApiError } from "../api-error.ts";
import { implementRoutes } from "../implement-routes.ts";
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
export const authRoutes = implementRoutes(apiRoutes.auth, {
  status: (c, { user, reply }) => {
    keepXsrfCookie(c);
    return reply(200, authStatus(user, c.get("services").config));
  },

  startSignIn: async (c, { query, reply }) => {
    await limitSignIns(c);
    const cookie = readSignInCookie(c);
    // An existing secret is kept, so that a sign-in begun in another tab can still be finished.
    const secret = isBrowserSecret(cookie) ? cookie : newBrowserSecret();
    setSignInCookie(c, secret);
    const now = c.get("services").now();
    const next = localPath(query.next);
    const address = signInAddress(c.get("identityProvider"), c.get("publicOrigin"), secret, now, next);
    return reply(200, { auth_url: address });
  },

  standing: async (c, { user, reply }) => reply(200, { has_matches: await hasMatches(c.get("services"), user.id) }),

  finishSignIn: finish,

  logout: async (c, { reply }) => {
    const session = c.get("session");
    if (session) await endSession(c.get("services"), session.idHash);
    clearSessionCookies(c);
    return reply(200, authStatus(null, c.get("services").config));
  },

  logoutEverywhere: async (c, { user, body, reply }) => {
    // Before the session, so that a signed-out answer means that both are done.
    if (body.revoke_tokens) await revokeTokensOf(c.get("services"), user.id);
    await endSessionsOf(c.get("services"), user.id);
    clearSessionCookies(c);
    return reply(200, authStatus(null, c.get("services").config));
  },
});

async function finish(c: ApiContext): Promise<Response> {
  const services = c.get("services");
  const provider = c.get("identityProvider");
  const cookie = readSignInCookie(c);
  const query = new URL(c.req.url).search.slice(1);
  try {
    const secret = isBrowserSecret(cookie) ? cookie : null;
    const { steamId, next } = await finishSignIn(services, provider, c.get("publicOrigin"), secret, query);
    const { token } = await signIn(services, provider, steamId, deviceName(c.req.header("user-agent") ?? ""));
    // The session from before sign-in ends, since somebody else may know its id (session fixation).
    const before = c.get("session");
    if (before) await endSession(services, before.idHash);
    clearSignInCookie(c);
    setSessionCookies(c, token);
    return c.redirect(withQuery(next, { login: "success" }));
  } catch (error) {
    if (isDiskFull(error) || outageOf(error)) {
      services.log.warn({ err: error, requestId: c.get("requestId") }, "sign-in met an outage");
      return signInFailed(c, "unavailable");
    }
    if (!(error instanceof SignInError)) throw error;
    services.log.warn({ err: error, requestId: c.get("requestId"), reason: error.reason }, "sign-in failed");
    return signInFailed(c, error.reason);
  }
}

/** An error page for a browser that returns from Steam, which shows the answer as it is. */
export function signInFailed(c: ApiContext, reason: SignInFailure): Response {
  return c.redirect(withQuery("/", { login: "failed", reason }));
}

/** Not in local use, where everybody has the same address. */
async function limitSignIns(c: ApiContext): Promise<void> {
  const services = c.get("services");
  if (services.config.localIdentity) return;
  const key = `sign-in ${networkOf(c.get("clientAddress"))}`;
  // HEAD requests, such as those of link previews, begin no sign-in.
  const count = c.req.method === "HEAD" ? isEventAllowed : countEvent;
  const { allowed, retryAfterSeconds } = await count(services, key, signInsPerWindow, signInWindowMs).catch(
    (error: unknown) => {
      // Only the limit of requests applies then: a full disk must not keep out players who come to delete something.
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

function authStatus(user: User | null, config: Config): AuthStatus {
  if (!user) return { authenticated: false, user: null };
  const { steam_id, steam_name, avatar_url } = user;
  const operator = isOperator(config, steam_id) ? { is_operator: true as const } : {};
  return { authenticated: true, user: { steam_id, steam_name, avatar_url, ...operator } };
}
