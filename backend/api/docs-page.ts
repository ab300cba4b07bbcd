import { html } from "hono/html";
import type { RouteDescription } from "../../contract/api-route.ts";
import { tokenScopeOf } from "../../contract/api-route.ts";
import { groupBy } from "../group-by.ts";
import { guideContent } from "./guide-page.ts";
import { describedRoutes } from "./openapi.ts";
import { joinDescriptions } from "./possible-errors.ts";

export const docsPagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** The API's calls for people to read: one page without scripts or anything from other servers. Types are in the OpenAPI document. */
export function docsPage() {
  const byTag = groupBy(describedRoutes, (route) => route.tag);
  return page(
    "API – Clutchcast",
    html`<h1>Clutchcast API</h1>
<p><a href="/api/docs/guide/">For script writers: from a token to a video, step by step</a></p>
<p>Types of all fields are in the <a href="/api/openapi.json">OpenAPI document</a>. Answers are JSON; times are ISO 8601 in UTC; SteamIDs are strings. The slash at the end of a path may be left out.</p>
<p>Scripts send an access token of the settings page as bearer token; each call says which scope it needs. Unsafe calls with the session cookie repeat the <code>XSRF-TOKEN</code> cookie in the <code>X-XSRF-TOKEN</code> header. Errors are <code>{"error": code, "detail": sentence}</code>, with a list of sentences for each field at fault.</p>
<nav aria-label="Areas"><ul>${[...byTag.keys()].map((tag) => html`<li><a href="#${anchor(tag)}">${tag}</a></li>`)}</ul></nav>
${[...byTag].map(([tag, ofTag]) => html`<section aria-labelledby="${anchor(tag)}"><h2 id="${anchor(tag)}">${tag}</h2>${ofTag.map(call)}</section>`)}`,
  );
}

/** The guide for script writers, docs/api.md. */
export function guidePage() {
  return page(
    "API for scripts – Clutchcast",
    html`<p><a href="/api/docs/">All calls</a> · <a href="/api/openapi.json">OpenAPI</a> · <a href="/settings/access">Access tokens</a></p>${guideContent()}`,
  );
}

function page(title: string, content: ReturnType<typeof html>) {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="dark">
<title>${title}</title>
<style>
*{box-sizing:border-box}
html{background:#070a11;color:#eef3fb;color-scheme:dark;font:100%/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
body{margin:0 auto;max-width:60rem;padding:2rem 1rem 4rem}
h1{font-size:2.2rem;line-height:1.1;margin:0 0 .5rem}
h2{margin:2.5rem 0 .75rem;font-size:1.3rem}
p{color:#a9b6cc;margin:.35rem 0}
a{color:#5db2ff}
code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.9rem;overflow-wrap:anywhere}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1rem;list-style:none;padding:0}
nav a{display:inline-block;padding:.6rem 0}
pre{overflow-x:auto;border:1px solid #223049;border-radius:12px;background:#101724;padding:.9rem 1.1rem;line-height:1.5}
pre code{overflow-wrap:normal;color:#d6e2f5}
li{color:#a9b6cc;margin:.35rem 0}
p code,li code{color:#d6e2f5}
strong{color:#eef3fb}
article{border:1px solid #223049;border-radius:12px;background:#101724;padding:.9rem 1.1rem;margin:0 0 .75rem}
article h3{margin:0;font-size:1rem;display:flex;flex-wrap:wrap;gap:.3rem .8rem;align-items:baseline}
.method{color:#ffb84d;font-weight:700}
.access{font-size:.85rem;font-weight:400;color:#a9b6cc}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.15rem .9rem;margin:.6rem 0 0;font-size:.9rem}
dt{color:#a9b6cc}
dd{margin:0;min-width:0}
:focus-visible{outline:3px solid #5db2ff;outline-offset:3px}
</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>`;
}

function call(route: RouteDescription) {
  const names = (shape: Record<string, unknown> | undefined) => Object.keys(shape ?? {}).join(", ");
  const body =
    route.body && "shape" in route.body ? names(route.body.shape as Record<string, unknown>) : route.rawBodyType;
  const rows: [string, string | undefined][] = [
    ["Query", names(route.query?.shape)],
    ["Body", body],
    ...Object.entries(route.answers).map(([status, answer]): [string, string] => [status, answer.description]),
    ...Object.entries(route.errors ?? {}).map(([status, error]): [string, string] => [
      status,
      typeof error === "string" ? error : joinDescriptions(error),
    ]),
  ];
  return html`<article>
<h3><span class="method">${route.method.toUpperCase()}</span> <code>${route.path}</code>${access(route)}</h3>
<p>${route.summary}.</p>
${route.description ? html`<p>${withCode(route.description)}</p>` : ""}
<dl>${rows.map(([name, text]) => (text ? html`<dt>${name}</dt><dd>${text}</dd>` : ""))}</dl>
</article>`;
}

function access(route: RouteDescription) {
  if (route.access !== "signed-in") return "";
  const scope = tokenScopeOf(route);
  return html` <span class="access">signed in, ${scope === "session" ? "no token" : html`or a token with <code>${scope}</code>`}</span>`;
}

/** Turns Markdown's backquotes into code; descriptions use no other Markdown. */
function withCode(text: string) {
  return text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
}

function anchor(tag: string): string {
  return tag.toLowerCase().replace(/\W+/g, "-");
}
