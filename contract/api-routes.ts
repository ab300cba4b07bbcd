/**
 * Every call of the API, described once: the API checks and answers by it (`backend/api/implement-routes.ts`), the pages'
 * client asks by it (`app/api/client.server.ts`), and the OpenAPI document is made of it. Decision 100.
 *
 * The bodies are described in `schemas/`. Pages import only types from there, so that no schema reaches a browser. Times are ISO
 * 8601 strings in UTC; SteamIDs are strings, since as JSON numbers they lose digits. Every text and list of a request has a
 * longest length: a test walks all schemas and finds those without.
 */
import { account, auth } from "./routes/accounts.ts";
import { automation } from "./routes/automation.ts";
import { clips } from "./routes/clips.ts";
import { feeds } from "./routes/feeds.ts";
import { highlights } from "./routes/highlights.ts";
import { matches } from "./routes/matches.ts";
import { media } from "./routes/media.ts";
import { operation } from "./routes/operation.ts";
import { operator } from "./routes/operator.ts";
import { docs, site } from "./routes/site.ts";
import { tokens } from "./routes/tokens.ts";
import { uploads } from "./routes/uploads.ts";
import { webhooks } from "./routes/webhooks.ts";

export const apiRoutes = {
  auth,
  account,
  tokens,
  automation,
  webhooks,
  matches,
  uploads,
  highlights,
  clips,
  media,
  feeds,
  site,
  operator,
  docs,
  operation,
};
