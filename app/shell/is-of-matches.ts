/** Whether a page belongs to My Matches: the list, a match under any of its addresses, or the highlights of all matches. */
export const isOfMatches = (pathname: string) => /^\/((my-)?match|highlights)/.test(pathname);
