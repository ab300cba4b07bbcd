import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { data } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { api } from "../api/client.server.ts";
import { pageFailure } from "../api/page-failure.server.ts";
import { ReplayPage } from "../replay/replay-page.tsx";
import { pageMeta } from "../shell/page-meta.ts";
import { PageProblem } from "../shell/page-problem.tsx";

export const meta: MetaFunction<typeof loader> = ({ data: loaded }) =>
  pageMeta({ title: loaded ? `${loaded.mapName} Replay` : "Replay", noindex: true });

export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const client = api(request, context);
  const matchId = params.matchId ?? "";
  try {
    const [match, rounds] = await Promise.all([
      client.matches.detail({ parameters: { id: matchId } }),
      client.matches.rounds({ parameters: { id: matchId } }),
    ]);
    return data(
      {
        matchPath: `/matches/${encodeURIComponent(match.match_id)}`,
        matchId: match.match_id,
        mapName: match.map_display_name,
        picturesUrl: match.pictures_url,
        rounds,
        highlights: match.highlights.map(
          ({ id, highlight_type, display_name, player_name, round_number, start_tick, kills }) => ({
            ...{ id, highlight_type, display_name, player_name, round_number },
            tick: kills[0]?.tick ?? start_tick,
          }),
        ),
      },
      { headers: client.responseHeaders() },
    );
  } catch (error) {
    throw pageFailure(error, {
      fallback: "Failed to load the replay",
      notFound: "Match not found",
      signedOut: request,
    });
  }
}

/** The address changes while it plays; nothing of the match does. */
export const shouldRevalidate = () => false;

export default function Replay() {
  return <ReplayPage {...useLoaderData<typeof loader>()} />;
}

export function ErrorBoundary() {
  return <PageProblem wayBack={{ to: "/my-matches", label: "Back to Matches" }} />;
}
