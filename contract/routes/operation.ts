import { z } from "zod";
import { describeRoute } from "../api-route.ts";

const readinessSchema = z.object({
  status: z.enum(["ready", "not ready"]),
  checks: z.record(z.string(), z.enum(["ok", "failed"])),
});
export type Readiness = z.infer<typeof readinessSchema>;

/** For load balancers and monitoring. */
export const operation = {
  health: describeRoute({
    method: "get",
    path: "/healthz",
    summary: "Whether the process answers",
    tag: "Operation",
    access: "public",
    forVisitors: true,
    answers: { 200: { description: "It does", schema: z.object({ status: z.literal("ok") }) } },
  }),
  readiness: describeRoute({
    method: "get",
    path: "/readyz",
    summary: "Whether everything needed is there: database, storage, room on the disk, video encoder",
    tag: "Operation",
    access: "public",
    forVisitors: true,
    answers: {
      200: { description: "Ready", schema: readinessSchema },
      503: { description: "Not ready; `checks` says what is missing", schema: readinessSchema },
    },
  }),
  metrics: describeRoute({
    method: "get",
    path: "/metrics",
    summary: "Figures for Prometheus",
    description: "For loopback and private networks only, and never through a proxy that is not trusted.",
    tag: "Operation",
    access: "public",
    forVisitors: true,
    answers: { 200: { description: "Prometheus' text format", contentType: "text/plain" } },
    errors: { 404: [{ description: "Asked for from elsewhere", code: "not_found" }] },
  }),
};
