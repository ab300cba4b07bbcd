import { apiRoutes } from "../../../contract/api-routes.ts";
import type { ClipFormat } from "../../../contract/clip-formats.ts";
import { clipFileName } from "../../clips/clip-file-name.ts";
import { clipFiles } from "../../clips/clip-files.ts";
import { blobVersion } from "../../clips/read-clips.ts";
import type { Services } from "../../services.ts";
import { ApiError } from "../api-error.ts";
import { implementRoutes } from "../implement-routes.ts";
import type { ApiContext } from "../request-context.ts";
import { loadSession } from "../request-security.ts";
import { blobResponse } from "./blob-response.ts";
import { clipNotFound } from "./one-clip.ts";

/** Videos, posters, thumbnails and loops of finished clips, for everybody. */
export const mediaRoutes = implementRoutes(apiRoutes.media, {
  video: (c, { parameters, query }) => clipFile(c, parameters.id, "video", query),
  share: (c, { parameters, query }) => clipFile(c, parameters.id, "share", query),
  loop: (c, { parameters, query }) => clipFile(c, parameters.id, "loop", query),
  poster: (c, { parameters, query }) => clipFile(c, parameters.id, "poster", query),
  widePoster: (c, { parameters, query }) => clipFile(c, parameters.id, "wide_poster", query),
  thumbnail: (c, { parameters, query }) => clipFile(c, parameters.id, "thumbnail", query),
});

type FileKind = "video" | "share" | "loop" | "poster" | "wide_poster" | "thumbnail";

/** Details for files that a finished clip may lack, for now or for good. */
const missing: Partial<Record<FileKind, string>> = {
  share: "The file for chat apps is still being made. The video itself is ready.",
  loop: "This clip has no loop yet. The video itself is ready.",
  wide_poster: "This clip is older than wide posters.",
};

async function clipFile(
  c: ApiContext,
  clipId: number,
  kind: FileKind,
  asked: { v?: string | undefined; download?: string | undefined; format?: ClipFormat | undefined },
): Promise<Response> {
  const services: Services = c.get("services");
  const clip = await clipFiles(services, clipId, asked.format);
  if (!clip) throw clipNotFound();
  const key = clip[`${kind}_key`];
  const whyMissing = missing[kind];
  if (clip.status === "completed" && !key && whyMissing) throw new ApiError(409, "not_ready", whyMissing);
  if (clip.status !== "completed" || !key) {
    // Looked up only here, so that existing videos need no session.
    await loadSession(c, async () => {});
    if (c.get("user")?.id !== clip.user_id) throw clipNotFound();
    const detail = clip.status === "failed" ? "Video processing failed." : "The video of this clip is not ready yet.";
    throw new ApiError(409, "not_ready", detail);
  }
  const isVideo = kind === "video" || kind === "share" || kind === "loop";
  const [extension, contentType] = isVideo ? ["mp4", "video/mp4"] : ["jpg", "image/jpeg"];
  const response = await blobResponse(c, services, {
    key,
    contentType,
    audience: services.config.VIEWING === "members" || c.get("isOpenToOwnerAlone") ? "private" : "public",
    isVersioned: asked.v === blobVersion(kind === "share" || kind === "loop" ? key : clip.video_key),
    fileName: clipFileName({ id: clipId, name: clip.name }, extension, asked.format),
    asDownload: asked.download === "1",
  });
  // The key in the address may be revoked: search engines must not list it, and shared caches must not keep it.
  if (c.req.path.includes(`/${clipId}-`)) {
    response.headers.set("x-robots-tag", "noindex");
    response.headers.set("cache-control", (response.headers.get("cache-control") ?? "").replace("public", "private"));
  }
  return response;
}
