import { checkSession } from "../session/ended-session.ts";

/** True when a page asks for the next part of its own list. */
export function isFurtherPart(request: Request): boolean {
  return new URL(request.url).searchParams.has("part");
}

/** Loads such a part; returns nothing when that fails. */
export async function partOrNothing<Part>(ask: () => Promise<Part>): Promise<Part | null> {
  try {
    return await ask();
  } catch {
    await checkSession();
    return null;
  }
}
