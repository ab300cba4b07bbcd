import { apiRoutes } from "../../../contract/api-routes.ts";
import { createToken, listTokens, revokeToken } from "../../accounts/tokens.ts";
import { ApiError } from "../api-error.ts";
import { implementRoutes } from "../implement-routes.ts";

/** A player's tokens for scripts. */
export const tokenRoutes = implementRoutes(apiRoutes.tokens, {
  list: async (c, { user, reply }) => reply(200, { results: await listTokens(c.get("services"), user.id) }),

  create: async (c, { user, body, reply }) => reply(201, await createToken(c.get("services"), user.id, body)),

  revoke: async (c, { user, parameters }) => {
    const isRevoked = await revokeToken(c.get("services"), user.id, parameters.id);
    if (!isRevoked) throw ApiError.notFound("This token is revoked already");
    return c.body(null, 204);
  },
});
