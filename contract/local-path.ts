import { limits } from "./limits.ts";

const anyOrigin = "http://local.invalid";

/**
 * The path (with query and fragment) of an address on this site, "/" for everything else: other hosts, `//host`, `/\host`,
 * control characters and calls of the API are no page to go to.
 */
export function localPath(text: string | undefined): string {
  if (!text || text.length > limits.wayBackCharacters || !/^\/(?![/\\])[\x20-\x7e]*$/.test(text) || text.includes("\\"))
    return "/";
  const address = URL.canParse(text, anyOrigin) ? new URL(text, anyOrigin) : null;
  if (!address || address.origin !== anyOrigin) return "/";
  // Dots can bring slashes together: resolved, `/.//host` is `//host`.
  if (address.pathname.startsWith("//") || /^\/(api|local-steam)(\/|$)/.test(address.pathname)) return "/";
  return address.pathname + address.search + address.hash;
}

/** Adds parameters to the query of a local path. */
export function withQuery(path: string, parameters: Record<string, string>): string {
  const address = new URL(localPath(path), anyOrigin);
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  return address.pathname + address.search + address.hash;
}
