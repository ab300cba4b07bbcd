import { z } from "zod";
import { describeRoute } from "../api-route.ts";
import { limits } from "../limits.ts";
import { foundHighlightsSchema, highlightFilterSchema } from "../schemas/found-highlights.ts";
import { textLimits } from "../text-limits.ts";
import { timeZoneNamed } from "../time-zone.ts";
import { pageOf } from "./parameters.ts";

export const highlights = {
  own: describeRoute({
    method: "get",
    path: "/api/highlights/",
    summary: "Highlights of all own matches, the best first",
    tag: "Matches",
    access: "signed-in",
    description: "Days begin at midnight in `time_zone`, an IANA name such as `America/New_York`; in UTC without one.",
    query: pageOf(limits.highlightsPerPage, 100)
      .extend(highlightFilterSchema.shape)
      .extend({
        time_zone: z
          .string()
          .max(textLimits.queryValue)
          .refine(
            (name) => timeZoneNamed(name) !== null,
            "There is no such time zone: an IANA name is wanted, such as America/New_York.",
          )
          .optional(),
      }),
    answers: { 200: { description: "A page of highlights", schema: foundHighlightsSchema } },
  }),
};
