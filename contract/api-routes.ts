/**
 * Every call of the API, described once: the API checks and answers by it (`backend/api/implement-routes.ts`), the pages'
 * client asks by it (`app/api/client.server.ts`), and the OpenAPI document is made of it. Decision 100.
 */
import { z } from "zod";
import {
  accessTokensSchema,
  addFormatSchema,
  addWebhookSchema,
  authStatusSchema,
  automationSchema,
  checkDemoProcessingSchema,
  clipDetailSchema,
  clipFilterSchema,
  clipPreviewSchema,
  clipSchema,
  clipStatusSchema,
  clipsOverviewSchema,
  createClipSchema,
  createCompilationSchema,
  createTokenSchema,
  csdmConfigSchema,
  deleteAccountSchema,
  failurePageSchema,
  foundHighlightsSchema,
  highlightFilterSchema,
  highlightSchema,
  importRecentMatchSchema,
  inGameSchema,
  likeResultSchema,
  likeStatusSchema,
  loginStartSchema,
  markMomentSchema,
  matchAvatarsSchema,
  matchDetailSchema,
  matchListSchema,
  matchRoundsSchema,
  newAccessTokenSchema,
  newWebhookSchema,
  operatorOverviewSchema,
  ownMatchSchema,
  ownSessionsSchema,
  processingStateSchema,
  relatedClipsSchema,
  renameClipSchema,
  requeueCauseSchema,
  requeuedSchema,
  saveAutomationSchema,
  saveDiscordSchema,
  setVisibilitySchema,
  signOutEverywhereSchema,
  siteSchema,
  standingSchema,
  topHighlightsSchema,
  uploadDemoSchema,
  userClipsSchema,
  viewCountSchema,
  webhookListSchema,
  webhookOutcomeSchema,
} from "./api.ts";
import { describeRoute, type RouteDescription, type RouteError } from "./api-route.ts";
import { clipAddressPattern } from "./clip-address.ts";
import { clipFormatNames } from "./clip-formats.ts";
import { limits } from "./limits.ts";
import { textLimits } from "./text-limits.ts";
import { timeZoneNamed } from "./time-zone.ts";

/** A path parameter that is the id of a row: a `bigint`, read as a number (type-parsers.ts). What does not fit cannot be one. */
const rowId = z
  .string()
  .max(16)
  .regex(/^[1-9]\d{0,15}$/)
  .transform(Number)
  .refine(Number.isSafeInteger);

/** The id of a clip, with its key where it is unlisted: `clip-address.ts`. Handlers are given the number. */
const ofClip = {
  namesClip: true,
  parameters: z.object({
    id: z
      .string()
      .max(48)
      .regex(clipAddressPattern)
      .transform((text) => Number.parseInt(text, 10))
      .refine(Number.isSafeInteger),
  }),
} as const;

/** Ids of matches are opaque; entries of the recent list have longer ones. */
const matchParameters = z.object({
  id: z
    .string()
    .max(textLimits.id)
    .regex(/^[\w.:-]+$/),
});

const pageOf = (defaultLimit: number, maxLimit: number) =>
  z.object({
    limit: z.coerce.number().int().min(1).max(maxLimit).default(defaultLimit),
    offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
  });

const pageOfGroups = pageOf(limits.clipGroupsPerRequest, 50).extend(clipFilterSchema.shape);

const queryValue = z.string().max(textLimits.queryValue).optional();

const auth = {
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
const account = {
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

/** A player's tokens for scripts: made and revoked on the settings page, by nobody who has only such a token. */
const tokens = {
  list: describeRoute({
    method: "get",
    path: "/api/account/tokens/",
    summary: "Own access tokens, the newest first",
    tag: "Accounts",
    access: "signed-in",
    answers: { 200: { description: "The tokens, without what they open", schema: accessTokensSchema } },
  }),
  create: describeRoute({
    method: "post",
    path: "/api/account/tokens/",
    summary: "Make an access token",
    description: "The token itself is in this answer alone: only its hash is stored.",
    tag: "Accounts",
    access: "signed-in",
    body: createTokenSchema,
    answers: { 201: { description: "The new token", schema: newAccessTokenSchema } },
    errors: { 409: [{ description: "The player has as many as one can have", code: "token_limit" }] },
  }),
  revoke: describeRoute({
    method: "delete",
    path: "/api/account/tokens/:id/",
    summary: "Revoke an access token",
    tag: "Accounts",
    access: "signed-in",
    parameters: z.object({ id: rowId }),
    answers: { 204: { description: "Revoked: from now on it opens nothing" } },
  }),
};

/** Clips that are made for a player without a press. */
const automation = {
  state: describeRoute({
    method: "get",
    path: "/api/automation/",
    summary: "Which clips are made for the player by themselves, and how that is going",
    tag: "Automatic clips",
    access: "signed-in",
    answers: { 200: { description: "The choice, off until it is saved, and the state", schema: automationSchema } },
  }),
  save: describeRoute({
    method: "post",
    path: "/api/automation/",
    summary: "Switch automatic clips on, or change which are made",
    description:
      "New matches of the player's history are imported, and clips of them made, from now on, within the same limits as by hand.",
    tag: "Automatic clips",
    access: "signed-in",
    body: saveAutomationSchema,
    answers: { 200: { description: "On", schema: automationSchema } },
    errors: { 409: [{ description: "This server has no history provider", code: "no_history_provider" }] },
  }),
  stop: describeRoute({
    method: "delete",
    path: "/api/automation/",
    summary: "Switch automatic clips off",
    description: "What is in the queue already is finished.",
    tag: "Automatic clips",
    access: "signed-in",
    answers: { 204: { description: "Off" } },
  }),
  keepClip: describeRoute({
    method: "post",
    path: "/api/matches/clips/:id/keep/",
    summary: "Keep a clip that was made by itself: the mark goes",
    tag: "Automatic clips",
    access: "signed-in",
    ...ofClip,
    onFullDisk: true,
    answers: { 204: { description: "Kept" } },
  }),
};

const webhookParameters = z.object({ id: rowId });

const pressedOften: readonly RouteError[] = [
  { description: "Tests and repetitions of a minute are used up", code: "rate_limited" },
];

/** Where a player is told of what is ready. */
const webhooks = {
  list: describeRoute({
    method: "get",
    path: "/api/webhooks/",
    summary: "Own webhooks, and what became of the newest messages",
    tag: "Webhooks",
    access: "signed-in",
    answers: { 200: { description: "Webhooks and deliveries", schema: webhookListSchema } },
  }),
  saveDiscord: describeRoute({
    method: "post",
    path: "/api/webhooks/discord/",
    summary: "Have ready clips shown in a channel of Discord",
    description: "In place of the channel before, if there was one.",
    tag: "Webhooks",
    access: "signed-in",
    body: saveDiscordSchema,
    answers: { 200: { description: "All webhooks", schema: webhookListSchema } },
  }),
  add: describeRoute({
    method: "post",
    path: "/api/webhooks/",
    summary: "Have signed messages sent to a script",
    description:
      "Five at most. Messages are signed as the Standard Webhooks specification has it, with the secret of the answer, and sent at least once: up to eight tries over a day.",
    tag: "Webhooks",
    access: "signed-in",
    body: addWebhookSchema,
    answers: { 201: { description: "The webhook, with its secret this once", schema: newWebhookSchema } },
    errors: { 409: [{ description: "There are as many as there may be", code: "webhook_limit" }] },
  }),
  remove: describeRoute({
    method: "delete",
    path: "/api/webhooks/:id/",
    summary: "Delete an own webhook with its messages",
    tag: "Webhooks",
    access: "signed-in",
    parameters: webhookParameters,
    answers: { 204: { description: "Deleted" } },
  }),
  test: describeRoute({
    method: "post",
    path: "/api/webhooks/:id/test/",
    summary: "Send a test message to an own webhook, and wait for what comes of it",
    tag: "Webhooks",
    access: "signed-in",
    parameters: webhookParameters,
    answers: { 200: { description: "What came of it", schema: webhookOutcomeSchema } },
    errors: { 429: pressedOften },
  }),
  again: describeRoute({
    method: "post",
    path: "/api/webhooks/deliveries/:id/again/",
    summary: "Send a message of the log once more",
    tag: "Webhooks",
    access: "signed-in",
    parameters: webhookParameters,
    answers: { 204: { description: "It is sent in a moment, with the same id" } },
    errors: {
      400: [{ description: "Its webhook is off, or what it tells of is gone", code: "invalid" }],
      429: pressedOften,
    },
  }),
};

const newMatchAnswers = {
  200: { description: "The player has this match already, or it is being imported", schema: matchDetailSchema },
  201: { description: "The new match, waiting for its import", schema: matchDetailSchema },
} as const;

const diskQuota: RouteError = { description: "The player's storage is full", code: "disk_quota" };

const matchGone: RouteError = { description: "The match was deleted by another call meanwhile", code: "not_found" };

const newMatchErrors = {
  404: [matchGone],
  409: [diskQuota],
  429: [
    { description: "The player's imports of a day are used up", code: "import_limit" },
    { description: "Four of the player's imports are waiting or under way", code: "imports_under_way" },
  ],
} as const satisfies RouteDescription["errors"];

const noReplayData: readonly RouteError[] = [
  { description: "The match is not imported yet", code: "match_not_ready" },
  { description: "The replay data of the match is deleted", code: "match_data_deleted" },
];

const noClip: readonly RouteError[] = [
  ...noReplayData,
  { description: "The recording does not show a highlight", code: "not_in_recording" },
];

const queueIsFull: readonly RouteError[] = [
  { description: "Three of the player's clips wait or are being rendered", code: "queue_limit" },
];

/** Of a stored file, to a request with conditions or ranges. */
const conditions = { 412: "The file is not the one that was asked for" } as const;
const rangeOutside = { 416: "The range lies outside" } as const;

const matches = {
  list: describeRoute({
    method: "get",
    path: "/api/matches/",
    summary: "Own matches, the newest first, then recent ones to import",
    tag: "Matches",
    access: "signed-in",
    query: pageOf(limits.matchesPerPage, 100),
    answers: { 200: { description: "A page of matches", schema: matchListSchema } },
  }),
  importDemoUrl: describeRoute({
    method: "post",
    path: "/api/matches/upload-demo/",
    summary: "Import a match by the address of its demo",
    tag: "Matches",
    access: "signed-in",
    token: "import",
    body: uploadDemoSchema,
    answers: newMatchAnswers,
    errors: newMatchErrors,
  }),
  importDemoFile: describeRoute({
    method: "post",
    path: "/api/matches/upload-file/",
    summary: "Import a match from an uploaded demo file",
    description: "A multipart form with the file in the field `demo_file`.",
    tag: "Matches",
    access: "signed-in",
    token: "import",
    rawBodyType: "multipart/form-data",
    answers: newMatchAnswers,
    errors: {
      400: [
        { description: "There is no file in the form", code: "invalid" },
        { description: "The upload was cut off", code: "upload_cut_off" },
        { description: "The file came too slowly", code: "upload_too_slow" },
        { description: "The form came too slowly", code: "body_too_slow" },
      ],
      404: newMatchErrors[404],
      409: newMatchErrors[409],
      413: [
        { description: "The file is too large", code: "file_too_large" },
        { description: "The form is too large", code: "body_too_large" },
      ],
      429: [...newMatchErrors[429], { description: "Two of the player's uploads are under way", code: "upload_limit" }],
    },
  }),
  importSample: describeRoute({
    method: "post",
    path: "/api/matches/import-sample/",
    summary: "Import the sample match that comes with the product",
    tag: "Matches",
    access: "signed-in",
    token: "import",
    answers: newMatchAnswers,
    errors: {
      ...newMatchErrors,
      404: [matchGone, { description: "This server has no sample match", code: "not_found" }],
    },
  }),
  importRecent: describeRoute({
    method: "post",
    path: "/api/matches/import-recent-match/",
    summary: "Import a match that the history provider offers",
    tag: "Matches",
    access: "signed-in",
    token: "import",
    body: importRecentMatchSchema,
    answers: newMatchAnswers,
    errors: newMatchErrors,
  }),
  checkDemoProcessing: describeRoute({
    method: "post",
    path: "/api/matches/check-demo-processing/",
    summary: "Whether a demo is being imported, by its address or the provider's match id",
    tag: "Matches",
    access: "signed-in",
    token: "read",
    body: checkDemoProcessingSchema,
    onFullDisk: true,
    answers: { 200: { description: "The state of the import", schema: processingStateSchema } },
  }),
  detail: describeRoute({
    method: "get",
    path: "/api/matches/:id/",
    summary: "An own match with its highlights and clips",
    tag: "Matches",
    access: "signed-in",
    parameters: matchParameters,
    query: z.object({ include_players: queryValue }),
    answers: { 200: { description: "The match", schema: matchDetailSchema } },
  }),
  status: describeRoute({
    method: "get",
    path: "/api/matches/:id/status/",
    summary: "How far the import of an own match is",
    tag: "Matches",
    access: "signed-in",
    parameters: matchParameters,
    answers: { 200: { description: "The state", schema: processingStateSchema } },
  }),
  ownOfSameDemo: describeRoute({
    method: "get",
    path: "/api/matches/:id/own/",
    summary: "The own match of the demo that a match, somebody else's too, was imported from",
    description:
      "For addresses that players of one match send each other: everybody's import of it has an id of its own.",
    tag: "Matches",
    access: "signed-in",
    parameters: matchParameters,
    answers: { 200: { description: "The own match", schema: ownMatchSchema } },
  }),
  retry: describeRoute({
    method: "post",
    path: "/api/matches/:id/retry/",
    summary: "Try a failed import again",
    tag: "Matches",
    access: "signed-in",
    token: "import",
    parameters: matchParameters,
    answers: { 200: { description: "The match, waiting for its import", schema: matchDetailSchema } },
    errors: {
      409: [
        { description: "The import has not failed", code: "not_failed" },
        { description: "The uploaded file is gone", code: "upload_gone" },
        diskQuota,
      ],
      429: newMatchErrors[429],
    },
  }),
  remove: describeRoute({
    method: "delete",
    path: "/api/matches/:id/delete/",
    summary: "Delete an own match with its clips",
    tag: "Matches",
    access: "signed-in",
    parameters: matchParameters,
    answers: { 204: { description: "Deleted" } },
  }),
  track: describeRoute({
    method: "get",
    path: "/api/matches/:id/track/",
    summary: "The replay track of an own match",
    description:
      "The bytes that `decodeReplayTrack` reads, packed with gzip as a content encoding. With `highlights` (ids, separated by commas) or `round` only what these are drawn from, without footprints.",
    tag: "Matches",
    access: "signed-in",
    parameters: matchParameters,
    query: z.object({
      v: queryValue,
      highlights: z
        .string()
        .max(200)
        .regex(/^\d{1,15}(,\d{1,15})*$/)
        .optional(),
      round: z.coerce.number().int().min(1).max(10_000).optional(),
    }),
    answers: {
      200: { description: "The track", contentType: "application/octet-stream" },
      206: { description: "A range of it", contentType: "application/octet-stream" },
      304: { description: "Not changed" },
    },
    errors: { ...conditions, ...rangeOutside },
  }),
  rounds: describeRoute({
    method: "get",
    path: "/api/matches/:id/rounds/",
    summary: "The rounds of an own match: who won, who killed whom, plants and defuses, and what of them can be played",
    tag: "Matches",
    access: "signed-in",
    parameters: matchParameters,
    answers: { 200: { description: "The rounds", schema: matchRoundsSchema } },
    errors: { 409: noReplayData },
  }),
  avatars: describeRoute({
    method: "get",
    path: "/api/matches/:id/avatars/",
    summary: "The pictures of an own match's players, as its videos are drawn with them",
    description: "Those that can be had within moments from whoever keeps them; all others are drawn as letters.",
    tag: "Matches",
    access: "signed-in",
    parameters: matchParameters,
    answers: { 200: { description: "The pictures", schema: matchAvatarsSchema } },
  }),
  markMoment: describeRoute({
    method: "post",
    path: "/api/matches/:id/highlights/",
    summary: "Mark a moment of an own match by hand",
    description:
      "A custom highlight of 2 to 20 seconds, for everybody who has the match. Clips are made of it as of any other; no list of the best has it.",
    tag: "Matches",
    access: "signed-in",
    token: "create",
    parameters: matchParameters,
    body: markMomentSchema,
    answers: { 201: { description: "The new highlight", schema: highlightSchema } },
    errors: { 409: [...noReplayData, { description: "It has as many as it can", code: "moment_limit" }] },
  }),
  removeMoment: describeRoute({
    method: "delete",
    path: "/api/matches/:id/highlights/:highlight_id/",
    summary: "Take away a custom highlight that one marked",
    tag: "Matches",
    access: "signed-in",
    parameters: matchParameters.extend({ highlight_id: rowId }),
    onFullDisk: true,
    answers: { 204: { description: "Taken away" } },
    errors: { 409: [{ description: "A clip of one's own or a public one uses it", code: "highlight_in_use" }] },
  }),
  picture: describeRoute({
    method: "get",
    path: "/api/matches/:id/pictures/:version/:name",
    summary: "A picture of an own match",
    description:
      "`highlight-ID.webp`: the decisive moment of a highlight; of one marked by hand the ground of its map until it is drawn. `floor-0.webp`, and `floor-1.webp` where a map has two: the ground that clips are drawn on; `floor-0-small.webp` at half the size. `ground.bin`: what `unpackGround` reads. All are made after the import; `pictures_url` of the match is the beginning of their addresses.",
    tag: "Matches",
    access: "signed-in",
    parameters: matchParameters.extend({
      version: z.string().max(16),
      name: z
        .string()
        .max(64)
        .regex(/^(highlight-[1-9]\d{0,14}\.webp|floor-\d(-small)?\.webp|ground\.bin)$/),
    }),
    answers: {
      200: { description: "The picture", contentType: "image/webp" },
      304: { description: "Not changed" },
    },
  }),
  clips: describeRoute({
    method: "get",
    path: "/api/matches/:id/clips/",
    summary: "The clips of an own match, the newest first",
    tag: "Clips",
    access: "signed-in",
    parameters: matchParameters,
    answers: { 200: { description: "The clips", schema: z.array(clipSchema) } },
  }),
  createClip: describeRoute({
    method: "post",
    path: "/api/matches/:id/clips/create/",
    summary: "Create a clip of one to five highlights",
    description:
      "The clip waits in the render queue; a player can have three there at once. An empty name is replaced by a generated one. With `reuse` a clip of the player's that shows the same (highlights, settings, format) is not made again.",
    tag: "Clips",
    access: "signed-in",
    token: "create",
    parameters: matchParameters,
    body: createClipSchema,
    answers: {
      200: { description: "With `reuse`: the clip that the player has already", schema: clipSchema },
      201: { description: "The new clip", schema: clipSchema },
    },
    errors: { 409: [...noClip, diskQuota], 429: queueIsFull },
  }),
  previewClip: describeRoute({
    method: "post",
    path: "/api/matches/:id/clips/preview/",
    summary: "What a clip would show, to be played before it is created",
    description: "Takes the body of the create call and writes nothing.",
    tag: "Clips",
    access: "signed-in",
    token: "create",
    parameters: matchParameters,
    body: createClipSchema,
    onFullDisk: true,
    answers: { 200: { description: "The clip's spec and where its replay track is", schema: clipPreviewSchema } },
    errors: { 409: noClip },
  }),
};

const highlights = {
  own: describeRoute({
    method: "get",
    path: "/api/highlights/",
    summary: "Highlights of all own matches, the best first",
    tag: "Matches",
    access: "signed-in",
    description: "Days begin at midnight in `time_zone`, an IANA name such as `America/New_York`; in UTC without one.",
    query: pageOf(limits.highlightsPerPage, 100)
      .extend(highlightFilterSchema.shape)
      .extend({
        time_zone: z
          .string()
          .max(textLimits.queryValue)
          .refine(
            (name) => timeZoneNamed(name) !== null,
            "There is no such time zone: an IANA name is wanted, such as America/New_York.",
          )
          .optional(),
      }),
    answers: { 200: { description: "A page of highlights", schema: foundHighlightsSchema } },
  }),
};

const noneOfCompilation = {
  409: [{ description: "It is a compilation: its clips are recorded one by one", code: "not_in_recording" }],
} as const satisfies RouteDescription["errors"];

const clips = {
  top: describeRoute({
    method: "get",
    path: "/api/top-highlights/",
    summary: "The nine lists of the home page",
    description:
      "At most ten finished clips each, of those that fit. Visitors who are signed in see which they like, unless they ask, by `public_view=true`, for what everybody sees.",
    tag: "Clips",
    access: "public",
    query: clipFilterSchema.extend({ public_view: queryValue }),
    answers: { 200: { description: "The lists", schema: topHighlightsSchema } },
  }),
  own: describeRoute({
    method: "get",
    path: "/api/matches/clips/",
    summary: "Own clips, grouped by match",
    description: "`limit` and `offset` count groups.",
    tag: "Clips",
    access: "signed-in",
    query: pageOfGroups,
    answers: { 200: { description: "A page of groups", schema: clipsOverviewSchema } },
  }),
  ofUser: describeRoute({
    method: "get",
    path: "/api/matches/users/:steam_id/clips/",
    summary: "A player's finished clips, grouped by match",
    tag: "Clips",
    access: "public",
    parameters: z.object({ steam_id: z.string().max(textLimits.id) }),
    query: pageOfGroups,
    answers: { 200: { description: "A page of groups", schema: userClipsSchema } },
  }),
  createCompilation: describeRoute({
    method: "post",
    path: "/api/matches/clips/compilations/",
    summary: "Join two to ten own, finished clips into one video",
    description:
      "Of any matches, in one format, five minutes at most, in the order of `clip_ids`. Nothing is encoded again, so it takes seconds. The compilation is a clip of its own: it stays when its parts are deleted.",
    tag: "Clips",
    access: "signed-in",
    token: "create",
    body: createCompilationSchema,
    answers: { 201: { description: "The compilation, waiting to be joined", schema: clipSchema } },
    errors: {
      404: [{ description: "The compilation was deleted by another call meanwhile", code: "not_found" }],
      409: [diskQuota],
      429: queueIsFull,
    },
  }),
  detail: describeRoute({
    method: "get",
    path: "/api/matches/clips/:id/",
    summary: "A clip with its match and sharing texts",
    description:
      "Finished clips are public; one that waits, is rendered or has failed is its owner's alone. An unlisted clip answers to its `public_id` alone, here and in every other call; its owner may leave the key out.",
    tag: "Clips",
    access: "public",
    ...ofClip,
    answers: { 200: { description: "The clip", schema: clipDetailSchema } },
  }),
  status: describeRoute({
    method: "get",
    path: "/api/matches/clips/:id/status/",
    summary: "How far the rendering of a clip is",
    description: "For its owner; of a finished clip for everybody.",
    tag: "Clips",
    access: "public",
    ...ofClip,
    answers: { 200: { description: "The clip", schema: clipStatusSchema } },
  }),
  related: describeRoute({
    method: "get",
    path: "/api/matches/clips/:id/related/",
    summary: "What to watch after a finished clip",
    tag: "Clips",
    access: "public",
    ...ofClip,
    answers: {
      200: { description: "At most six clips of its maker, and six of others on its map", schema: relatedClipsSchema },
    },
  }),
  inGame: describeRoute({
    method: "get",
    path: "/api/matches/clips/:id/in-game/",
    summary: "How an own clip is recorded in the game",
    description: "For who has the demo and the game: where playback begins, and two files for programs that record.",
    tag: "Clips",
    access: "signed-in",
    ...ofClip,
    answers: { 200: { description: "What is to be known", schema: inGameSchema } },
    errors: noneOfCompilation,
  }),
  csdmConfig: describeRoute({
    method: "get",
    path: "/api/matches/clips/:id/in-game/csdm.json",
    summary: "An own clip for CS Demo Manager",
    description: "For `csdm video --config-file`.",
    tag: "Clips",
    access: "signed-in",
    ...ofClip,
    query: z.object({
      /** Where the unpacked demo lies on the player's machine. */
      demo: z.string().max(textLimits.url).optional(),
    }),
    answers: {
      200: { description: "The config", contentType: "application/json", fileSchema: csdmConfigSchema },
    },
    errors: noneOfCompilation,
  }),
  hlaeCommands: describeRoute({
    method: "get",
    path: "/api/matches/clips/:id/in-game/hlae.xml",
    summary: "An own clip for HLAE",
    description: "For `mirv_cmd load`.",
    tag: "Clips",
    access: "signed-in",
    ...ofClip,
    answers: { 200: { description: "The commands", contentType: "application/xml" } },
    errors: noneOfCompilation,
  }),
  rename: describeRoute({
    method: "post",
    path: "/api/matches/clips/:id/rename/",
    summary: "Give an own clip another name",
    tag: "Clips",
    access: "signed-in",
    token: "create",
    ...ofClip,
    body: renameClipSchema,
    answers: { 200: { description: "The clip with its new name", schema: clipStatusSchema } },
  }),
  setVisibility: describeRoute({
    method: "post",
    path: "/api/matches/clips/:id/visibility/",
    summary: "List an own clip, or show it only to who has its address",
    description:
      "A clip that becomes unlisted leaves every list, count and feed, and gets an address that nobody can guess: the old one leads nowhere. One that becomes public has its number as address; the one with the key goes on working.",
    tag: "Clips",
    access: "signed-in",
    token: "create",
    ...ofClip,
    body: setVisibilitySchema,
    answers: { 200: { description: "The clip with its address", schema: clipStatusSchema } },
  }),
  addFormat: describeRoute({
    method: "post",
    path: "/api/matches/clips/:id/formats/",
    summary: "Render an own, finished clip in another format",
    description:
      "The format waits in the render queue, as a clip does, and takes one of the player's three places there. One that failed is tried again; whatever becomes of it, the formats that are ready stay.",
    tag: "Clips",
    access: "signed-in",
    token: "create",
    ...ofClip,
    body: addFormatSchema,
    answers: {
      200: { description: "The clip has this format already, or it is being rendered", schema: clipStatusSchema },
      201: { description: "The clip, with the new format waiting", schema: clipStatusSchema },
    },
    errors: {
      409: [
        { description: "The clip is not finished", code: "clip_not_ready" },
        { description: "The replay data of its match is deleted", code: "match_data_deleted" },
        diskQuota,
      ],
      429: queueIsFull,
    },
  }),
  remove: describeRoute({
    method: "delete",
    path: "/api/matches/clips/:id/delete/",
    summary: "Delete an own clip",
    description: "A render that waits or runs is stopped, and the files are removed.",
    tag: "Clips",
    access: "signed-in",
    ...ofClip,
    answers: { 204: { description: "Deleted" } },
  }),
  like: describeRoute({
    method: "post",
    path: "/api/matches/clips/:id/like/",
    summary: "Like a clip, or take the like back",
    tag: "Clips",
    access: "signed-in",
    ...ofClip,
    onFullDisk: true,
    answers: { 200: { description: "The like as it is now", schema: likeResultSchema } },
  }),
  likes: describeRoute({
    method: "get",
    path: "/api/matches/clips/:id/likes/",
    summary: "Likes of a clip",
    tag: "Clips",
    access: "public",
    ...ofClip,
    answers: { 200: { description: "Count, and whether the visitor likes it", schema: likeStatusSchema } },
  }),
  view: describeRoute({
    method: "post",
    path: "/api/matches/clips/:id/view/",
    summary: "Count the first play of a clip",
    description: "Once a viewer and clip in six hours, and few times for all who are signed out in one network.",
    tag: "Clips",
    access: "public",
    token: "read",
    ...ofClip,
    onFullDisk: true,
    answers: { 200: { description: "The count afterwards", schema: viewCountSchema } },
  }),
  views: describeRoute({
    method: "get",
    path: "/api/matches/clips/:id/views/",
    summary: "Views of a clip",
    tag: "Clips",
    access: "public",
    ...ofClip,
    answers: { 200: { description: "The count", schema: viewCountSchema } },
  }),
};

const fileQuery = z.object({
  /** Version of the content, as in `video_url`. */
  v: queryValue,
  /** `1` to save the file. */
  download: queryValue,
});

const formatFileQuery = fileQuery.extend({
  /** Without one that in which the clip was created. */
  format: z.enum(clipFormatNames).optional(),
});

const notReady = (description: string) =>
  ({ 409: [{ description, code: "not_ready" }], ...conditions, ...rangeOutside }) as const;

const notRendered = notReady("The video is not rendered yet; said to its owner");

const videoAnswers = {
  200: { description: "The whole video", contentType: "video/mp4" },
  206: { description: "A range of it", contentType: "video/mp4" },
  302: { description: "Where the store gives the video" },
  304: { description: "Not changed" },
} as const;

const pictureAnswers = {
  200: { description: "The picture", contentType: "image/jpeg" },
  206: { description: "A range of it", contentType: "image/jpeg" },
  302: { description: "Where the store gives the picture" },
  304: { description: "Not changed" },
} as const;

/** Videos, posters, thumbnails and loops of finished clips, for everybody. */
const media = {
  video: describeRoute({
    method: "get",
    path: "/video/clips/:id/",
    summary: "The video of a clip",
    description: "Answers ranges, HEAD and conditional requests. With an S3 store it redirects to a signed address.",
    tag: "Clips",
    access: "public",
    ...ofClip,
    query: formatFileQuery,
    answers: videoAnswers,
    errors: notRendered,
  }),
  share: describeRoute({
    method: "get",
    path: "/video/clips/:id/share.mp4",
    summary: "The video of a clip in at most 9.5 MB",
    description: "For previews and chat apps. It follows the video: until it is made, the answer is 409.",
    tag: "Clips",
    access: "public",
    ...ofClip,
    query: fileQuery,
    answers: videoAnswers,
    errors: notReady("The file is not made yet"),
  }),
  loop: describeRoute({
    method: "get",
    path: "/video/clips/:id/loop.mp4",
    summary: "Three seconds of a clip, for cards",
    description:
      "Around the decisive moment, in 16:9, without panels and without sound, to be repeated. It follows the video: until it is made, the answer is 409.",
    tag: "Clips",
    access: "public",
    ...ofClip,
    query: fileQuery,
    answers: videoAnswers,
    errors: notReady("The loop is not made yet"),
  }),
  poster: describeRoute({
    method: "get",
    path: "/video/clips/:id/poster.jpg",
    summary: "The poster of a clip",
    tag: "Clips",
    access: "public",
    ...ofClip,
    query: formatFileQuery,
    answers: pictureAnswers,
    errors: notRendered,
  }),
  widePoster: describeRoute({
    method: "get",
    path: "/video/clips/:id/wide-poster.jpg",
    summary: "The poster of a clip in 16:9",
    description: "For previews of links. Upright clips that are older than such posters have none: the answer is 409.",
    tag: "Clips",
    access: "public",
    ...ofClip,
    query: fileQuery,
    answers: pictureAnswers,
    errors: notReady("There is none of this clip"),
  }),
  thumbnail: describeRoute({
    method: "get",
    path: "/video/clips/:id/thumbnail.jpg",
    summary: "The poster of a clip at half its size",
    tag: "Clips",
    access: "public",
    ...ofClip,
    query: fileQuery,
    answers: pictureAnswers,
    errors: notRendered,
  }),
};

const atom = {
  200: { description: "An Atom feed", contentType: "application/atom+xml" },
  304: { description: "Not changed" },
} as const;

/** What feed readers, bots and other sites follow. */
const feeds = {
  newest: describeRoute({
    method: "get",
    path: "/api/feeds/newest.atom",
    summary: "The newest clips as an Atom feed",
    tag: "Clips",
    access: "public",
    answers: atom,
  }),
  ofUser: describeRoute({
    method: "get",
    path: "/api/feeds/users/:steam_id/clips.atom",
    summary: "The newest clips of a user as an Atom feed",
    tag: "Clips",
    access: "public",
    parameters: z.object({
      steam_id: z
        .string()
        .max(17)
        .regex(/^\d{17}$/),
    }),
    answers: atom,
  }),
};

const site = {
  details: describeRoute({
    method: "get",
    path: "/api/site/",
    summary: "The operator's details and how long things are kept",
    tag: "Site",
    access: "public",
    forVisitors: true,
    answers: { 200: { description: "The installation", schema: siteSchema } },
  }),
};

const docs = {
  openApi: describeRoute({
    method: "get",
    path: "/api/openapi.json",
    summary: "The OpenAPI document",
    tag: "Site",
    access: "public",
    answers: {
      200: {
        description: "OpenAPI 3.1",
        contentType: "application/json",
        fileSchema: z.looseObject({ openapi: z.literal("3.1.0"), paths: z.looseObject({}) }),
      },
    },
  }),
  page: describeRoute({
    method: "get",
    path: "/api/docs/",
    summary: "The calls of the API as a page",
    tag: "Site",
    access: "public",
    answers: { 200: { description: "A page", contentType: "text/html" } },
  }),
  guide: describeRoute({
    method: "get",
    path: "/api/docs/guide/",
    summary: "How scripts call, step by step",
    tag: "Site",
    access: "public",
    answers: { 200: { description: "A page", contentType: "text/html" } },
  }),
};

const readinessSchema = z.object({
  status: z.enum(["ready", "not ready"]),
  checks: z.record(z.string(), z.enum(["ok", "failed"])),
});
export type Readiness = z.infer<typeof readinessSchema>;

/** For load balancers and monitoring. */
const operation = {
  health: describeRoute({
    method: "get",
    path: "/healthz",
    summary: "Whether the process answers",
    tag: "Operation",
    access: "public",
    forVisitors: true,
    answers: { 200: { description: "It does", schema: z.object({ status: z.literal("ok") }) } },
  }),
  readiness: describeRoute({
    method: "get",
    path: "/readyz",
    summary: "Whether everything needed is there: database, storage, room on the disk, video encoder",
    tag: "Operation",
    access: "public",
    forVisitors: true,
    answers: {
      200: { description: "Ready", schema: readinessSchema },
      503: { description: "Not ready; `checks` says what is missing", schema: readinessSchema },
    },
  }),
  metrics: describeRoute({
    method: "get",
    path: "/metrics",
    summary: "Figures for Prometheus",
    description: "For loopback and private networks only, and never through a proxy that is not trusted.",
    tag: "Operation",
    access: "public",
    forVisitors: true,
    answers: { 200: { description: "Prometheus' text format", contentType: "text/plain" } },
    errors: { 404: [{ description: "Asked for from elsewhere", code: "not_found" }] },
  }),
};

/** For the accounts of OPERATOR_STEAM_IDS; everybody else is answered as at an address that no call has. */
const operator = {
  overview: describeRoute({
    method: "get",
    path: "/api/operator/",
    summary: "How the installation stands: queue, processes, storage, backup, versions",
    tag: "Operator",
    access: "operator",
    answers: { 200: { description: "The installation", schema: operatorOverviewSchema } },
  }),
  failures: describeRoute({
    method: "get",
    path: "/api/operator/failures/",
    summary: "Jobs that failed for good, the newest first",
    tag: "Operator",
    access: "operator",
    query: pageOf(20, 100),
    answers: { 200: { description: "A page of failures, and what most failed of", schema: failurePageSchema } },
  }),
  retryFailure: describeRoute({
    method: "post",
    path: "/api/operator/failures/:id/retry/",
    summary: "Let a failed job run again",
    tag: "Operator",
    access: "operator",
    parameters: z.object({ id: z.uuid().max(36) }),
    answers: { 200: { description: "It is back in the queue", schema: requeuedSchema } },
    errors: {
      409: [
        {
          description: "What it works on is gone, done or under way, or its player has no place in the queue",
          code: "not_failed",
        },
      ],
    },
  }),
  retryCause: describeRoute({
    method: "post",
    path: "/api/operator/failures/retry-cause/",
    summary: "Let the jobs run again that failed of one cause",
    description: "A hundred at a time, those first that failed first.",
    tag: "Operator",
    access: "operator",
    body: requeueCauseSchema,
    answers: { 200: { description: "How many are back in the queue", schema: requeuedSchema } },
  }),
};

export const apiRoutes = {
  auth,
  account,
  tokens,
  automation,
  webhooks,
  matches,
  highlights,
  clips,
  media,
  feeds,
  site,
  operator,
  docs,
  operation,
};
