import type { LoaderFunctionArgs } from "@remix-run/node";
import { ApiFailure } from "../api/api-failure.ts";
import { api } from "../api/client.server.ts";
import { clipFilterOf } from "../clips/filters/clip-filter.ts";
import { carouselClip } from "../home/carousel-clip.ts";
import { topListOrder } from "../home/carousels.ts";
import type { AllTopClips } from "../home/use-all-clips.ts";

/** Every clip of Home's carousels, for whoever turns one: the page comes with one of each. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const client = api(request, context);
  const filter = clipFilterOf(new URL(request.url).searchParams);
  try {
    const top = await client.clips.top({ query: { ...filter, public_view: "true" } });
    const all: AllTopClips = { lists: topListOrder.map(({ name }) => top[name].map(carouselClip)) };
    return Response.json(all, { headers: { "Cache-Control": "no-store" } });
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    throw new Response(null, { status: error.status });
  }
}
