import { z } from "zod";
import { describeRoute } from "../api-route.ts";
import { failurePageSchema, operatorOverviewSchema, requeueCauseSchema, requeuedSchema } from "../schemas/operator.ts";
import { pageOf } from "./parameters.ts";

/** For the accounts of OPERATOR_STEAM_IDS; everybody else is answered as at an address that no call has. */
export const operator = {
  overview: describeRoute({
    method: "get",
    path: "/api/operator/",
    summary: "How the installation stands: queue, processes, storage, backup, versions",
    tag: "Operator",
    access: "operator",
    answers: { 200: { description: "The installation", schema: operatorOverviewSchema } },
  }),
  failures: describeRoute({
    method: "get",
    path: "/api/operator/failures/",
    summary: "Jobs that failed for good, the newest first",
    tag: "Operator",
    access: "operator",
    query: pageOf(20, 100),
    answers: { 200: { description: "A page of failures, and what most failed of", schema: failurePageSchema } },
  }),
  retryFailure: describeRoute({
    method: "post",
    path: "/api/operator/failures/:id/retry/",
    summary: "Let a failed job run again",
    tag: "Operator",
    access: "operator",
    parameters: z.object({ id: z.uuid().max(36) }),
    answers: { 200: { description: "It is back in the queue", schema: requeuedSchema } },
    errors: {
      409: [
        {
          description: "What it works on is gone, done or under way, or its player has no place in the queue",
          code: "not_failed",
        },
      ],
    },
  }),
  retryCause: describeRoute({
    method: "post",
    path: "/api/operator/failures/retry-cause/",
    summary: "Let the jobs run again that failed of one cause",
    description: "A hundred at a time, those first that failed first.",
    tag: "Operator",
    access: "operator",
    body: requeueCauseSchema,
    answers: { 200: { description: "How many are back in the queue", schema: requeuedSchema } },
  }),
};
