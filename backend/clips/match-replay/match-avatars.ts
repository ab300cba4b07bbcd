import type { MatchAvatars } from "../../../contract/schemas/match-rounds.ts";
import { ownMatch } from "../../matches/own-match.ts";
import { Refusal } from "../../refusal.ts";
import type { Services } from "../../services.ts";
import type { User } from "../../storage/schema.ts";
import { avatarType } from "../../video/avatars.ts";
import { type AskPicture, playerAvatars } from "../render/player-avatars.ts";

/**
 * The pictures that a clip of the match would be drawn with now, for a preview to be drawn with the same.
 * @throws Refusal for a match that is not theirs
 */
export async function matchAvatars(
  services: Services,
  user: User,
  matchId: string,
  ask?: AskPicture,
): Promise<MatchAvatars> {
  const match = await ownMatch(services, user.id, matchId);
  if (!match) throw Refusal.notFound("Match not found");
  const demo = await services.database
    .selectFrom("demos")
    .select("players")
    .where("sha256", "=", match.demo_sha256 ?? "")
    .executeTakeFirst();
  // For who has left meanwhile as well: they have a deadline, and the next who asks finds them.
  const files = await playerAvatars(services, demo?.players ?? [], new AbortController().signal, ask);
  return {
    avatars: files.flatMap(({ player, base64 }) => {
      const type = avatarType(Buffer.from(base64, "base64"));
      return type ? [{ player, type, base64 }] : [];
    }),
  };
}
