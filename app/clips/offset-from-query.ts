/** The offset in an address; 0 if it is missing or invalid. */
export function offsetFromQuery(query: URLSearchParams): number {
  const offset = Number(query.get("offset") ?? "0");
  return Number.isInteger(offset) && offset > 0 && offset < 1_000_000 ? offset : 0;
}
