import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { data } from "@remix-run/node";
import { isRouteErrorResponse, useLoaderData } from "@remix-run/react";
import { isRenderActive } from "../../contract/statuses.ts";
import { api } from "../api/client.server.ts";
import { pageFailure } from "../api/page-failure.server.ts";
import { clipIdFromParams } from "../clips/clip-id-of-address.ts";
import { clipMeta } from "../clips/clip-meta.ts";
import { ClipPage } from "../clips/clip-page.tsx";
import { summariseWithVideos } from "../clips/clip-summary.ts";
import { pageMeta } from "../shell/page-meta.ts";
import { PageProblem } from "../shell/page-problem.tsx";

const refreshSeconds = 10;

export const meta: MetaFunction<typeof loader> = ({ data: loaded, error }) => {
  const isMissing = isRouteErrorResponse(error) && error.status === 404;
  if (error && !isMissing) return pageMeta({ title: "Failed to load clip", noindex: true });
  return clipMeta(loaded ?? null);
};

export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const client = api(request, context);
  const clipId = clipIdFromParams(params);
  try {
    const [detail, site] = await Promise.all([
      client.clips.detail({ parameters: { id: clipId } }),
      client.siteDetails(),
    ]);
    const isRunning = detail.formats.some(({ render_status: status }) => isRenderActive(status));
    return data(
      {
        clip: summariseWithVideos(detail),
        format: new URL(request.url).searchParams.get("format"),
        match: detail.match_info,
        sharing: detail.sharing,
        size: { width: detail.width, height: detail.height },
        highlights: detail.highlights.map(
          ({ id, highlight_type, display_name, player_name, round_number, reason }) => ({
            id,
            highlight_type,
            display_name,
            player_name,
            round_number,
            reason,
          }),
        ),
        publicUrl: site.public_url,
        refreshSeconds: isRunning ? refreshSeconds : null,
      },
      { headers: client.responseHeaders() },
    );
  } catch (error) {
    throw pageFailure(error, {
      fallback: "Failed to load clip",
      notFound: "The requested CS2 clip could not be found",
    });
  }
}

export default function ClipView() {
  const loaded = useLoaderData<typeof loader>();
  return <ClipPage key={loaded.clip.id} {...loaded} />;
}

export function ErrorBoundary() {
  return <PageProblem notFoundTitle="Clip Not Found" />;
}
