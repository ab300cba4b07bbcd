import { requireDiskRoom } from "../accounts/disk-quota.ts";
import { expectedClipBytes } from "../clips/create/expected-bytes.ts";
import { planClip } from "../clips/create/plan-clip.ts";
import { Refusal } from "../refusal.ts";
import type { Services } from "../services.ts";
import type { AutomationRow } from "../storage/schema.ts";
import { automaticRequest } from "./make-clips.ts";
import { aDayBefore } from "./room-today.ts";

/**
 * Why the next automatic clip of a player waits, in a sentence, when it is their storage that has no room for it. Worked out and not kept:
 * no look at their history wipes it, and it is gone as soon as there is room.
 */
export async function roomProblem(services: Services, automation: AutomationRow): Promise<string | null> {
  const { database, config } = services;
  if (!config.USER_DISK_BYTES) return null;
  const waiting = await database
    .selectFrom("automation_matches")
    .innerJoin("automation_clips", (on) =>
      on
        .onRef("automation_clips.user_id", "=", "automation_matches.user_id")
        .onRef("automation_clips.provider_id", "=", "automation_matches.provider_id"),
    )
    .innerJoin("highlights", "highlights.id", "automation_clips.highlight_id")
    .select(["automation_matches.match_id", "highlight_id", "highlights.type", "highlights.kills_count"])
    .where("automation_matches.user_id", "=", automation.user_id)
    .where("automation_matches.state", "=", "making")
    .where("automation_matches.match_id", "is not", null)
    .where("made_at", "is", null)
    .where("wanted_at", ">=", aDayBefore(services.now()))
    .orderBy("automation_matches.found_at")
    .orderBy("place")
    .execute();
  const owner = { id: automation.user_id };
  for (const { match_id: matchId, ...highlight } of waiting) {
    try {
      const { spec, demo } = await planClip(services, owner, matchId!, automaticRequest(automation, highlight));
      await requireDiskRoom(services, owner.id, expectedClipBytes(spec, demo.timing.tickRate), { isAutomatic: true });
      return null;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.code === "disk_quota") return error.message;
      // This one cannot be made any more: the next in the line says whether there is room.
    }
  }
  return null;
}
