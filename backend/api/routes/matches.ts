import { z } from "zod";
import {
  checkDemoProcessingSchema,
  importRecentMatchSchema,
  matchDetailSchema,
  matchListSchema,
  matchSchema,
  processingStateSchema,
  uploadDemoSchema,
} from "../../../contract/api.ts";
import { limits } from "../../../contract/limits.ts";
import { textLimits } from "../../../contract/text-limits.ts";
import { deleteMatch } from "../../library/delete-match.ts";
import { listMatches } from "../../library/list-matches.ts";
import { matchDetail } from "../../library/match-detail.ts";
import {
  importDemoUrl,
  importRecentMatch,
  importSampleMatch,
  importUploadedDemo,
  type RequestedImport,
  retryImport,
} from "../../matches/create-match.ts";
import { importStatus, matchStatus } from "../../matches/match-status.ts";
import { notProcessing } from "../../matches/processing-state.ts";
import { recentMatchFacts } from "../../matches/recent-matches.ts";
import type { User } from "../../storage/schema.ts";
import { ApiError } from "../api-error.ts";
import { ApiRouter } from "../api-router.ts";
import { receiveDemoFile } from "../receive-demo-file.ts";
import type { ApiContext } from "../request-context.ts";

/** Ids of matches are opaque; entries of the recent list have longer ones. */
export const matchParameters = z.object({
  id: z
    .string()
    .max(textLimits.id)
    .regex(/^[\w.:-]+$/),
});

const matchNotFound = () => ApiError.notFound("Match not found");

const newMatchAnswers = {
  200: { description: "The player has this match already, or it is being imported", schema: matchSchema },
  201: { description: "The new match, waiting for its import", schema: matchSchema },
  429: { description: "The player's imports of a day are used up, or four of them are waiting or under way" },
};

/** Importing, listing and deleting matches. */
export const matchRoutes = new ApiRouter()
  .add(
    {
      method: "get",
      path: "/api/matches/",
      summary: "Own matches, the newest first, then recent ones to import",
      tag: "Matches",
      access: "signed-in",
      query: z.object({
        limit: z.coerce.number().int().min(1).max(100).default(limits.matchesPerPage),
        offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
      }),
      answers: { 200: { description: "A page of matches", schema: matchListSchema } },
    },
    async (c, { user, query }) => c.json(await listMatches(c.get("services"), user, query)),
  )
  .add(
    {
      method: "post",
      path: "/api/matches/upload-demo/",
      summary: "Import a match by the address of its demo",
      tag: "Matches",
      access: "signed-in",
      body: uploadDemoSchema,
      answers: newMatchAnswers,
    },
    async (c, { user, body }) => newMatch(c, user, await importDemoUrl(c.get("services"), user, body.demo_url)),
  )
  .add(
    {
      method: "post",
      path: "/api/matches/upload-file/",
      summary: "Import a match from an uploaded demo file",
      description: "A multipart form with the file in the field `demo_file`.",
      tag: "Matches",
      access: "signed-in",
      rawBodyType: "multipart/form-data",
      answers: {
        ...newMatchAnswers,
        413: { description: "The file is too large" },
        507: { description: "The disk is full" },
      },
    },
    async (c, { user }) => {
      const services = c.get("services");
      const uploadKey = await receiveDemoFile(services, user, c.req.raw);
      return newMatch(c, user, await importUploadedDemo(services, user, uploadKey));
    },
  )
  .add(
    {
      method: "post",
      path: "/api/matches/import-sample/",
      summary: "Import the sample match that comes with the product",
      tag: "Matches",
      access: "signed-in",
      answers: newMatchAnswers,
    },
    async (c, { user }) => newMatch(c, user, await importSampleMatch(c.get("services"), user)),
  )
  .add(
    {
      method: "post",
      path: "/api/matches/import-recent-match/",
      summary: "Import a match that the history provider offers",
      tag: "Matches",
      access: "signed-in",
      body: importRecentMatchSchema,
      answers: newMatchAnswers,
    },
    async (c, { user, body }) => {
      const services = c.get("services");
      const facts = await recentMatchFacts(services, user, body);
      return newMatch(c, user, await importRecentMatch(services, user, body.demo_url, facts));
    },
  )
  .add(
    {
      method: "post",
      path: "/api/matches/check-demo-processing/",
      summary: "Whether a demo is being imported, by its address or the provider's match id",
      tag: "Matches",
      access: "signed-in",
      body: checkDemoProcessingSchema,
      onFullDisk: true,
      answers: { 200: { description: "The state of the import", schema: processingStateSchema } },
    },
    async (c, { user, body }) => {
      const state = await importStatus(c.get("services"), user.id, {
        demoUrl: body.demo_url?.trim(),
        leetifyMatchId: body.leetify_match_id ?? undefined,
      });
      return c.json(state ?? notProcessing());
    },
  )
  .add(
    {
      method: "get",
      path: "/api/matches/:id/",
      summary: "An own match with its highlights and clips",
      tag: "Matches",
      access: "signed-in",
      parameters: matchParameters,
      query: z.object({ include_players: z.string().max(textLimits.queryValue).optional() }),
      answers: { 200: { description: "The match", schema: matchDetailSchema } },
    },
    async (c, { user, parameters, query }) => {
      const includePlayers = query.include_players === "true" || query.include_players === "1";
      const match = await matchDetail(c.get("services"), user, parameters.id, { includePlayers });
      if (!match) throw matchNotFound();
      return c.json(match);
    },
  )
  .add(
    {
      method: "get",
      path: "/api/matches/:id/status/",
      summary: "How far the import of an own match is",
      tag: "Matches",
      access: "signed-in",
      parameters: matchParameters,
      answers: { 200: { description: "The state", schema: processingStateSchema } },
    },
    async (c, { user, parameters }) => {
      const state = await matchStatus(c.get("services"), user.id, parameters.id);
      if (!state) throw matchNotFound();
      return c.json(state);
    },
  )
  .add(
    {
      method: "post",
      path: "/api/matches/:id/retry/",
      summary: "Try a failed import again",
      tag: "Matches",
      access: "signed-in",
      parameters: matchParameters,
      answers: {
        200: { description: "The match, waiting for its import", schema: matchSchema },
        409: { description: "The import has not failed" },
      },
    },
    async (c, { user, parameters }) => {
      const match = await retryImport(c.get("services"), user, parameters.id);
      if (!match) throw matchNotFound();
      return newMatch(c, user, { match, isNew: false });
    },
  )
  .add(
    {
      method: "delete",
      path: "/api/matches/:id/delete/",
      summary: "Delete an own match with its clips",
      tag: "Matches",
      access: "signed-in",
      parameters: matchParameters,
      answers: { 204: { description: "Deleted" } },
    },
    async (c, { user, parameters }) => {
      if (!(await deleteMatch(c.get("services"), user.id, parameters.id))) throw matchNotFound();
      return c.body(null, 204);
    },
  );

async function newMatch(c: ApiContext, user: User, { match, isNew }: RequestedImport): Promise<Response> {
  const detail = await matchDetail(c.get("services"), user, match.id, { includePlayers: false });
  if (!detail) throw matchNotFound();
  return c.json(detail, isNew ? 201 : 200);
}
