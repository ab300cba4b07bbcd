import { describeRoute } from "../api-route.ts";
import { automationSchema, saveAutomationSchema } from "../schemas/automation.ts";
import { ofClip } from "./parameters.ts";

/** Clips that are made for a player without a press. */
export const automation = {
  state: describeRoute({
    method: "get",
    path: "/api/automation/",
    summary: "Which clips are made for the player by themselves, and how that is going",
    tag: "Automatic clips",
    access: "signed-in",
    answers: { 200: { description: "The choice, off until it is saved, and the state", schema: automationSchema } },
  }),
  save: describeRoute({
    method: "post",
    path: "/api/automation/",
    summary: "Switch automatic clips on, or change which are made",
    description:
      "New matches of the player's history are imported, and clips of them made, from now on, within the same limits as by hand.",
    tag: "Automatic clips",
    access: "signed-in",
    body: saveAutomationSchema,
    answers: { 200: { description: "On", schema: automationSchema } },
    errors: { 409: [{ description: "This server has no history provider", code: "no_history_provider" }] },
  }),
  stop: describeRoute({
    method: "delete",
    path: "/api/automation/",
    summary: "Switch automatic clips off",
    description: "What is in the queue already is finished.",
    tag: "Automatic clips",
    access: "signed-in",
    answers: { 204: { description: "Off" } },
  }),
  keepClip: describeRoute({
    method: "post",
    path: "/api/matches/clips/:id/keep/",
    summary: "Keep a clip that was made by itself: the mark goes",
    tag: "Automatic clips",
    access: "signed-in",
    ...ofClip,
    onFullDisk: true,
    answers: { 204: { description: "Kept" } },
  }),
};
