import type { MatchDetail } from "../../../contract/schemas/matches.ts";
import { matchDetail } from "../../library/match-detail.ts";
import type { RequestedImport } from "../../matches/create-match.ts";
import type { User } from "../../storage/schema.ts";
import { ApiError } from "../api-error.ts";
import type { ApiContext } from "../request-context.ts";

export const matchNotFound = () => ApiError.notFound("Match not found");

/** Status and body of the answer to a requested import. */
export async function importAnswer(
  c: ApiContext,
  user: User,
  { match, isNew }: RequestedImport,
): Promise<[200 | 201, MatchDetail]> {
  return [isNew ? 201 : 200, await presentedMatch(c, user, match.id)];
}

/** @throws ApiError 404 when it was deleted meanwhile */
export async function presentedMatch(c: ApiContext, user: User, matchId: string): Promise<MatchDetail> {
  const match = await matchDetail(c.get("services"), user, matchId, { includePlayers: false });
  if (!match) throw matchNotFound();
  return match;
}
