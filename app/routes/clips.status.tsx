import type { LoaderFunctionArgs } from "@remix-run/node";
import { ApiFailure } from "../api/api-failure.ts";
import { api } from "../api/client.server.ts";
import { type ClipSummary, summariseClip } from "../clip-summary.ts";

const most = 10;

/** What pages with unfinished clips poll: `?id=` for each. A clip whose status could not be had is left out. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const client = api(request, context);
  const ids = new URL(request.url).searchParams.getAll("id").map(Number).filter(Number.isSafeInteger).slice(0, most);
  const clips = await Promise.all(
    ids.map(async (id): Promise<ClipSummary[]> => {
      try {
        return [summariseClip(await client.clips.status(id))];
      } catch (error) {
        if (!(error instanceof ApiFailure)) throw error;
        if (error.status === 503) throw new Response(null, { status: 503 });
        console.warn(error.message);
        return [];
      }
    }),
  );
  return Response.json({ clips: clips.flat() }, { headers: { "Cache-Control": "no-store" } });
}
