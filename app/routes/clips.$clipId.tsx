import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { data, redirect } from "@remix-run/node";
import { isRouteErrorResponse, useActionData, useLoaderData, useParams } from "@remix-run/react";
import { parseClipAddress } from "../../contract/clip-address.ts";
import { isRenderActive } from "../../contract/statuses.ts";
import { ApiFailure } from "../api/api-failure.ts";
import { api } from "../api/client.server.ts";
import { formOf } from "../api/form.server.ts";
import { formFailureStatus, pageFailure, sessionEnded } from "../api/page-failure.server.ts";
import { addFormatFailure, addFormatOf } from "../clips/add-format.server.ts";
import { clipAddressFromParams } from "../clips/clip-address-of-params.ts";
import { clipMeta } from "../clips/clip-meta.ts";
import { ClipPage } from "../clips/clip-page.tsx";
import { summariseWithVideos } from "../clips/clip-summary.ts";
import { smallClip } from "../clips/watch/related-clips.tsx";
import type { PageHandle } from "../shell/page-handle.ts";
import { pageMeta } from "../shell/page-meta.ts";
import { PageProblem } from "../shell/page-problem.tsx";

const refreshSeconds = 10;

export const handle: PageHandle = { wide: true, themeColor: "#ff5a67" };

export const meta: MetaFunction<typeof loader> = ({ data: loaded, error }) => {
  const isMissing = isRouteErrorResponse(error) && error.status === 404;
  if (error && !isMissing) return pageMeta({ title: "Failed to load clip", noindex: true });
  return clipMeta(loaded ?? null);
};

export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const client = api(request, context);
  const clipId = clipAddressFromParams(params);
  try {
    const [detail, related, site] = await Promise.all([
      client.clips.detail({ parameters: { id: clipId } }),
      // Of a clip that is not finished, or not there, there are none.
      client.clips.related({ parameters: { id: clipId } }).catch((error: unknown) => {
        if (error instanceof ApiFailure) return null;
        throw error;
      }),
      client.siteDetails(),
    ]);
    // What its owner copies from the address bar is to open for whoever it is sent to.
    if (detail.public_id !== clipId && detail.visibility === "unlisted") {
      throw redirect(`/clips/${detail.public_id}${new URL(request.url).search}`);
    }
    const isRunning = detail.formats.some(({ render_status: status }) => isRenderActive(status));
    return data(
      {
        clip: summariseWithVideos(detail),
        match: detail.match_info,
        sharing: detail.sharing,
        size: { width: detail.width, height: detail.height },
        highlights: detail.highlights.map(
          ({ id, highlight_type, display_name, player_name, player_steam_id, round_number, reason }) => ({
            id,
            highlight_type,
            display_name,
            player_name,
            player_steam_id,
            round_number,
            reason,
          }),
        ),
        ofMaker: related?.of_maker.map(smallClip) ?? [],
        ofMap: related?.of_map.map(smallClip) ?? [],
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

/** Adds a format to the clip, without JavaScript. */
export async function action({ request, context, params }: ActionFunctionArgs) {
  const client = api(request, context);
  const clipPath = `/clips/${clipAddressFromParams(params)}`;
  const form = await formOf(request);
  try {
    await addFormatOf(client, clipAddressFromParams(params), form);
    return redirect(clipPath, { headers: client.responseHeaders() });
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 401) throw sessionEnded(false, clipPath);
    if (!(error instanceof ApiFailure)) throw error;
    return data(
      { refusal: error.sentence ?? addFormatFailure },
      { status: formFailureStatus(form, error), headers: client.responseHeaders() },
    );
  }
}

export default function ClipView() {
  const loaded = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  return <ClipPage key={loaded.clip.id} {...loaded} refusal={answer?.refusal ?? null} />;
}

export function ErrorBoundary() {
  const { clipId = "" } = useParams();
  return <PageProblem notFoundTitle="Clip Not Found" coming={parseClipAddress(clipId) ? <Coming /> : null} />;
}

/** Whoever sends an address on before the video is there sends it to people who see this. */
function Coming() {
  return (
    <>
      <p className="text-fog">If it was made just now, this page opens it as soon as its video is ready.</p>
      <noscript>
        <meta httpEquiv="refresh" content={String(refreshSeconds)} />
      </noscript>
    </>
  );
}
