import { z } from "zod";
import { describeRoute, type RouteError } from "../api-route.ts";
import {
  addWebhookSchema,
  newWebhookSchema,
  saveDiscordSchema,
  webhookListSchema,
  webhookOutcomeSchema,
} from "../schemas/webhooks.ts";
import { rowId } from "./parameters.ts";

const webhookParameters = z.object({ id: rowId });

const pressedOften: readonly RouteError[] = [
  { description: "Tests and repetitions of a minute are used up", code: "rate_limited" },
];

/** Where a player is told of what is ready. */
export const webhooks = {
  list: describeRoute({
    method: "get",
    path: "/api/webhooks/",
    summary: "Own webhooks, and what became of the newest messages",
    tag: "Webhooks",
    access: "signed-in",
    answers: { 200: { description: "Webhooks and deliveries", schema: webhookListSchema } },
  }),
  saveDiscord: describeRoute({
    method: "post",
    path: "/api/webhooks/discord/",
    summary: "Have ready clips shown in a channel of Discord",
    description: "In place of the channel before, if there was one.",
    tag: "Webhooks",
    access: "signed-in",
    body: saveDiscordSchema,
    answers: { 200: { description: "All webhooks", schema: webhookListSchema } },
  }),
  add: describeRoute({
    method: "post",
    path: "/api/webhooks/",
    summary: "Have signed messages sent to a script",
    description:
      "Five at most. Messages are signed as the Standard Webhooks specification has it, with the secret of the answer, and sent at least once: up to eight tries over a day.",
    tag: "Webhooks",
    access: "signed-in",
    body: addWebhookSchema,
    answers: { 201: { description: "The webhook, with its secret this once", schema: newWebhookSchema } },
    errors: { 409: [{ description: "There are as many as there may be", code: "webhook_limit" }] },
  }),
  remove: describeRoute({
    method: "delete",
    path: "/api/webhooks/:id/",
    summary: "Delete an own webhook with its messages",
    tag: "Webhooks",
    access: "signed-in",
    parameters: webhookParameters,
    answers: { 204: { description: "Deleted" } },
  }),
  test: describeRoute({
    method: "post",
    path: "/api/webhooks/:id/test/",
    summary: "Send a test message to an own webhook, and wait for what comes of it",
    tag: "Webhooks",
    access: "signed-in",
    parameters: webhookParameters,
    answers: { 200: { description: "What came of it", schema: webhookOutcomeSchema } },
    errors: { 429: pressedOften },
  }),
  again: describeRoute({
    method: "post",
    path: "/api/webhooks/deliveries/:id/again/",
    summary: "Send a message of the log once more",
    tag: "Webhooks",
    access: "signed-in",
    parameters: webhookParameters,
    answers: { 204: { description: "It is sent in a moment, with the same id" } },
    errors: {
      400: [{ description: "Its webhook is off, or what it tells of is gone", code: "invalid" }],
      429: pressedOften,
    },
  }),
};
