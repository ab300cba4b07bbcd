import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { data, redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import type { FoundHighlight } from "../../contract/api.ts";
import { limits } from "../../contract/limits.ts";
import { api } from "../api/client.server.ts";
import { pageFailure } from "../api/page-failure.server.ts";
import { optionsOfMaps } from "../clips/filters/map-options.server.ts";
import { FoundHighlightsPage, type FoundSummary } from "../highlights/found/found-highlights-page.tsx";
import {
  highlightFilterOf,
  highlightsAddress,
  matchWithTicks,
  pickField,
  picksByMatch,
} from "../highlights/found/highlight-filter.ts";
import { weaponOptions } from "../highlights/found/weapon-options.server.ts";
import { pageFromQuery } from "../matches/match-paging.ts";
import { pageMeta } from "../shell/page-meta.ts";
import { productName } from "../shell/product-name.ts";
import { useSessionUser } from "../shell/session/use-session-user.ts";

export const meta: MetaFunction = () => pageMeta({ title: `My Highlights - ${productName}`, noindex: true });

export async function loader({ request, context }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams;
  const filter = highlightFilterOf(query);
  const page = pageFromQuery(query);
  const picks = picksByMatch(query);
  const isMaking = query.has("make");
  const [only] = picks;
  // A clip is of one match, which has all that it takes to make it.
  if (isMaking && only && picks.size === 1) throw redirect(matchWithTicks(...only));
  const client = api(request, context);
  try {
    const limit = limits.highlightsPerPage;
    const found = await client.highlights.own({ query: { ...filter, limit, offset: (page - 1) * limit } });
    const mapOf = (matchId: string) => found.results.find((one) => one.match_id === matchId)?.map_display_name;
    return data(
      {
        highlights: found.results.map(summarise),
        filter,
        player: found.player,
        hasOwn: found.has_own,
        maps: optionsOfMaps(found.maps, filter.map),
        weapons: weaponOptions(filter.weapon),
        page,
        previous: page > 1 ? highlightsAddress(filter, page - 1) : null,
        next: found.next === null ? null : highlightsAddress(filter, page + 1),
        several: isMaking
          ? [...picks].map(([matchId, ids], index) => ({
              to: matchWithTicks(matchId, ids),
              label: `${mapOf(matchId) ?? `Match ${index + 1}`}: ${ids.length} ticked`,
            }))
          : [],
        picked: query.getAll(pickField),
      },
      { headers: client.responseHeaders() },
    );
  } catch (error) {
    throw pageFailure(error, { fallback: "Failed to load highlights", signedOut: request });
  }
}

function summarise(highlight: FoundHighlight): FoundSummary {
  return {
    id: highlight.id,
    highlight_type: highlight.highlight_type,
    display_name: highlight.display_name,
    player_name: highlight.player_name,
    player_steam_id: highlight.player_steam_id,
    player_avatar_url: highlight.player_avatar_url,
    round_number: highlight.round_number,
    reason: highlight.reason,
    match_id: highlight.match_id,
    map_display_name: highlight.map_display_name,
    match_date: highlight.match_date,
    imported_at: highlight.imported_at,
    can_create_clips: highlight.can_create_clips,
  };
}

export default function MyHighlights() {
  const loaded = useLoaderData<typeof loader>();
  const user = useSessionUser();
  return <FoundHighlightsPage {...loaded} steamId={user?.steam_id ?? null} />;
}

export { PageProblem as ErrorBoundary } from "../shell/page-problem.tsx";
