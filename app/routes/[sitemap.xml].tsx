import type { LoaderFunctionArgs } from "@remix-run/node";
import { api } from "../api/client.server.ts";

/** Start page, definitions, and the clips of the top lists with their makers' pages. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const client = api(request, context);
  const [site, top] = await Promise.all([client.siteDetails(), client.clips.top()]);
  const clips = Object.values(top).flat();
  const paths = new Set([
    "/",
    "/highlights/about",
    ...clips.map((clip) => `/clips/${clip.id}`),
    ...clips.map((clip) => `/users/${clip.user.steam_id}/clips`),
  ]);
  const urls = [...paths].map((path) => `  <url><loc>${site.public_url}${path}</loc></url>`);
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join("\n")}
</urlset>
`;
  return new Response(text, {
    headers: { "Content-Type": "application/xml; charset=utf-8", "Cache-Control": "public, max-age=3600" },
  });
}
