import { isClipFormat } from "../../contract/clip-formats.ts";
import type { ClipState } from "../../contract/schemas/clips.ts";
import type { Api } from "../api/client.server.ts";

export const addFormatFailure = "Failed to add the format";

/**
 * Adds the format that a form names to a clip.
 * @returns null where the form names none, as no page's does
 * @throws ApiFailure
 */
export async function addFormatOf(client: Api, clipId: string, form: FormData): Promise<ClipState | null> {
  const format = form.get("format");
  return isClipFormat(format) ? client.clips.addFormat({ parameters: { id: clipId }, body: { format } }) : null;
}
