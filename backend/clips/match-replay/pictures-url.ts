import { blobVersion } from "../read-clips.ts";

/** Before the names of a match's pictures; null until they are made. */
export function picturesUrl(matchId: string, { pictures_key: key }: { pictures_key: string | null }): string | null {
  return key && `/api/matches/${matchId}/pictures/${blobVersion(key)}/`;
}
