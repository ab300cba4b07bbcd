import { apiRoutes } from "../../../contract/api-routes.ts";
import { clipPreview } from "../../clips/create/clip-preview.ts";
import { createClip } from "../../clips/create/create-clip.ts";
import { planClip } from "../../clips/create/plan-clip.ts";
import { clipsOfMatch } from "../../clips/lists/clip-lists.ts";
import { markMoment, removeMoment } from "../../clips/match-replay/custom-highlights.ts";
import { matchAvatars } from "../../clips/match-replay/match-avatars.ts";
import { matchRounds } from "../../clips/match-replay/match-rounds.ts";
import { blobVersion } from "../../clips/read-clips.ts";
import { deleteMatch } from "../../library/delete-match.ts";
import { listMatches } from "../../library/list-matches.ts";
import { matchDetail } from "../../library/match-detail.ts";
import {
  importDemoUrl,
  importRecentMatch,
  importSampleMatch,
  importUploadedDemo,
  retryImport,
} from "../../matches/create-match.ts";
import { normalDemoUrl } from "../../matches/demo-url.ts";
import { importStatus, matchStatus } from "../../matches/match-status.ts";
import { ownMatch, ownMatchOfSameDemo } from "../../matches/own-match.ts";
import { notProcessing } from "../../matches/processing-state.ts";
import { recentMatchFacts } from "../../matches/recent-matches.ts";
import { ApiError } from "../api-error.ts";
import { implementRoutes } from "../implement-routes.ts";
import { receiveDemoFile } from "../receive-demo-file.ts";
import { blobResponse } from "./blob-response.ts";
import { importAnswer, matchNotFound, presentedMatch } from "./import-answer.ts";
import { matchPicture, trackSlice } from "./match-replay.ts";
import { oneClip } from "./one-clip.ts";

/** Importing, listing and deleting matches, and creating clips from one. */
export const matchRoutes = implementRoutes(apiRoutes.matches, {
  list: async (c, { user, query, reply }) => reply(200, await listMatches(c.get("services"), user, query)),

  importDemoUrl: async (c, { user, body, reply }) => {
    const requested = await importDemoUrl(c.get("services"), user, body.demo_url);
    return reply(...(await importAnswer(c, user, requested)));
  },

  importDemoFile: async (c, { user, reply }) => {
    const services = c.get("services");
    const file = await receiveDemoFile(services, user, c.req.raw);
    return reply(...(await importAnswer(c, user, await importUploadedDemo(services, user, file))));
  },

  importSample: async (c, { user, reply }) =>
    reply(...(await importAnswer(c, user, await importSampleMatch(c.get("services"), user)))),

  importRecent: async (c, { user, body, reply }) => {
    const services = c.get("services");
    const facts = await recentMatchFacts(services, user, body);
    return reply(...(await importAnswer(c, user, await importRecentMatch(services, user, body.demo_url, facts))));
  },

  checkDemoProcessing: async (c, { user, body, reply }) => {
    const state = await importStatus(c.get("services"), user.id, {
      demoUrl: body.demo_url === undefined ? undefined : normalDemoUrl(body.demo_url),
      leetifyMatchId: body.leetify_match_id ?? undefined,
    });
    return reply(200, state ?? notProcessing());
  },

  detail: async (c, { user, parameters, query, reply }) => {
    const includePlayers = query.include_players === "true" || query.include_players === "1";
    const match = await matchDetail(c.get("services"), user, parameters.id, { includePlayers });
    if (!match) throw matchNotFound();
    return reply(200, match);
  },

  status: async (c, { user, parameters, reply }) => {
    const state = await matchStatus(c.get("services"), user.id, parameters.id);
    if (!state) throw matchNotFound();
    return reply(200, state);
  },

  ownOfSameDemo: async (c, { user, parameters, reply }) => {
    const own = await ownMatchOfSameDemo(c.get("services"), user.id, parameters.id);
    if (!own) throw matchNotFound();
    return reply(200, { match_id: own.id });
  },

  retry: async (c, { user, parameters, reply }) => {
    const match = await retryImport(c.get("services"), user, parameters.id);
    if (!match) throw matchNotFound();
    return reply(200, await presentedMatch(c, user, match.id));
  },

  remove: async (c, { user, parameters }) => {
    if (!(await deleteMatch(c.get("services"), user.id, parameters.id))) throw matchNotFound();
    return c.body(null, 204);
  },

  track: async (c, { user, parameters, query }) => {
    const services = c.get("services");
    if (query.highlights !== undefined || query.round !== undefined) return trackSlice(c, user, parameters.id, query);
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

  rounds: async (c, { user, parameters, reply }) =>
    reply(200, await matchRounds(c.get("services"), user, parameters.id)),

  avatars: async (c, { user, parameters, reply }) =>
    reply(200, await matchAvatars(c.get("services"), user, parameters.id)),

  markMoment: async (c, { user, parameters, body, reply }) =>
    reply(201, await markMoment(c.get("services"), user, parameters.id, body)),

  removeMoment: async (c, { user, parameters }) => {
    await removeMoment(c.get("services"), user, parameters.id, parameters.highlight_id);
    return c.body(null, 204);
  },

  picture: async (c, { user, parameters }) => matchPicture(c, user, parameters),

  clips: async (c, { user, parameters, reply }) => {
    const services = c.get("services");
    const match = await ownMatch(services, user.id, parameters.id);
    if (!match) throw matchNotFound();
    return reply(200, await clipsOfMatch(services, match.id, user.id));
  },

  createClip: async (c, { user, parameters, body, reply }) => {
    const { clipId, isNew } = await createClip(c.get("services"), user, parameters.id, body);
    return reply(isNew ? 201 : 200, await oneClip(c, clipId, user));
  },

  previewClip: async (c, { user, parameters, body, reply }) => {
    const { spec, demo, match } = await planClip(c.get("services"), user, parameters.id, body);
    return reply(200, clipPreview(spec, demo, match.id));
  },
});
