import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { data, redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { limits } from "../../contract/limits.ts";
import type { FoundHighlight } from "../../contract/schemas/found-highlights.ts";
import { type Api, api } from "../api/client.server.ts";
import { logFailure, pageFailure } from "../api/page-failure.server.ts";
import { optionsOfMaps } from "../clips/filters/map-options.server.ts";
import { FoundHighlightsPage } from "../highlights/found/found-highlights-page.tsx";
import type { FoundSummary } from "../highlights/found/found-summary.ts";
import {
  goField,
  highlightFilterOf,
  highlightsAddress,
  leftOutField,
  matchWithTicks,
  picksByMatch,
  picksOf,
} from "../highlights/found/highlight-filter.ts";
import { weaponOptions } from "../highlights/found/weapon-options.server.ts";
import { pageFromQuery } from "../matches/match-paging.ts";
import { pageMeta } from "../shell/page-meta.ts";
import { productName } from "../shell/product-name.ts";
import { useSessionUser } from "../shell/session/use-session-user.ts";
import { timeZoneOf } from "../shell/time-zone-of-request.server.ts";

export const meta: MetaFunction = () => pageMeta({ title: `My Highlights - ${productName}`, noindex: true });

export async function loader({ request, context }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams;
  const { picked, leftOut } = picksOf(query);
  const go = query.get(goField);
  if (go !== null) {
    const asked = new URLSearchParams(go);
    const isUnticked = asked.has("untick");
    const address = highlightsAddress(highlightFilterOf(asked), pageFromQuery(asked), isUnticked ? [] : picked);
    throw redirect(leftOut > 0 && !isUnticked ? `${address}&${leftOutField}=${leftOut}` : address);
  }
  const filter = highlightFilterOf(query);
  const isMaking = query.has("make");
  const page = pageFromQuery(isMaking ? new URLSearchParams({ page: query.get("make") ?? "" }) : query);
  const picks = picksByMatch(picked);
  const [only] = picks;
  // A clip is of one match, which has all that it takes to make it.
  if (isMaking && only && picks.size === 1) throw redirect(matchWithTicks(...only));
  const client = api(request, context);
  try {
    const limit = limits.highlightsPerPage;
    // Cards show when a match was played in the visitor's zone: its days are those of the filter.
    const days = { time_zone: timeZoneOf(request) };
    const found = await client.highlights.own({ query: { ...filter, ...days, limit, offset: (page - 1) * limit } });
    const maps = isMaking ? await mapsOf(client, [...picks.keys()], found.results) : new Map<string, string>();
    return data(
      {
        highlights: found.results.map(summarise),
        filter,
        player: found.player,
        hasOwn: found.has_own,
        maps: optionsOfMaps(found.maps, filter.map),
        weapons: weaponOptions(filter.weapon),
        page,
        hasNext: found.next !== null,
        several: isMaking
          ? [...picks].map(([matchId, ids], index) => ({
              to: matchWithTicks(matchId, ids),
              label: `${maps.get(matchId) ?? `Match ${index + 1}`}: ${ids.length} ticked`,
            }))
          : [],
        picked,
        leftOut,
      },
      { headers: client.responseHeaders() },
    );
  } catch (error) {
    throw pageFailure(error, { fallback: "Failed to load highlights", signedOut: request, comesBack: true });
  }
}

/** The maps of matches by their id, those included of which the page shows no highlight. */
async function mapsOf(client: Api, matchIds: readonly string[], shown: readonly FoundHighlight[]) {
  const maps = new Map(shown.map((one) => [one.match_id, one.map_display_name]));
  const unknown = matchIds.filter((id) => !maps.has(id)).slice(0, limits.matchesPerPage);
  await Promise.all(
    unknown.map(async (id) => {
      try {
        maps.set(id, (await client.matches.detail({ parameters: { id } })).map_display_name);
      } catch (error) {
        logFailure("Ticked match:", error);
      }
    }),
  );
  return maps;
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
    pictures_url: highlight.pictures_url,
  };
}

export default function MyHighlights() {
  const loaded = useLoaderData<typeof loader>();
  const user = useSessionUser();
  return <FoundHighlightsPage {...loaded} steamId={user?.steam_id ?? null} />;
}

export { PageProblem as ErrorBoundary } from "../shell/page-problem.tsx";
