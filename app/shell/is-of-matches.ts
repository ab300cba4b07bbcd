/** Whether a page is My Matches or one of the matches there, under any of their addresses. */
export const isOfMatches = (pathname: string) => /^\/(my-)?match/.test(pathname);
