import { z } from "zod";
import { describeRoute } from "../api-route.ts";
import { accessTokensSchema, createTokenSchema, newAccessTokenSchema } from "../schemas/tokens.ts";
import { rowId } from "./parameters.ts";

/** A player's tokens for scripts: made and revoked on the settings page, by nobody who has only such a token. */
export const tokens = {
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
