import { addressOf } from "../../../contract/api-route.ts";
import { apiRoutes } from "../../../contract/api-routes.ts";
import { textLimits } from "../../../contract/text-limits.ts";
import { setVisibility } from "../../clips/clip-link.ts";
import { withVideos } from "../../clips/clip-videos.ts";
import { addFormat } from "../../clips/create/add-format.ts";
import { createCompilation } from "../../clips/create/create-compilation.ts";
import { deleteClip } from "../../clips/delete-clip.ts";
import { csdmConfig } from "../../clips/in-game/csdm-config.ts";
import { hlaeCommands, hlaeFirstTick, unsayableNames } from "../../clips/in-game/hlae-commands.ts";
import { type InGameClip, inGameClip, unpackedDemo } from "../../clips/in-game/in-game-clip.ts";
import { recordedTakes } from "../../clips/in-game/recorded-takes.ts";
import { likeStatus, toggleLike } from "../../clips/likes.ts";
import { ownClips, publicClips } from "../../clips/lists/clip-lists.ts";
import { relatedClips } from "../../clips/lists/related-clips.ts";
import { topListsJson } from "../../clips/lists/top-lists.ts";
import { clipDetail } from "../../clips/present-clip.ts";
import { renameClip } from "../../clips/rename-clip.ts";
import { countView, viewsCount } from "../../clips/views.ts";
import { networkOf } from "../../http/client-address.ts";
import { ApiError } from "../api-error.ts";
import { implementRoutes } from "../implement-routes.ts";
import type { ApiContext } from "../request-context.ts";
import { contentDisposition } from "./blob-response.ts";
import { clipNotFound, oneClip } from "./one-clip.ts";

/** All calls about clips except those for their files, and those of a match. */
export const clipRoutes = implementRoutes(apiRoutes.clips, {
  top: async (c, { user, query: { public_view, ...filter }, replyWritten }) => {
    const viewerId = public_view === "true" ? null : (user?.id ?? null);
    return replyWritten(200, await topListsJson(c.get("services"), viewerId, filter));
  },

  own: async (c, { user, query, reply }) =>
    reply(200, await ownClips(c.get("services"), user.id, { ...query, path: apiRoutes.clips.own.path })),

  ofUser: async (c, { user, parameters, query, reply }) => {
    const path = addressOf(apiRoutes.clips.ofUser, parameters);
    const list = await publicClips(c.get("services"), parameters.steam_id, user?.id ?? null, { ...query, path });
    if (!list) throw ApiError.notFound("User not found");
    return reply(200, list);
  },

  createCompilation: async (c, { user, body, reply }) =>
    reply(201, await oneClip(c, await createCompilation(c.get("services"), user, body), user)),

  detail: async (c, { user, parameters, reply }) =>
    reply(200, clipDetail(await withVideos(c.get("services"), await oneClip(c, parameters.id, user)))),

  status: async (c, { user, parameters, reply }) =>
    reply(200, await withVideos(c.get("services"), await oneClip(c, parameters.id, user))),

  related: async (c, { user, parameters, reply }) => {
    const related = await relatedClips(c.get("services"), parameters.id, user?.id ?? null);
    if (!related) throw clipNotFound();
    return reply(200, related);
  },

  inGame: async (c, { user, parameters, reply }) => {
    const clip = await ownInGameClip(c, user.id, parameters.id);
    return reply(200, {
      clip_name: clip.name,
      demo_name: clip.demoName,
      first_tick: hlaeFirstTick(clip),
      takes: recordedTakes(clip).length,
      by_hand: unsayableNames(clip),
      csdm_url: addressOf(apiRoutes.clips.csdmConfig, parameters),
      hlae_url: addressOf(apiRoutes.clips.hlaeCommands, parameters),
    });
  },

  csdmConfig: async (c, { user, parameters, query }) => {
    const clip = await ownInGameClip(c, user.id, parameters.id);
    return download(
      csdmConfig(clip, unpackedDemo(query.demo || clip.demoName)),
      "application/json",
      `clip-${parameters.id}.json`,
    );
  },

  hlaeCommands: async (c, { user, parameters }) => {
    const clip = await ownInGameClip(c, user.id, parameters.id);
    return download(hlaeCommands(clip), "application/xml", `clip-${parameters.id}.xml`);
  },

  rename: async (c, { user, parameters, body, reply }) => {
    const services = c.get("services");
    await renameClip(services, user.id, parameters.id, body.name);
    return reply(200, await withVideos(services, await oneClip(c, parameters.id, user)));
  },

  setVisibility: async (c, { user, parameters, body, reply }) => {
    const services = c.get("services");
    await setVisibility(services, user.id, parameters.id, body.visibility);
    return reply(200, await withVideos(services, await oneClip(c, parameters.id, user)));
  },

  addFormat: async (c, { user, parameters, body, reply }) => {
    const services = c.get("services");
    const isNew = await addFormat(services, user.id, parameters.id, body.format);
    return reply(isNew ? 201 : 200, await withVideos(services, await oneClip(c, parameters.id, user)));
  },

  remove: async (c, { user, parameters }) => {
    if (!(await deleteClip(c.get("services"), user.id, parameters.id))) throw clipNotFound();
    return c.body(null, 204);
  },

  like: async (c, { user, parameters, reply }) => {
    const result = await toggleLike(c.get("services"), user.id, parameters.id);
    if (!result) throw clipNotFound();
    return reply(200, result);
  },

  likes: async (c, { user, parameters, reply }) => {
    const status = await likeStatus(c.get("services"), user?.id ?? null, parameters.id);
    if (!status) throw clipNotFound();
    return reply(200, { ...status, liked: status.user_has_liked });
  },

  view: async (c, { user, parameters, reply }) => {
    const count = await countView(c.get("services"), parameters.id, {
      userId: user?.id ?? null,
      network: networkOf(c.get("clientAddress")),
      userAgent: (c.req.header("user-agent") ?? "").slice(0, textLimits.userAgent),
    });
    if (count === null) throw clipNotFound();
    return reply(200, { views_count: count });
  },

  views: async (c, { user, parameters, reply }) => {
    const count = await viewsCount(c.get("services"), parameters.id, user?.id ?? null);
    if (count === null) throw clipNotFound();
    return reply(200, { views_count: count });
  },
});

/** @throws ApiError 404 for a clip that is not the player's */
async function ownInGameClip(c: ApiContext, userId: number, clipId: number): Promise<InGameClip> {
  const clip = await inGameClip(c.get("services"), userId, clipId);
  if (!clip) throw clipNotFound();
  return clip;
}

function download(text: string, contentType: string, fileName: string): Response {
  const headers = {
    "content-type": `${contentType}; charset=utf-8`,
    "content-disposition": contentDisposition("attachment", fileName),
    "cache-control": "private, no-cache",
  };
  return new Response(text, { headers });
}
