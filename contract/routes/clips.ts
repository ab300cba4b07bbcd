import { z } from "zod";
import { describeRoute, type RouteDescription } from "../api-route.ts";
import { limits } from "../limits.ts";
import {
  clipFilterSchema,
  clipsOverviewSchema,
  relatedClipsSchema,
  topHighlightsSchema,
  userClipsSchema,
} from "../schemas/clip-lists.ts";
import {
  addFormatSchema,
  clipDetailSchema,
  clipSchema,
  clipStatusSchema,
  likeResultSchema,
  likeStatusSchema,
  renameClipSchema,
  setVisibilitySchema,
  viewCountSchema,
} from "../schemas/clips.ts";
import { createCompilationSchema } from "../schemas/create-clip.ts";
import { csdmConfigSchema, inGameSchema } from "../schemas/in-game.ts";
import { textLimits } from "../text-limits.ts";
import { ofClip, pageOf, queryValue } from "./parameters.ts";
import { diskQuota, queueIsFull } from "./refusals.ts";

const noneOfCompilation = {
  409: [{ description: "It is a compilation: its clips are recorded one by one", code: "not_in_recording" }],
} as const satisfies RouteDescription["errors"];

/** `limit` and `offset` count groups. */
const pageOfGroups = pageOf(limits.clipGroupsPerRequest, 50).extend(clipFilterSchema.shape);

export const clips = {
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
