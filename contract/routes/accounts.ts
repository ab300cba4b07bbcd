import { z } from "zod";
import { describeRoute } from "../api-route.ts";
import {
  authStatusSchema,
  deleteAccountSchema,
  loginStartSchema,
  ownSessionsSchema,
  signOutEverywhereSchema,
  standingSchema,
} from "../schemas/accounts.ts";
import { textLimits } from "../text-limits.ts";

export const auth = {
  status: describeRoute({
    method: "get",
    path: "/api/auth/status/",
    summary: "Who is signed in",
    description: "Sets the XSRF-TOKEN cookie of a signed-in browser that does not have it.",
    tag: "Accounts",
    access: "public",
    forVisitors: true,
    token: "read",
    answers: { 200: { description: "Signed in or not", schema: authStatusSchema } },
  }),
  startSignIn: describeRoute({
    method: "get",
    path: "/api/auth/steam/login/",
    summary: "Start signing in through Steam",
    description:
      "Send the browser to `auth_url`, with the cookie this answer sets: the way back is open to that browser alone, for 15 minutes.",
    tag: "Accounts",
    access: "public",
    forVisitors: true,
    query: z.object({ next: z.string().max(textLimits.url).optional() }),
    answers: { 200: { description: "Where to send the browser", schema: loginStartSchema } },
  }),
  finishSignIn: describeRoute({
    method: "get",
    path: "/api/auth/steam/return/",
    summary: "Finish signing in",
    description:
      "Steam sends the browser here. Redirects to `/?login=success` with the session cookie, or to `/?login=failed&reason=…` with one of cancelled, expired, rejected, replayed, not_allowed, unavailable, busy.",
    tag: "Accounts",
    access: "public",
    forVisitors: true,
    answers: { 302: { description: "To the page that was asked for, or home" } },
  }),
  standing: describeRoute({
    method: "get",
    path: "/api/auth/standing/",
    summary: "Whether the player has begun: has a match",
    tag: "Accounts",
    access: "signed-in",
    token: "read",
    answers: { 200: { description: "The player's standing", schema: standingSchema } },
  }),
  logout: describeRoute({
    method: "post",
    path: "/api/auth/logout/",
    summary: "Sign out",
    tag: "Accounts",
    access: "public",
    forVisitors: true,
    onFullDisk: true,
    answers: { 200: { description: "Signed out", schema: authStatusSchema } },
  }),
  logoutEverywhere: describeRoute({
    method: "post",
    path: "/api/auth/logout-everywhere/",
    summary: "Sign out on every device",
    description:
      "Ends all sessions of the user, this one included: for a lost device, or a session's token that somebody else has. Access tokens stay as they are unless `revoke_tokens` says otherwise.",
    tag: "Accounts",
    access: "signed-in",
    body: signOutEverywhereSchema,
    onFullDisk: true,
    answers: { 200: { description: "Signed out", schema: authStatusSchema } },
  }),
};

/** What a player has here, and may take along or delete. */
export const account = {
  sessions: describeRoute({
    method: "get",
    path: "/api/account/sessions/",
    summary: "Where the player is signed in",
    tag: "Accounts",
    access: "signed-in",
    answers: { 200: { description: "The sessions, the last used first", schema: ownSessionsSchema } },
  }),
  endSession: describeRoute({
    method: "delete",
    path: "/api/account/sessions/:id/",
    summary: "Sign out on one device",
    tag: "Accounts",
    access: "signed-in",
    parameters: z.object({
      id: z
        .string()
        .max(16)
        .regex(/^[0-9a-f]{16}$/),
    }),
    answers: { 204: { description: "Signed out there" } },
  }),
  data: describeRoute({
    method: "get",
    path: "/api/account/data/",
    summary: "What is kept about the player, as a ZIP archive",
    description:
      "`data.json` with every row, what the demos of matches tell of the player, and what clips and compilations are made of; the videos and posters of all clips, and uploaded demos that are still kept. At most ten times a day.",
    tag: "Accounts",
    access: "signed-in",
    answers: { 200: { description: "The archive", contentType: "application/zip" } },
    errors: { 429: [{ description: "The copies of a day are used up", code: "rate_limited" }] },
  }),
  remove: describeRoute({
    method: "post",
    path: "/api/account/delete/",
    summary: "Delete the account with everything it made",
    description:
      "Ends all sessions at once; matches, clips, videos and likes follow within minutes. It cannot be undone. The body repeats the player's own Steam ID.",
    tag: "Accounts",
    access: "signed-in",
    body: deleteAccountSchema,
    onFullDisk: true,
    answers: { 200: { description: "Signed out; the rest is being deleted", schema: authStatusSchema } },
  }),
};
