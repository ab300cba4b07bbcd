import { apiRoutes } from "../../../contract/api-routes.ts";
import { ownHighlights } from "../../library/own-highlights.ts";
import { implementRoutes } from "../implement-routes.ts";

/** Highlights across matches; those of one match are part of its own call. */
export const highlightRoutes = implementRoutes(apiRoutes.highlights, {
  own: async (c, { user, query, reply }) =>
    reply(200, await ownHighlights(c.get("services"), user, { ...query, path: apiRoutes.highlights.own.path })),
});
