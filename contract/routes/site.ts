import { z } from "zod";
import { describeRoute } from "../api-route.ts";
import { siteSchema } from "../schemas/site.ts";

export const site = {
  details: describeRoute({
    method: "get",
    path: "/api/site/",
    summary: "The operator's details and how long things are kept",
    tag: "Site",
    access: "public",
    forVisitors: true,
    answers: { 200: { description: "The installation", schema: siteSchema } },
  }),
};

export const docs = {
  openApi: describeRoute({
    method: "get",
    path: "/api/openapi.json",
    summary: "The OpenAPI document",
    tag: "Site",
    access: "public",
    answers: {
      200: {
        description: "OpenAPI 3.1",
        contentType: "application/json",
        fileSchema: z.looseObject({ openapi: z.literal("3.1.0"), paths: z.looseObject({}) }),
      },
    },
  }),
  page: describeRoute({
    method: "get",
    path: "/api/docs/",
    summary: "The calls of the API as a page",
    tag: "Site",
    access: "public",
    answers: { 200: { description: "A page", contentType: "text/html" } },
  }),
  guide: describeRoute({
    method: "get",
    path: "/api/docs/guide/",
    summary: "How scripts call, step by step",
    tag: "Site",
    access: "public",
    answers: { 200: { description: "A page", contentType: "text/html" } },
  }),
};
