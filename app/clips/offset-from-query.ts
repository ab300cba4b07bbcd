/** The offset an address asks for; anything that is none is the start. */
export function offsetFromQuery(query: URLSearchParams): number {
  const offset = Number(query.get("offset") ?? "0");
  return Number.isInteger(offset) && offset > 0 && offset < 1_000_000 ? offset : 0;
}
