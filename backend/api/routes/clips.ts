import { z } from "zod";
import {
  clipDetailSchema,
  clipPreviewSchema,
  clipSchema,
  clipStatusSchema,
  clipsOverviewSchema,
  createClipSchema,
  likeResultSchema,
  likeStatusSchema,
  topHighlightsSchema,
  userClipsSchema,
  viewCountSchema,
} from "../../../contract/api.ts";
import { limits } from "../../../contract/limits.ts";
import { textLimits } from "../../../contract/text-limits.ts";
import { clipsOfMatch, ownClips, publicClips } from "../../clips/clip-lists.ts";
import { clipPreview } from "../../clips/clip-preview.ts";
import { createClip } from "../../clips/create-clip.ts";
import { deleteClip } from "../../clips/delete-clip.ts";
import { likeStatus, toggleLike } from "../../clips/likes.ts";
import { planClip } from "../../clips/plan-clip.ts";
import { clipDetail, presentClips } from "../../clips/present-clip.ts";
import { blobVersion } from "../../clips/read-clips.ts";
import { forgetTopLists, topListsJson } from "../../clips/top-lists.ts";
import { countView, viewsCount } from "../../clips/views.ts";
import { networkOf } from "../../http/client-address.ts";
import { ownMatch } from "../../matches/match-rows.ts";
import { ApiError } from "../api-error.ts";
import { ApiRouter, idParameter } from "../api-router.ts";
import type { ApiContext } from "../request-context.ts";
import { blobResponse } from "./blob-response.ts";
import { matchParameters } from "./matches.ts";

const clipParameters = z.object({ id: idParameter });

const pageOfGroups = z.object({
  limit: z.coerce.number().int().min(1).max(50).default(limits.clipGroupsPerRequest),
  offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
});

const clipNotFound = () => ApiError.notFound("Clip not found");

/** Everything about clips but their files. */
export const clipRoutes = new ApiRouter()
  .add(
    {
      method: "get",
      path: "/api/top-highlights/",
      summary: "The nine lists of the home page",
      description: "At most ten finished clips each. Visitors who are signed in see which they like.",
      tag: "Clips",
      access: "public",
      answers: { 200: { description: "The lists", schema: topHighlightsSchema } },
    },
    async (c, { user }) => {
      const json = await topListsJson(c.get("services"), user?.id ?? null);
      return c.body(json, 200, { "content-type": "application/json" });
    },
  )
  .add(
    {
      method: "get",
      path: "/api/matches/clips/",
      summary: "Own clips, grouped by match",
      description: "`limit` and `offset` count groups.",
      tag: "Clips",
      access: "signed-in",
      query: pageOfGroups,
      answers: { 200: { description: "A page of groups", schema: clipsOverviewSchema } },
    },
    async (c, { user, query }) =>
      c.json(await ownClips(c.get("services"), user.id, { ...query, path: "/api/matches/clips/" })),
  )
  .add(
    {
      method: "get",
      path: "/api/matches/users/:steam_id/clips/",
      summary: "A player's finished clips, grouped by match",
      tag: "Clips",
      access: "public",
      parameters: z.object({ steam_id: z.string().max(textLimits.id) }),
      query: pageOfGroups,
      answers: { 200: { description: "A page of groups", schema: userClipsSchema } },
    },
    async (c, { user, parameters, query }) => {
      const path = `/api/matches/users/${encodeURIComponent(parameters.steam_id)}/clips/`;
      const list = await publicClips(c.get("services"), parameters.steam_id, user?.id ?? null, { ...query, path });
      if (!list) throw ApiError.notFound("User not found");
      return c.json(list);
    },
  )
  .add(
    {
      method: "get",
      path: "/api/matches/clips/:id/",
      summary: "A clip with its match and sharing texts",
      description: "Finished clips are public; one that waits, is rendered or has failed is its owner's alone.",
      tag: "Clips",
      access: "public",
      parameters: clipParameters,
      answers: { 200: { description: "The clip", schema: clipDetailSchema } },
    },
    async (c, { user, parameters }) => c.json(clipDetail(await oneClip(c, parameters.id, user?.id ?? null))),
  )
  .add(
    {
      method: "get",
      path: "/api/matches/clips/:id/status/",
      summary: "How far the rendering of a clip is",
      description: "For its owner; of a finished clip for everybody.",
      tag: "Clips",
      access: "public",
      parameters: clipParameters,
      answers: { 200: { description: "The clip", schema: clipStatusSchema } },
    },
    async (c, { user, parameters }) => c.json(await oneClip(c, parameters.id, user?.id ?? null)),
  )
  .add(
    {
      method: "delete",
      path: "/api/matches/clips/:id/delete/",
      summary: "Delete an own clip",
      description: "A render that waits or runs is stopped, and the files are removed.",
      tag: "Clips",
      access: "signed-in",
      parameters: clipParameters,
      answers: { 204: { description: "Deleted" } },
    },
    async (c, { user, parameters }) => {
      if (!(await deleteClip(c.get("services"), user.id, parameters.id))) throw clipNotFound();
      return c.body(null, 204);
    },
  )
  .add(
    {
      method: "get",
      path: "/api/matches/:id/clips/",
      summary: "The clips of an own match, the newest first",
      tag: "Clips",
      access: "signed-in",
      parameters: matchParameters,
      answers: { 200: { description: "The clips", schema: z.array(clipSchema) } },
    },
    async (c, { user, parameters }) => {
      const services = c.get("services");
      const match = await ownMatch(services, user.id, parameters.id);
      if (!match) throw ApiError.notFound("Match not found");
      return c.json(await clipsOfMatch(services, match.id, user.id));
    },
  )
  .add(
    {
      method: "post",
      path: "/api/matches/:id/clips/create/",
      summary: "Create a clip of one to five highlights",
      description:
        "The clip waits in the render queue; a player can have three there at once. An empty name is replaced by a generated one.",
      tag: "Clips",
      access: "signed-in",
      parameters: matchParameters,
      body: createClipSchema,
      answers: {
        201: { description: "The new clip", schema: clipSchema },
        409: { description: "The match is not imported yet, or its replay data is deleted" },
      },
    },
    async (c, { user, parameters, body }) => {
      const clipId = await createClip(c.get("services"), user, parameters.id, body);
      return c.json(await oneClip(c, clipId, user.id), 201);
    },
  )
  .add(
    {
      method: "post",
      path: "/api/matches/:id/clips/preview/",
      summary: "What a clip would show, to be played before it is created",
      description: "Takes the body of the create call and writes nothing.",
      tag: "Clips",
      access: "signed-in",
      parameters: matchParameters,
      body: createClipSchema,
      onFullDisk: true,
      answers: {
        200: { description: "The clip's spec and where its replay track is", schema: clipPreviewSchema },
        409: { description: "The match is not imported yet, or its replay data is deleted" },
      },
    },
    async (c, { user, parameters, body }) => {
      const { spec, demo, match } = await planClip(c.get("services"), user, parameters.id, body);
      return c.json(clipPreview(spec, demo, match.id));
    },
  )
  .add(
    {
      method: "get",
      path: "/api/matches/:id/track/",
      summary: "The replay track of an own match",
      description: "The bytes that `decodeReplayTrack` reads, packed with gzip as a content encoding.",
      tag: "Matches",
      access: "signed-in",
      parameters: matchParameters,
      query: z.object({ v: z.string().max(textLimits.queryValue).optional() }),
      answers: { 200: { description: "The track", contentType: "application/octet-stream" } },
    },
    async (c, { user, parameters, query }) => {
      const services = c.get("services");
      const match = await ownMatch(services, user.id, parameters.id);
      const demo = match?.demo_sha256
        ? await services.database
            .selectFrom("demos")
            .select("track_key")
            .where("sha256", "=", match.demo_sha256)
            .executeTakeFirst()
        : null;
      if (!match || !demo?.track_key) throw ApiError.notFound("This match has no replay track");
      return blobResponse(c, services, {
        key: demo.track_key,
        contentType: "application/octet-stream",
        contentEncoding: "gzip",
        audience: "private",
        isVersioned: query.v === blobVersion(demo.track_key),
        fileName: `${match.id}.ccrt`,
        asDownload: false,
      });
    },
  )
  .add(
    {
      method: "post",
      path: "/api/matches/clips/:id/like/",
      summary: "Like a clip, or take the like back",
      tag: "Clips",
      access: "signed-in",
      parameters: clipParameters,
      onFullDisk: true,
      answers: { 200: { description: "The like as it is now", schema: likeResultSchema } },
    },
    async (c, { user, parameters }) => {
      const services = c.get("services");
      const result = await toggleLike(services, user.id, parameters.id);
      if (!result) throw clipNotFound();
      forgetTopLists(services);
      return c.json(result);
    },
  )
  .add(
    {
      method: "get",
      path: "/api/matches/clips/:id/likes/",
      summary: "Likes of a clip",
      tag: "Clips",
      access: "public",
      parameters: clipParameters,
      answers: { 200: { description: "Count, and whether the visitor likes it", schema: likeStatusSchema } },
    },
    async (c, { user, parameters }) => {
      const status = await likeStatus(c.get("services"), user?.id ?? null, parameters.id);
      if (!status) throw clipNotFound();
      return c.json({ ...status, liked: status.user_has_liked });
    },
  )
  .add(
    {
      method: "post",
      path: "/api/matches/clips/:id/view/",
      summary: "Count the first play of a clip",
      description: "Once a viewer and clip in six hours, and few times for all who are signed out in one network.",
      tag: "Clips",
      access: "public",
      parameters: clipParameters,
      onFullDisk: true,
      answers: { 200: { description: "The count afterwards", schema: viewCountSchema } },
    },
    async (c, { user, parameters }) => {
      const count = await countView(c.get("services"), parameters.id, {
        userId: user?.id ?? null,
        network: networkOf(c.get("clientAddress")),
        userAgent: (c.req.header("user-agent") ?? "").slice(0, textLimits.userAgent),
      });
      if (count === null) throw clipNotFound();
      return c.json({ views_count: count });
    },
  )
  .add(
    {
      method: "get",
      path: "/api/matches/clips/:id/views/",
      summary: "Views of a clip",
      tag: "Clips",
      access: "public",
      parameters: clipParameters,
      answers: { 200: { description: "The count", schema: viewCountSchema } },
    },
    async (c, { user, parameters }) => {
      const count = await viewsCount(c.get("services"), parameters.id, user?.id ?? null);
      if (count === null) throw clipNotFound();
      return c.json({ views_count: count });
    },
  );

/** What is not finished is its owner's alone: to everybody else it is not there. */
async function oneClip(c: ApiContext, clipId: number, viewerId: number | null) {
  const [clip] = await presentClips(c.get("services"), [clipId], viewerId);
  if (!clip || (clip.render_status !== "completed" && !clip.is_owner)) throw clipNotFound();
  return clip;
}
