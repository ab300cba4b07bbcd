import type { Clip } from "../../../contract/schemas/clips.ts";
import { presentClips } from "../../clips/present-clip.ts";
import type { User } from "../../storage/schema.ts";
import { ApiError } from "../api-error.ts";
import type { ApiContext } from "../request-context.ts";

export const clipNotFound = () => ApiError.notFound("Clip not found");

/**
 * A clip as a visitor may see it; unfinished clips exist only for their owner.
 * @throws ApiError 404
 */
export async function oneClip(c: ApiContext, clipId: number, viewer: User | null): Promise<Clip> {
  const [clip] = await presentClips(c.get("services"), [clipId], viewer?.id ?? null);
  if (!clip || (clip.render_status !== "completed" && !clip.is_owner)) throw clipNotFound();
  // The clip may have become unlisted since its address was checked; the new key must not reach this caller.
  const hasAddress = clip.visibility === "public" || c.req.param("id") === clip.public_id;
  if (!hasAddress && !clip.is_owner) throw clipNotFound();
  return clip;
}
