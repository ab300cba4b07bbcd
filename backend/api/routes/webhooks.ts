import { apiRoutes } from "../../../contract/api-routes.ts";
import {
  addWebhook,
  deliverAgain,
  removeWebhook,
  saveDiscord,
  testWebhook,
  webhookNotFound,
  webhooksOf,
} from "../../webhooks/webhook-settings.ts";
import { implementRoutes } from "../implement-routes.ts";

/** A player's webhooks. */
export const webhookRoutes = implementRoutes(apiRoutes.webhooks, {
  list: async (c, { user, reply }) => reply(200, await webhooksOf(c.get("services"), user.id)),

  saveDiscord: async (c, { user, body, reply }) => {
    await saveDiscord(c.get("services"), user.id, body.url);
    return reply(200, await webhooksOf(c.get("services"), user.id));
  },

  add: async (c, { user, body, reply }) => reply(201, await addWebhook(c.get("services"), user.id, body)),

  remove: async (c, { user, parameters }) => {
    if (!(await removeWebhook(c.get("services"), user.id, parameters.id))) throw webhookNotFound();
    return c.body(null, 204);
  },

  test: async (c, { user, parameters, reply }) =>
    reply(200, await testWebhook(c.get("services"), user.id, parameters.id)),

  again: async (c, { user, parameters }) => {
    await deliverAgain(c.get("services"), user.id, parameters.id);
    return c.body(null, 204);
  },
});
