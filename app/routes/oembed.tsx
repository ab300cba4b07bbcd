import type { LoaderFunctionArgs } from "@remix-run/node";
import { ApiFailure } from "../api/api-failure.ts";
import { api } from "../api/client.server.ts";
import { previewPicture } from "../clips/preview-picture.ts";
import { productName } from "../shell/product-name.ts";

/** oEmbed (https://oembed.com) for clip pages: `?url=…/clips/12&format=json`, with `maxwidth` and `maxheight`. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams;
  if ((query.get("format") ?? "json") !== "json") return new Response("Only JSON is offered.", { status: 501 });
  const client = api(request, context);
  try {
    const site = await client.siteDetails();
    const wanted = query.get("url") ?? "";
    const path = URL.canParse(wanted) ? new URL(wanted) : null;
    const clipId =
      path?.host === new URL(site.public_url).host ? /^\/clips\/([\w-]{1,48})\/?$/.exec(path.pathname)?.[1] : null;
    if (!clipId) return new Response("There is no clip at this address.", { status: 404 });
    const clip = await client.clips.detail({ parameters: { id: clipId } });
    const scale = Math.min(1, limitOf(query, "maxwidth") / clip.width, limitOf(query, "maxheight") / clip.height);
    const [width, height] = [Math.round(clip.width * scale), Math.round(clip.height * scale)];
    const picture = previewPicture(clip, clip);
    const isForAll = clip.visibility === "public" && clip.render_status === "completed";
    const embed = `${site.public_url}/clips/${clip.public_id}/embed`;
    return Response.json(
      {
        version: "1.0",
        type: "video",
        provider_name: productName,
        provider_url: site.public_url,
        title: clip.sharing.title,
        author_name: clip.user.username,
        author_url: `${site.public_url}/users/${clip.user.steam_id}/clips`,
        ...(picture
          ? {
              thumbnail_url: new URL(picture.url, site.public_url).href,
              thumbnail_width: picture.width,
              thumbnail_height: picture.height,
            }
          : {}),
        html: `<iframe src="${embed}" width="${width}" height="${height}" frameborder="0" allow="fullscreen" allowfullscreen></iframe>`,
        width,
        height,
      },
      {
        headers: {
          // The address of an unlisted clip may end at any time, and one without its video is there for its owner alone: nobody answers
          // for them with what they kept.
          "Cache-Control": isForAll ? "public, max-age=300" : "private, no-store",
          "Access-Control-Allow-Origin": "*",
        },
      },
    );
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    return new Response("There is no clip at this address.", { status: error.status === 404 ? 404 : 502 });
  }
}

function limitOf(query: URLSearchParams, name: string): number {
  const value = Number(query.get(name));
  return Number.isFinite(value) && value >= 1 ? value : Number.POSITIVE_INFINITY;
}
