import type { LoaderFunctionArgs } from "@remix-run/node";
import { api } from "../api/client.server.ts";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const site = await api(request, context).site.details();
  if (site.members_only) return robots("User-agent: *\nDisallow: /\n");
  return robots(`User-agent: *
Disallow: /matches
Disallow: /my-matches
Disallow: /match/
Disallow: /login
Disallow: /api/
Allow: /

Sitemap: ${site.public_url}/sitemap.xml
`);
}

function robots(text: string): Response {
  return new Response(text, {
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "public, max-age=3600" },
  });
}
