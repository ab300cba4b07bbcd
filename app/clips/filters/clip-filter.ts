import { type HighlightType, highlightTypes } from "../../../contract/highlight-types.ts";
import type { ClipFilter } from "../../../contract/schemas/clip-lists.ts";
import { textLimits } from "../../../contract/text-limits.ts";

/** The filter that an address asks for; what no list could take is left out. */
export function clipFilterOf(query: URLSearchParams): ClipFilter {
  const map = query.get("map")?.slice(0, textLimits.mapName);
  const type = highlightTypes.find((known): known is HighlightType => known === query.get("type"));
  const player = query.get("player")?.trim().slice(0, textLimits.playerName);
  return { ...(map ? { map } : {}), ...(type ? { type } : {}), ...(player ? { player } : {}) };
}

export function isFiltered(filter: ClipFilter): boolean {
  return Object.keys(filter).length > 0;
}

/** The same as parts of an address. */
export function filterQuery(filter: ClipFilter): URLSearchParams {
  return new URLSearchParams(Object.entries(filter).filter((entry): entry is [string, string] => Boolean(entry[1])));
}
