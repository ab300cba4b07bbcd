import { z } from "zod";
import { describeRoute } from "../api-route.ts";

const atom = {
  200: { description: "An Atom feed", contentType: "application/atom+xml" },
  304: { description: "Not changed" },
} as const;

/** What feed readers, bots and other sites follow. */
export const feeds = {
  newest: describeRoute({
    method: "get",
    path: "/api/feeds/newest.atom",
    summary: "The newest clips as an Atom feed",
    tag: "Clips",
    access: "public",
    answers: atom,
  }),
  ofUser: describeRoute({
    method: "get",
    path: "/api/feeds/users/:steam_id/clips.atom",
    summary: "The newest clips of a user as an Atom feed",
    tag: "Clips",
    access: "public",
    parameters: z.object({
      steam_id: z
        .string()
        .max(17)
        .regex(/^\d{17}$/),
    }),
    answers: atom,
  }),
};
