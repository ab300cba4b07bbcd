/** Whether a page is My Matches, one of the matches there, under any of their addresses, or the highlights of all of them. */
export const isOfMatches = (pathname: string) => /^\/((my-)?match|highlights)/.test(pathname);
