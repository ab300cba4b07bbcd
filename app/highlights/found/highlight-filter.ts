import type { HighlightFilter } from "../../../contract/schemas/found-highlights.ts";
import { textLimits } from "../../../contract/text-limits.ts";
import { clipFilterOf } from "../../clips/filters/clip-filter.ts";

/** The filter in an address of /highlights; invalid parts are left out. */
export function highlightFilterOf(query: URLSearchParams): HighlightFilter {
  const weapon = query.get("weapon")?.slice(0, textLimits.weapon);
  const [from, until] = [dayOf(query.get("from")), dayOf(query.get("until"))];
  const filter = clipFilterOf(query);
  return {
    ...filter,
    // Counts only if the field for a name is empty.
    ...(!filter.player && query.get("whose") === "all" ? { player: "all" } : {}),
    ...(weapon ? { weapon } : {}),
    ...(from ? { from } : {}),
    ...(until ? { until } : {}),
  };
}

/** A day in the format of date fields; null for anything else. */
function dayOf(text: string | null): string | null {
  if (!text || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const time = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text ? null : text;
}

/** The address of /highlights with a filter. @param page from 1 @param picks highlights that stay ticked */
export function highlightsAddress(filter: HighlightFilter, page = 1, picks: readonly string[] = []): string {
  const query = highlightsQuery(filter, page);
  for (const pick of picks) query.append(pickField, pick);
  return `/highlights${query.size > 0 ? `?${query}` : ""}`;
}

export function highlightsQuery(filter: HighlightFilter, page: number): URLSearchParams {
  const given = Object.entries(filter).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return new URLSearchParams([...given, ...(page > 1 ? [["page", String(page)]] : [])]);
}

/** The form field of a ticked highlight; its value begins with the match. */
export const pickField = "pick";

/** A button of the form with this name leads to the list that its value asks for, with what is ticked. */
export const goField = "go";

/** Most highlights that can be ticked at once: more ids do not fit into an address. */
export const maxPicks = 200;
const pickPattern = /^([\w.:-]{1,200}):([1-9]\d{0,15})$/;

/** The query parameter with the number of ticks that were dropped on the way to this address. */
export const leftOutField = "left_out";

/** The ticks in an address, each once, and how many were too many for it or were left out before. */
export function picksOf(query: URLSearchParams): { picked: string[]; leftOut: number } {
  const ticked = [...new Set(query.getAll(pickField).filter((text) => pickPattern.test(text)))];
  const before = /^[1-9]\d{0,4}$/.exec(query.get(leftOutField) ?? "");
  return {
    picked: ticked.slice(0, maxPicks),
    leftOut: Math.max(0, ticked.length - maxPicks) || Number(before?.[0] ?? 0),
  };
}

/** The ticked highlights by match, in the order in which they were ticked. */
export function picksByMatch(picked: readonly string[]): Map<string, number[]> {
  const picks = new Map<string, number[]>();
  for (const text of picked) {
    const [, matchId = "", id = ""] = pickPattern.exec(text) ?? [];
    if (matchId) picks.set(matchId, [...(picks.get(matchId) ?? []), Number(id)]);
  }
  return picks;
}

/** The match's page with these highlights ticked. */
export function matchWithTicks(matchId: string, ids: readonly number[]): string {
  const query = new URLSearchParams(ids.map((id) => ["highlight", String(id)]));
  return `/matches/${encodeURIComponent(matchId)}?${query}`;
}
