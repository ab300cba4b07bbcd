import { html } from "hono/html";

/**
 * The answer to a page request that is refused before rendering: a page without scripts, or `{error: sentence}` for a script that asks for
 * JSON, as page actions answer it.
 */
export function refusalPage(request: Request, status: number, sentence: string, headers: HeadersInit = {}): Response {
  const given = new Headers(headers);
  given.set("Cache-Control", "no-store");
  if (request.headers.get("accept")?.includes("application/json")) {
    given.set("Content-Type", "application/json");
    return new Response(JSON.stringify({ error: sentence }), { status, headers: given });
  }
  given.set("Content-Type", "text/html; charset=utf-8");
  given.set("Content-Security-Policy", refusalPolicy);
  return new Response(String(page(sentence)), { status, headers: given });
}

const refusalPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; base-uri 'none'";

const page = (sentence: string) => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="dark">
<link rel="icon" href="data:,">
<title>Clutchcast</title>
<style>
html{background:#070a11;color:#eef3fb;color-scheme:dark;font:100%/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
body{margin:0;min-height:100vh;min-height:100dvh;display:grid;place-items:center;padding:1.5rem;box-sizing:border-box}
main{max-width:32rem}
h1{margin:0 0 1rem;font-size:1.4rem;line-height:1.3}
a{color:#5db2ff}
</style>
</head>
<body>
<main>
<h1>${sentence}</h1>
<a href="/">Back to Home</a>
</main>
</body>
</html>`;
