import { cleanClipName } from "../../../contract/clean-text.ts";
import { importTitle } from "../../matches/import-title.ts";
import { Refusal } from "../../refusal.ts";
import type { Services } from "../../services.ts";
import { canBeQuoted } from "./hlae-commands.ts";
import type { RecordedClip } from "./recorded-takes.ts";

/** A clip to be recorded in the game, with what its demo is called. */
export interface InGameClip extends RecordedClip {
  /** Ends with `.dem`, and can stand in the game's console. */
  demoName: string;
}

/**
 * A clip of a player's for recording it in the game. It takes nothing of the match's replay data, so old clips are recorded as well.
 * @returns null for a clip that is not theirs
 * @throws Refusal for a compilation
 */
export async function inGameClip(
  { database }: Pick<Services, "database">,
  userId: number,
  clipId: number,
): Promise<InGameClip | null> {
  const clip = await database
    .selectFrom("clips")
    .leftJoin("demos", "demos.sha256", "clips.demo_sha256")
    .leftJoin("matches", "matches.id", "clips.match_id")
    .select(["clips.name", "clips.spec", "demos.players", "demos.timing"])
    .select(["matches.source", "matches.file_name", "matches.demo_url"])
    .where("clips.id", "=", clipId)
    .where("clips.user_id", "=", userId)
    .executeTakeFirst();
  if (!clip) return null;
  const { spec, players, timing, source, file_name, demo_url } = clip;
  if (!players || !timing) {
    throw new Refusal("not_in_recording", "A compilation is joined of clips: record them one by one.");
  }
  const title = source && source !== "sample" ? importTitle({ source, file_name, demo_url }) : "";
  return {
    name: cleanClipName(clip.name),
    spec,
    players,
    tickRate: timing.tickRate,
    demoName: unpackedDemo(canBeQuoted(title) && title ? title : "match"),
  };
}

/** What a demo is called once it is unpacked: the game, and what records in it, read nothing else. */
export function unpackedDemo(path: string): string {
  const unpacked = path.replace(/(\.dem)\.(?:bz2|gz|zst)$/i, "$1");
  return unpacked.endsWith(".dem") ? unpacked : `${unpacked.replace(/\.dem$/i, "")}.dem`;
}
