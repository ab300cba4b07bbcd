import { cleanClipName } from "../../contract/clean-text.ts";
import { Refusal } from "../refusal.ts";
import type { Services } from "../services.ts";
import { renameInTopLists } from "./lists/top-lists.ts";
import { forgetClip } from "./load-clips.ts";

/**
 * Gives a player's own clip another name, cleaned as that of a new one. The end card of a video that is there keeps the old one.
 * @throws Refusal for a clip that is not theirs, and for a name of which nothing is left
 */
export async function renameClip(services: Services, userId: number, clipId: number, name: string): Promise<void> {
  const cleaned = cleanClipName(name);
  if (!cleaned) throw Refusal.ofField("name", "Please enter a name for the clip.");
  const known = await services.database
    .selectFrom("clips")
    .select("name")
    .where("id", "=", clipId)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  if (!known) throw Refusal.notFound("Clip not found");
  // Feeds tell of what was renamed: the same name once more is nothing to tell of.
  if (known.name === cleaned) return;
  await services.database
    .updateTable("clips")
    .set({ name: cleaned, edited_at: services.now() })
    .where("id", "=", clipId)
    .execute();
  forgetClip(services, clipId);
  renameInTopLists(services, clipId, cleaned);
}
