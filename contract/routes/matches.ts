import { z } from "zod";
import { describeRoute, type RouteDescription, type RouteError } from "../api-route.ts";
import { limits } from "../limits.ts";
import { clipSchema } from "../schemas/clips.ts";
import { clipPreviewSchema, createClipSchema } from "../schemas/create-clip.ts";
import { highlightSchema } from "../schemas/highlights.ts";
import { checkDemoProcessingSchema, importRecentMatchSchema, uploadDemoSchema } from "../schemas/imports.ts";
import { markMomentSchema, matchAvatarsSchema, matchRoundsSchema } from "../schemas/match-rounds.ts";
import { matchDetailSchema, matchListSchema, ownMatchSchema, processingStateSchema } from "../schemas/matches.ts";
import { matchParameters, pageOf, queryValue, rowId } from "./parameters.ts";
import { conditions, diskQuota, noClip, noReplayData, queueIsFull, rangeOutside } from "./refusals.ts";

export const newMatchAnswers = {
  200: { description: "The player has this match already, or it is being imported", schema: matchDetailSchema },
  201: { description: "The new match, waiting for its import", schema: matchDetailSchema },
} as const;

const matchGone: RouteError = { description: "The match was deleted by another call meanwhile", code: "not_found" };

export const newMatchErrors = {
  404: [matchGone],
  409: [diskQuota],
  429: [
    { description: "The player's imports of a day are used up", code: "import_limit" },
    { description: "Four of the player's imports are waiting or under way", code: "imports_under_way" },
  ],
} as const satisfies RouteDescription["errors"];

export const matches = {
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
