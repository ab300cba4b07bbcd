import type { LoaderFunctionArgs } from "@remix-run/node";
import { ApiFailure } from "../api/api-failure.ts";
import { type Api, api } from "../api/client.server.ts";
import { logFailure } from "../api/page-failure.server.ts";
import { type ClipWithVideos, summariseWithVideos } from "../clips/clip-summary.ts";

const max = 10;

/**
 * What pages with unfinished clips poll: `?id=` for each. A clip whose status could not be had is left out. 401 when that was
 * so for want of a session.
 */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const client = api(request, context);
  const ids = new URL(request.url).searchParams.getAll("id").map(Number).filter(Number.isSafeInteger).slice(0, max);
  let isRefused = false;
  const found = await Promise.all(
    ids.map(async (id): Promise<ClipWithVideos[]> => {
      try {
        return [summariseWithVideos(await client.clips.status({ parameters: { id } }))];
      } catch (error) {
        if (!(error instanceof ApiFailure)) throw error;
        if (error.status === 503) throw new Response(null, { status: 503 });
        console.warn(error.message);
        isRefused ||= error.status === 401 || error.status === 404;
        return [];
      }
    }),
  );
  const clips = found.flat();
  const isSignedOut = isRefused && (await isNobody(client));
  return Response.json({ clips }, { status: isSignedOut ? 401 : 200, headers: { "Cache-Control": "no-store" } });
}

/** True when the API says so; while it is away nothing is known. */
async function isNobody(client: Api): Promise<boolean> {
  try {
    return !(await client.authStatus()).authenticated;
  } catch (error) {
    logFailure("Session:", error);
    return false;
  }
}
