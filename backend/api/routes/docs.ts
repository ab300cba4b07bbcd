import { z } from "zod";
import { sessionCookieName } from "../../http/cookie-names.ts";
import { ApiRouter, type Route } from "../api-router.ts";
import { docsPage, docsPagePolicy } from "../docs-page.ts";
import { openApiDocument } from "../openapi.ts";

/** The API's own description. @param documented every route it shows */
export function docsRoutes(documented: readonly Route[]): ApiRouter {
  // Made with the first request: it takes longer than most requests, and never changes.
  let document: string | null = null;
  return new ApiRouter()
    .add(
      {
        method: "get",
        path: "/api/openapi.json",
        summary: "The OpenAPI document",
        tag: "Site",
        access: "public",
        answers: { 200: { description: "OpenAPI 3.1", schema: z.record(z.string(), z.unknown()) } },
      },
      (c) => {
        const { config } = c.get("services");
        c.header("Cache-Control", "public, max-age=300");
        document ??= JSON.stringify(openApiDocument(documented, config.publicUrl, sessionCookieName(config)));
        return c.body(document, 200, { "Content-Type": "application/json" });
      },
    )
    .add(
      {
        method: "get",
        path: "/api/docs/",
        summary: "The calls of the API as a page",
        tag: "Site",
        access: "public",
        answers: { 200: { description: "A page", contentType: "text/html" } },
      },
      (c) => {
        c.header("Content-Security-Policy", docsPagePolicy);
        return c.html(docsPage(documented));
      },
    );
}
