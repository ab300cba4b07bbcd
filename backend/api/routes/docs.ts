import { apiRoutes } from "../../../contract/api-routes.ts";
import { sessionCookieName } from "../../http/cookie-names.ts";
import { docsPage, docsPagePolicy, guidePage } from "../docs-page.ts";
import { implementRoutes } from "../implement-routes.ts";
import { openApiDocument } from "../openapi.ts";

// Built by the first request: it takes longer than most requests, and never changes.
let document: { of: string; json: string } | null = null;

/** The API's own description. */
export const docsRoutes = implementRoutes(apiRoutes.docs, {
  openApi: (c) => {
    const { config } = c.get("services");
    const of = `${config.publicUrl} ${sessionCookieName(config)}`;
    if (document?.of !== of) {
      document = { of, json: JSON.stringify(openApiDocument(config.publicUrl, sessionCookieName(config))) };
    }
    c.header("Cache-Control", "public, max-age=300");
    return c.body(document.json, 200, { "Content-Type": "application/json" });
  },

  page: (c) => {
    c.header("Content-Security-Policy", docsPagePolicy);
    return c.html(docsPage());
  },

  guide: (c) => {
    c.header("Content-Security-Policy", docsPagePolicy);
    return c.html(guidePage());
  },
});
