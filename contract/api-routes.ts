/**
 * Every call of the API, described once: the API checks and answers by it (`backend/api/implement-routes.ts`), the pages'
 * client asks by it (`app/api/client.server.ts`), and the OpenAPI document is made of it. Decision 100.
 */
import { z } from "zod";
import {
  addFormatSchema,
  authStatusSchema,
  checkDemoProcessingSchema,
  clipDetailSchema,
  clipFilterSchema,
  clipPreviewSchema,
  clipSchema,
  clipStatusSchema,
  clipsOverviewSchema,
  createClipSchema,
  createCompilationSchema,
  foundHighlightsSchema,
  highlightFilterSchema,
  highlightSchema,
  importRecentMatchSchema,
  likeResultSchema,
  likeStatusSchema,
  loginStartSchema,
  markMomentSchema,
  matchDetailSchema,
  matchListSchema,
  matchRoundsSchema,
  processingStateSchema,
  relatedClipsSchema,
  renameClipSchema,
  siteSchema,
  standingSchema,
  topHighlightsSchema,
  uploadDemoSchema,
  userClipsSchema,
  viewCountSchema,
} from "./api.ts";
import { describeRoute } from "./api-route.ts";
import { clipFormatNames } from "./clip-formats.ts";
import { limits } from "./limits.ts";
import { textLimits } from "./text-limits.ts";

/** A path parameter that is the id of a row: a `bigint`, read as a number (type-parsers.ts). What does not fit cannot be one. */
const rowId = z
  .string()
  .max(16)
  .regex(/^[1-9]\d{0,15}$/)
  .transform(Number)
  .refine(Number.isSafeInteger);

const clipParameters = z.object({ id: rowId });

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
    query: z.object({ next: z.string().max(textLimits.url).optional() }),
    answers: { 200: { description: "Where to send the browser", schema: loginStartSchema } },
  }),
  finishSignIn: describeRoute({
    method: "get",
    path: "/api/auth/steam/return/",
    summary: "Finish signing in",
    description:
      "Steam sends the browser here. Redirects to `/?login=success` with the session cookie, or to `/?login=failed&reason=…` with one of cancelled, expired, rejected, replayed, unavailable.",
    tag: "Accounts",
    access: "public",
    answers: { 302: { description: "To the page that was asked for, or home" } },
  }),
  standing: describeRoute({
    method: "get",
    path: "/api/auth/standing/",
    summary: "Whether the player has begun: has a match",
    tag: "Accounts",
    access: "signed-in",
    answers: { 200: { description: "The player's standing", schema: standingSchema } },
  }),
  logout: describeRoute({
    method: "post",
    path: "/api/auth/logout/",
    summary: "Sign out",
    tag: "Accounts",
    access: "public",
    onFullDisk: true,
    answers: { 200: { description: "Signed out", schema: authStatusSchema } },
  }),
  logoutEverywhere: describeRoute({
    method: "post",
    path: "/api/auth/logout-everywhere/",
    summary: "Sign out on every device",
    description:
      "Ends all sessions of the user, this one included: for a lost device, or a token that somebody else has.",
    tag: "Accounts",
    access: "signed-in",
    onFullDisk: true,
    answers: { 200: { description: "Signed out", schema: authStatusSchema } },
  }),
};

const newMatchAnswers = {
  200: { description: "The player has this match already, or it is being imported", schema: matchDetailSchema },
  201: { description: "The new match, waiting for its import", schema: matchDetailSchema },
} as const;

const newMatchErrors = {
  429: "The player's imports of a day are used up, or four of them are waiting or under way",
} as const;

const noReplayData = { 409: "The match is not imported yet, or its replay data is deleted" } as const;

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
    rawBodyType: "multipart/form-data",
    answers: newMatchAnswers,
    errors: { ...newMatchErrors, 413: "The file is too large", 507: "The disk is full" },
  }),
  importSample: describeRoute({
    method: "post",
    path: "/api/matches/import-sample/",
    summary: "Import the sample match that comes with the product",
    tag: "Matches",
    access: "signed-in",
    answers: newMatchAnswers,
    errors: newMatchErrors,
  }),
  importRecent: describeRoute({
    method: "post",
    path: "/api/matches/import-recent-match/",
    summary: "Import a match that the history provider offers",
    tag: "Matches",
    access: "signed-in",
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
  retry: describeRoute({
    method: "post",
    path: "/api/matches/:id/retry/",
    summary: "Try a failed import again",
    tag: "Matches",
    access: "signed-in",
    parameters: matchParameters,
    answers: { 200: { description: "The match, waiting for its import", schema: matchDetailSchema } },
    errors: { 409: "The import has not failed" },
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
    answers: { 200: { description: "The track", contentType: "application/octet-stream" } },
  }),
  rounds: describeRoute({
    method: "get",
    path: "/api/matches/:id/rounds/",
    summary: "The rounds of an own match: who won, who killed whom, plants and defuses, and what of them can be played",
    tag: "Matches",
    access: "signed-in",
    parameters: matchParameters,
    answers: { 200: { description: "The rounds", schema: matchRoundsSchema } },
    errors: noReplayData,
  }),
  markMoment: describeRoute({
    method: "post",
    path: "/api/matches/:id/highlights/",
    summary: "Mark a moment of an own match by hand",
    description:
      "A custom highlight of 2 to 20 seconds, for everybody who has the match. Clips are made of it as of any other; no list of the best has it.",
    tag: "Matches",
    access: "signed-in",
    parameters: matchParameters,
    body: markMomentSchema,
    answers: { 201: { description: "The new highlight", schema: highlightSchema } },
    errors: { 409: "The match is not imported yet, its replay data is deleted, or it has as many as it can" },
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
    errors: { 409: "A clip uses it" },
  }),
  picture: describeRoute({
    method: "get",
    path: "/api/matches/:id/pictures/:version/:name",
    summary: "A picture of an own match",
    description:
      "`highlight-ID.webp`: the decisive moment of a highlight. `floor-0.webp`, and `floor-1.webp` where a map has two: the ground that clips are drawn on; `floor-0-small.webp` at half the size. `ground.bin`: what `unpackGround` reads. All are made after the import; `pictures_url` of the match is the beginning of their addresses.",
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
    parameters: matchParameters,
    body: createClipSchema,
    answers: {
      200: { description: "With `reuse`: the clip that the player has already", schema: clipSchema },
      201: { description: "The new clip", schema: clipSchema },
    },
    errors: noReplayData,
  }),
  previewClip: describeRoute({
    method: "post",
    path: "/api/matches/:id/clips/preview/",
    summary: "What a clip would show, to be played before it is created",
    description: "Takes the body of the create call and writes nothing.",
    tag: "Clips",
    access: "signed-in",
    parameters: matchParameters,
    body: createClipSchema,
    onFullDisk: true,
    answers: { 200: { description: "The clip's spec and where its replay track is", schema: clipPreviewSchema } },
    errors: noReplayData,
  }),
};

const highlights = {
  own: describeRoute({
    method: "get",
    path: "/api/highlights/",
    summary: "Highlights of all own matches, the best first",
    tag: "Matches",
    access: "signed-in",
    query: pageOf(limits.highlightsPerPage, 100).extend(highlightFilterSchema.shape),
    answers: { 200: { description: "A page of highlights", schema: foundHighlightsSchema } },
  }),
};

const clips = {
  top: describeRoute({
    method: "get",
    path: "/api/top-highlights/",
    summary: "The nine lists of the home page",
    description: "At most ten finished clips each, of those that fit. Visitors who are signed in see which they like.",
    tag: "Clips",
    access: "public",
    query: clipFilterSchema,
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
    body: createCompilationSchema,
    answers: { 201: { description: "The compilation, waiting to be joined", schema: clipSchema } },
  }),
  detail: describeRoute({
    method: "get",
    path: "/api/matches/clips/:id/",
    summary: "A clip with its match and sharing texts",
    description: "Finished clips are public; one that waits, is rendered or has failed is its owner's alone.",
    tag: "Clips",
    access: "public",
    parameters: clipParameters,
    answers: { 200: { description: "The clip", schema: clipDetailSchema } },
  }),
  status: describeRoute({
    method: "get",
    path: "/api/matches/clips/:id/status/",
    summary: "How far the rendering of a clip is",
    description: "For its owner; of a finished clip for everybody.",
    tag: "Clips",
    access: "public",
    parameters: clipParameters,
    answers: { 200: { description: "The clip", schema: clipStatusSchema } },
  }),
  related: describeRoute({
    method: "get",
    path: "/api/matches/clips/:id/related/",
    summary: "What to watch after a finished clip",
    tag: "Clips",
    access: "public",
    parameters: clipParameters,
    answers: {
      200: { description: "At most six clips of its maker, and six of others on its map", schema: relatedClipsSchema },
    },
  }),
  rename: describeRoute({
    method: "post",
    path: "/api/matches/clips/:id/rename/",
    summary: "Give an own clip another name",
    tag: "Clips",
    access: "signed-in",
    parameters: clipParameters,
    body: renameClipSchema,
    answers: { 200: { description: "The clip with its new name", schema: clipStatusSchema } },
  }),
  addFormat: describeRoute({
    method: "post",
    path: "/api/matches/clips/:id/formats/",
    summary: "Render an own, finished clip in another format",
    description:
      "The format waits in the render queue, as a clip does, and takes one of the player's three places there. One that failed is tried again; whatever becomes of it, the formats that are ready stay.",
    tag: "Clips",
    access: "signed-in",
    parameters: clipParameters,
    body: addFormatSchema,
    answers: {
      200: { description: "The clip has this format already, or it is being rendered", schema: clipStatusSchema },
      201: { description: "The clip, with the new format waiting", schema: clipStatusSchema },
    },
    errors: { 409: "The clip is not finished, or the replay data of its match is deleted" },
  }),
  remove: describeRoute({
    method: "delete",
    path: "/api/matches/clips/:id/delete/",
    summary: "Delete an own clip",
    description: "A render that waits or runs is stopped, and the files are removed.",
    tag: "Clips",
    access: "signed-in",
    parameters: clipParameters,
    answers: { 204: { description: "Deleted" } },
  }),
  like: describeRoute({
    method: "post",
    path: "/api/matches/clips/:id/like/",
    summary: "Like a clip, or take the like back",
    tag: "Clips",
    access: "signed-in",
    parameters: clipParameters,
    onFullDisk: true,
    answers: { 200: { description: "The like as it is now", schema: likeResultSchema } },
  }),
  likes: describeRoute({
    method: "get",
    path: "/api/matches/clips/:id/likes/",
    summary: "Likes of a clip",
    tag: "Clips",
    access: "public",
    parameters: clipParameters,
    answers: { 200: { description: "Count, and whether the visitor likes it", schema: likeStatusSchema } },
  }),
  view: describeRoute({
    method: "post",
    path: "/api/matches/clips/:id/view/",
    summary: "Count the first play of a clip",
    description: "Once a viewer and clip in six hours, and few times for all who are signed out in one network.",
    tag: "Clips",
    access: "public",
    parameters: clipParameters,
    onFullDisk: true,
    answers: { 200: { description: "The count afterwards", schema: viewCountSchema } },
  }),
  views: describeRoute({
    method: "get",
    path: "/api/matches/clips/:id/views/",
    summary: "Views of a clip",
    tag: "Clips",
    access: "public",
    parameters: clipParameters,
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

const notRendered = { 409: "The video is not rendered yet; said to its owner" } as const;

const rangeOutside = { 416: "The range lies outside" } as const;

const videoAnswers = {
  200: { description: "The whole video", contentType: "video/mp4" },
  206: { description: "A range of it", contentType: "video/mp4" },
  302: { description: "Where the store gives the video" },
  304: { description: "Not changed" },
} as const;

const pictureAnswers = {
  200: { description: "The picture", contentType: "image/jpeg" },
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
    parameters: clipParameters,
    query: formatFileQuery,
    answers: videoAnswers,
    errors: { ...notRendered, ...rangeOutside },
  }),
  share: describeRoute({
    method: "get",
    path: "/video/clips/:id/share.mp4",
    summary: "The video of a clip in at most 9.5 MB",
    description: "For previews and chat apps. It follows the video: until it is made, the answer is 409.",
    tag: "Clips",
    access: "public",
    parameters: clipParameters,
    query: fileQuery,
    answers: videoAnswers,
    errors: { 409: "The file is not made yet", ...rangeOutside },
  }),
  loop: describeRoute({
    method: "get",
    path: "/video/clips/:id/loop.mp4",
    summary: "Three seconds of a clip, for cards",
    description:
      "Around the decisive moment, in 16:9, without panels and without sound, to be repeated. It follows the video: until it is made, the answer is 409.",
    tag: "Clips",
    access: "public",
    parameters: clipParameters,
    query: fileQuery,
    answers: videoAnswers,
    errors: { 409: "The loop is not made yet", ...rangeOutside },
  }),
  poster: describeRoute({
    method: "get",
    path: "/video/clips/:id/poster.jpg",
    summary: "The poster of a clip",
    tag: "Clips",
    access: "public",
    parameters: clipParameters,
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
    parameters: clipParameters,
    query: fileQuery,
    answers: pictureAnswers,
    errors: { 409: "There is none of this clip" },
  }),
  thumbnail: describeRoute({
    method: "get",
    path: "/video/clips/:id/thumbnail.jpg",
    summary: "The poster of a clip at half its size",
    tag: "Clips",
    access: "public",
    parameters: clipParameters,
    query: fileQuery,
    answers: pictureAnswers,
    errors: notRendered,
  }),
};

const site = {
  details: describeRoute({
    method: "get",
    path: "/api/site/",
    summary: "The operator's details and how long things are kept",
    tag: "Site",
    access: "public",
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
    answers: { 200: { description: "OpenAPI 3.1", contentType: "application/json" } },
  }),
  page: describeRoute({
    method: "get",
    path: "/api/docs/",
    summary: "The calls of the API as a page",
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
    answers: { 200: { description: "It does", schema: z.object({ status: z.literal("ok") }) } },
  }),
  readiness: describeRoute({
    method: "get",
    path: "/readyz",
    summary: "Whether everything needed is there: database, storage, room on the disk, video encoder",
    tag: "Operation",
    access: "public",
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
    answers: { 200: { description: "Prometheus' text format", contentType: "text/plain" } },
  }),
};

export const apiRoutes = { auth, matches, highlights, clips, media, site, docs, operation };
