import { apiRoutes } from "../../../contract/api-routes.ts";
import { automationOf, saveAutomation, stopAutomation } from "../../automation/automation-settings.ts";
import { keepMadeClip } from "../../clips/keep-made-clip.ts";
import { implementRoutes } from "../implement-routes.ts";
import { clipNotFound } from "./one-clip.ts";

/** Clips that are made automatically for a player. */
export const automationRoutes = implementRoutes(apiRoutes.automation, {
  state: async (c, { user, reply }) => reply(200, await automationOf(c.get("services"), user.id)),

  save: async (c, { user, body, reply }) => {
    const services = c.get("services");
    await saveAutomation(services, user.id, body);
    return reply(200, await automationOf(services, user.id));
  },

  stop: async (c, { user }) => {
    await stopAutomation(c.get("services"), user.id);
    return c.body(null, 204);
  },

  keepClip: async (c, { user, parameters }) => {
    if (!(await keepMadeClip(c.get("services"), user.id, parameters.id))) throw clipNotFound();
    return c.body(null, 204);
  },
});
