import { ApiFailure } from "../../api/api-failure.ts";
import type { Api } from "../../api/client.server.ts";

/**
 * Addresses of a match are sent with the id of its sender's import: what opens is the visitor's own of the same demo.
 * @param error why the match with this id cannot be had
 * @returns the id of the visitor's own; null where they have none, or that was not why
 */
export async function ownMatchInstead(client: Api, id: string, error: unknown): Promise<string | null> {
  if (!isNotFound(error)) return null;
  try {
    const own = await client.matches.ownOfSameDemo({ parameters: { id } });
    return own.match_id === id ? null : own.match_id;
  } catch (problem) {
    if (isNotFound(problem)) return null;
    throw problem;
  }
}

const isNotFound = (error: unknown) => error instanceof ApiFailure && error.status === 404;
