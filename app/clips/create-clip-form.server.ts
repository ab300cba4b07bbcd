import { isClipFormat } from "../../contract/clip-formats.ts";
import {
  clipName,
  noHighlights,
  postTimeAdjustment,
  preTimeAdjustment,
  tooManyHighlights,
} from "../../contract/clip-rules.ts";
import { limits } from "../../contract/limits.ts";
import { ApiFailure } from "../api/api-failure.ts";
import type { Api } from "../api/client.server.ts";
import { renderOptionsFromForm } from "./render-settings.ts";

/**
 * Creates a clip of the ticked highlights, with name and times as the specification says, unless the player has one that shows the same.
 * @throws ApiFailure
 */
export async function createClipFromForm(
  client: Api,
  matchId: string,
  form: FormData,
): Promise<{ clipId: number; isNew: boolean }> {
  const { asked, clips } = await clipOfForm(client, matchId, form);
  const clip = await client.matches.createClip({ ...asked, body: { ...asked.body, reuse: true } });
  return { clipId: clip.id, isNew: !clips.some(({ id }) => id === clip.id) };
}

/**
 * The clip that a match page's form asks for, as the calls that create and preview it want it, and the clips there are.
 * @throws ApiFailure
 */
export async function clipOfForm(client: Api, matchId: string, form: FormData) {
  const match = await client.matches.detail({ parameters: { id: matchId } });
  const ticked = form.getAll("highlight").map(Number);
  const highlights = match.highlights.filter((highlight) => ticked.includes(highlight.id));
  if (highlights.length === 0) {
    throw new ApiFailure(400, { detail: noHighlights }, "no highlight selected");
  }
  if (highlights.length > limits.highlightsPerClip) {
    throw new ApiFailure(400, { detail: tooManyHighlights }, "too many highlights");
  }
  const format = form.get("format");
  const asked = {
    parameters: { id: matchId },
    body: {
      name: clipName(highlights, match.map_display_name || match.map_name).slice(0, limits.clipNameCharacters),
      highlight_ids: highlights.map((highlight) => highlight.id),
      render_settings: {
        ...renderOptionsFromForm(form),
        watermark: false,
        pre_time_adjustment: preTimeAdjustment,
        post_time_adjustment: postTimeAdjustment(highlights),
      },
      ...(isClipFormat(format) ? { format } : {}),
      ...(form.has("unlisted") ? { visibility: "unlisted" as const } : {}),
    },
  };
  return { asked, clips: match.clips };
}
