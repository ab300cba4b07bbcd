import { limits } from "../../contract/limits.ts";

export interface MatchPaging {
  page: number;
  lastPage: number;
  showArrows: boolean;
  previous: number | null;
  next: number | null;
}

/** The page number of an address; anything that is no page is page 1. */
export function pageFromQuery(query: URLSearchParams): number {
  const page = Number(query.get("page") ?? "1");
  return Number.isInteger(page) && page >= 1 && page < 100_000 ? page : 1;
}

/**
 * Paging of the match list: offset = page size × page index, arrows from seven loaded matches on.
 * @param page from 1
 * @param shown matches on this page
 * @param count matches in all, as the server says
 * @param hasNext whether the server reports a next page
 */
export function matchPaging(page: number, shown: number, count: number, hasNext: boolean): MatchPaging {
  const size = limits.matchesPerPage;
  const loaded = (page - 1) * size + shown;
  return {
    page,
    lastPage: Math.max(1, Math.ceil(count / size), page),
    showArrows: Math.max(loaded, page > 1 ? limits.pagingArrowsFromMatches : 0) >= limits.pagingArrowsFromMatches,
    previous: page > 1 ? page - 1 : null,
    next: hasNext ? page + 1 : null,
  };
}
