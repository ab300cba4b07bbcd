import { z } from "zod";
import { textLimits } from "../../../contract/text-limits.ts";
import { clipFiles } from "../../clips/clip-files.ts";
import { blobVersion } from "../../clips/read-clips.ts";
import type { Services } from "../../services.ts";
import { ApiError } from "../api-error.ts";
import { ApiRouter, idParameter } from "../api-router.ts";
import type { ApiContext } from "../request-context.ts";
import { loadSession } from "../request-security.ts";
import { blobResponse } from "./blob-response.ts";

const parameters = z.object({ id: idParameter });
const query = z.object({
  /** Version of the content, as in `video_url`. */
  v: z.string().max(textLimits.queryValue).optional(),
  /** `1` to save the file. */
  download: z.string().max(textLimits.queryValue).optional(),
});

const pictureAnswers = {
  200: { description: "The picture", contentType: "image/jpeg" },
  302: { description: "Where the store gives the picture" },
  304: { description: "Not changed" },
  409: { description: "The video is not rendered yet; said to its owner" },
};

/** Videos, posters and thumbnails of finished clips, for everybody. */
export const mediaRoutes = new ApiRouter()
  .add(
    {
      method: "get",
      path: "/video/clips/:id/",
      summary: "The video of a clip",
      description: "Answers ranges, HEAD and conditional requests. With an S3 store it redirects to a signed address.",
      tag: "Clips",
      access: "public",
      parameters,
      query,
      answers: {
        200: { description: "The whole video", contentType: "video/mp4" },
        206: { description: "A range of it", contentType: "video/mp4" },
        302: { description: "Where the store gives the video" },
        304: { description: "Not changed" },
        409: { description: "The video is not rendered yet; said to its owner" },
        416: { description: "The range lies outside" },
      },
    },
    (c, input) => clipFile(c, input.parameters.id, "video", input.query),
  )
  .add(
    {
      method: "get",
      path: "/video/clips/:id/poster.jpg",
      summary: "The poster of a clip",
      tag: "Clips",
      access: "public",
      parameters,
      query,
      answers: pictureAnswers,
    },
    (c, input) => clipFile(c, input.parameters.id, "poster", input.query),
  )
  .add(
    {
      method: "get",
      path: "/video/clips/:id/thumbnail.jpg",
      summary: "The poster of a clip at half its size",
      tag: "Clips",
      access: "public",
      parameters,
      query,
      answers: pictureAnswers,
    },
    (c, input) => clipFile(c, input.parameters.id, "thumbnail", input.query),
  );

async function clipFile(
  c: ApiContext,
  clipId: number,
  kind: "video" | "poster" | "thumbnail",
  asked: { v?: string | undefined; download?: string | undefined },
): Promise<Response> {
  const services: Services = c.get("services");
  const clip = await clipFiles(services, clipId);
  if (!clip) throw clipNotFound();
  const key = clip[`${kind}_key`];
  if (clip.status !== "completed" || !key) {
    // Asked only here: a video that is there costs no look-up of the session.
    await loadSession(c, async () => {});
    if (c.get("user")?.id !== clip.user_id) throw clipNotFound();
    const detail = clip.status === "failed" ? "Video processing failed." : "The video of this clip is not ready yet.";
    throw new ApiError(409, "not_ready", detail);
  }
  const [extension, contentType] = kind === "video" ? ["mp4", "video/mp4"] : ["jpg", "image/jpeg"];
  return blobResponse(c, services, {
    key,
    contentType,
    audience: "public",
    isVersioned: asked.v === blobVersion(clip.video_key),
    fileName: `${safeFileName(clip.name) || `clip-${clipId}`}.${extension}`,
    asDownload: asked.download === "1",
  });
}

const clipNotFound = () => ApiError.notFound("Clip not found");

/** A clip's name without what file systems refuse, short enough for all of them. */
function safeFileName(name: string): string {
  const allowed = name.replace(/[<>:"/\\|?*]+/g, "-").replace(/[. ]+$/, "");
  return [...allowed].slice(0, 80).join("").trim();
}
