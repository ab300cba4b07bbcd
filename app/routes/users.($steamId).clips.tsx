import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { data } from "@remix-run/node";
import type { ClientLoaderFunctionArgs } from "@remix-run/react";
import { Link, useLoaderData } from "@remix-run/react";
import { limits } from "../../contract/limits.ts";
import { api } from "../api/client.server.ts";
import { pageFailure } from "../api/page-failure.server.ts";
import { clipsPage } from "../clips/clip-groups.ts";
import { ClipsOverview } from "../clips/clips-overview.tsx";
import { clipFilterOf } from "../clips/filters/clip-filter.ts";
import { mapOptions } from "../clips/filters/map-options.server.ts";
import { offsetFromQuery } from "../clips/offset-from-query.ts";
import { isFurtherPart, partOrNothing } from "../shell/asking/further-parts.ts";
import { BackButton } from "../shell/back-button.tsx";
import { pageMeta } from "../shell/page-meta.ts";
import { Avatar } from "../shell/pieces/avatar.tsx";
import { productName } from "../shell/product-name.ts";

const feedOf = (steamId: string) => `/api/feeds/users/${steamId}/clips.atom`;

export const meta: MetaFunction<typeof loader> = ({ data: loaded }) => {
  if (!loaded) return pageMeta({ title: `Clips - ${productName}`, noindex: true });
  return pageMeta({
    title: `${loaded.user.username || "This user"}'s Clips - ${productName}`,
    description: `CS2 highlight clips by ${loaded.user.username || "this user"}: ${loaded.page.stats.total_clips} clips, ${loaded.page.stats.total_views} views.`,
    url: loaded.address,
    feed: feedOf(loaded.user.steam_id),
    // Every Steam ID has such a page: those without a clip are none to find.
    noindex: loaded.page.stats.total_clips === 0,
  });
};

export async function loader({ request, context, params }: LoaderFunctionArgs) {
  if (!params.steamId) throw new Response("No user specified", { status: 404 });
  const query = new URL(request.url).searchParams;
  const offset = offsetFromQuery(query);
  const filter = clipFilterOf(query);
  const client = api(request, context);
  try {
    const [overview, site] = await Promise.all([
      client.clips.ofUser({
        parameters: { steam_id: params.steamId },
        query: { limit: limits.clipGroupsPerRequest, offset, ...filter },
      }),
      client.siteDetails(),
    ]);
    const address = `${site.public_url}/users/${overview.user_info.steam_id}/clips`;
    return data({
      page: clipsPage(overview, offset),
      filter,
      maps: mapOptions(filter.map),
      user: overview.user_info,
      address,
    });
  } catch (error) {
    throw pageFailure(error, { fallback: "Failed to load clips" });
  }
}

/** A further part that cannot be had, for want of a network or of a session, must not take away what is shown. */
export async function clientLoader({ request, serverLoader }: ClientLoaderFunctionArgs) {
  const ask = () => serverLoader<typeof loader>();
  return isFurtherPart(request) ? partOrNothing(ask) : ask();
}

export default function UserClips() {
  const { page, filter, maps, user } = useLoaderData<typeof loader>();
  return (
    <ClipsOverview
      key={user.steam_id}
      filter={filter}
      maps={maps}
      page={page}
      isOwn={false}
      endMessage="You've reached the end of the clips"
      header={
        <header>
          <BackButton />
          <div className="mt-6 flex items-center gap-5">
            <Avatar url={user.avatar_url} of={user.steam_id} className="size-20 text-3xl" />
            <div className="min-w-0">
              <h1 className="title-1 break-words">
                <bdi>{user.username || "This user"}</bdi>'s Clips
              </h1>
              <p className="mt-1 wrap-anywhere text-fog">
                <bdi>{user.username || user.steam_id}</bdi>
              </p>
              <p className="flex flex-wrap gap-x-5 text-sm text-fog">
                <Link
                  to={`/?player=${user.steam_id}#top-highlights`}
                  className="link inline-flex min-h-11 items-center"
                >
                  Clips in which this player is seen
                </Link>
                <a href={feedOf(user.steam_id)} className="link inline-flex min-h-11 items-center">
                  Feed (Atom)
                </a>
              </p>
            </div>
          </div>
        </header>
      }
      empty={
        <p className="mt-8 rounded-2xl border border-dashed border-line-2 px-6 py-14 text-center text-lg text-fog">
          <bdi>{user.username || "This user"}</bdi> hasn't created any clips yet.
        </p>
      }
    />
  );
}

export { PageProblem as ErrorBoundary } from "../shell/page-problem.tsx";
