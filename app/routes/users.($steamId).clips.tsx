import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { data } from "@remix-run/node";
import type { ClientLoaderFunctionArgs } from "@remix-run/react";
import { useLoaderData } from "@remix-run/react";
import { limits } from "../../contract/limits.ts";
import { api } from "../api/client.server.ts";
import { pageFailure } from "../api/page-failure.server.ts";
import { clipsPage, offsetFromQuery } from "../clips/clip-groups.ts";
import { ClipsOverview } from "../clips/clips-overview.tsx";
import { isFurtherPart, partOrNothing } from "../shell/asking/further-parts.ts";
import { BackButton } from "../shell/back-button.tsx";
import { pageMeta } from "../shell/page-meta.ts";
import { Avatar } from "../shell/pieces/avatar.tsx";
import { productName } from "../shell/product-name.ts";

export const meta: MetaFunction<typeof loader> = ({ data: loaded }) => {
  if (!loaded) return pageMeta({ title: `Clips - ${productName}`, noindex: true });
  return pageMeta({
    title: `${loaded.user.username}'s Clips - ${productName}`,
    description: `CS2 highlight clips by ${loaded.user.username}: ${loaded.page.stats.total_clips} clips, ${loaded.page.stats.total_views} views.`,
    url: loaded.address,
  });
};

export async function loader({ request, context, params }: LoaderFunctionArgs) {
  if (!params.steamId) throw new Response("No user specified", { status: 404 });
  const offset = offsetFromQuery(new URL(request.url).searchParams);
  const client = api(request, context);
  try {
    const [overview, site] = await Promise.all([
      client.clips.ofUser({
        parameters: { steam_id: params.steamId },
        query: { limit: limits.clipGroupsPerRequest, offset },
      }),
      client.siteDetails(),
    ]);
    const address = `${site.public_url}/users/${overview.user_info.steam_id}/clips`;
    return data({ page: clipsPage(overview, offset), user: overview.user_info, address });
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
  const { page, user } = useLoaderData<typeof loader>();
  return (
    <ClipsOverview
      key={`${user.steam_id} ${page.offset}`}
      page={page}
      isOwn={false}
      endMessage="You've reached the end of the clips"
      header={
        <header>
          <BackButton />
          <div className="mt-6 flex items-center gap-5">
            <Avatar url={user.avatar_url} className="size-20 text-3xl" />
            <div className="min-w-0">
              <h1 className="title-1 break-words">
                <bdi>{user.username}</bdi>'s Clips
              </h1>
              <p className="mt-1 text-fog">
                <bdi>{user.username}</bdi>
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
