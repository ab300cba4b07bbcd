import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { data } from "@remix-run/node";
import type { ClientLoaderFunctionArgs } from "@remix-run/react";
import { Link, useLoaderData } from "@remix-run/react";
import { limits } from "../../contract/limits.ts";
import { isRenderActive } from "../../contract/statuses.ts";
import { api } from "../api/client.server.ts";
import { pageFailure } from "../api/page-failure.server.ts";
import { clipsPage } from "../clips/clip-groups.ts";
import { ClipsOverview } from "../clips/clips-overview.tsx";
import { clipFilterOf } from "../clips/filters/clip-filter.ts";
import { mapOptions } from "../clips/filters/map-options.server.ts";
import { offsetFromQuery } from "../clips/offset-from-query.ts";
import { isFurtherPart, partOrNothing } from "../shell/asking/further-parts.ts";
import { pageMeta } from "../shell/page-meta.ts";
import { Icon } from "../shell/pieces/icon.tsx";
import { latePart, nothing } from "../shell/pieces/late-part.tsx";
import { productName } from "../shell/product-name.ts";

const PauseRefreshing = latePart(() => import("../shell/on-demand/pause-refreshing.tsx"), nothing);

const refreshSeconds = 10;

export const meta: MetaFunction = () => pageMeta({ title: `My Clips - ${productName}`, noindex: true });

export async function loader({ request, context }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams;
  const offset = offsetFromQuery(query);
  const filter = clipFilterOf(query);
  const client = api(request, context);
  try {
    const asked = { limit: limits.clipGroupsPerRequest, offset, ...filter };
    const page = clipsPage(await client.clips.own({ query: asked }), offset);
    const isRunning = page.groups.some(({ clips }) => clips.some((clip) => isRenderActive(clip.render_status)));
    return data(
      { page, filter, maps: mapOptions(filter.map), refreshSeconds: isRunning ? refreshSeconds : null },
      { headers: client.responseHeaders() },
    );
  } catch (error) {
    throw pageFailure(error, { fallback: "Failed to load clips", signedOut: request });
  }
}

/** A further part that cannot be had, for want of a network or of a session, must not take away what is shown. */
export async function clientLoader({ request, serverLoader }: ClientLoaderFunctionArgs) {
  const ask = () => serverLoader<typeof loader>();
  return isFurtherPart(request) ? partOrNothing(ask) : ask();
}

export default function MyClips() {
  const { page, filter, maps, refreshSeconds: isRunning } = useLoaderData<typeof loader>();
  return (
    <ClipsOverview
      filter={filter}
      maps={maps}
      page={page}
      isOwn
      endMessage="You've reached the end of your clips"
      header={
        <header className="flex flex-wrap items-end justify-between gap-4">
          <div>
            <h1 className="title-1">My Clips</h1>
            <p className="mt-2 text-fog sm:text-lg">All your highlight clips organized by match</p>
            {isRunning ? (
              <noscript>
                <PauseRefreshing toDo="choose filters" />
              </noscript>
            ) : null}
          </div>
          {page.stats.total_clips >= limits.partsOfCompilation.min ? (
            <Link to="/clips/compile" className="btn btn-quiet">
              Make a compilation
            </Link>
          ) : null}
        </header>
      }
      empty={
        <div className="mt-8 grid justify-items-center gap-4 rounded-2xl border border-dashed border-line-2 px-6 py-14 text-center">
          <Icon name="clips" className="size-12 text-line-2" />
          <h2 className="title-2">No clips yet</h2>
          <p className="max-w-md text-fog">
            Create your first clip by selecting highlights from a match and clicking "Create Clip".
          </p>
          <Link to="/matches" className="btn btn-primary">
            Browse Matches
          </Link>
        </div>
      }
    />
  );
}

export { PageProblem as ErrorBoundary } from "../shell/page-problem.tsx";
