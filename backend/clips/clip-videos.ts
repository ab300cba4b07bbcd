import { cleanClipName } from "../../contract/clean-text.ts";
import { clipFormats } from "../../contract/clip-formats.ts";
import type { Clip, ClipVideo, ClipVideos } from "../../contract/schemas/clips.ts";
import type { Services } from "../services.ts";
import { keptPlan } from "../storage/kept-plan.ts";
import type { ClipFormatRow } from "../storage/schema.ts";
import { clipMarks } from "./clip-marks.ts";
import { keptQueuePositions, queueKey } from "./queue-positions.ts";
import { blobVersion } from "./read-clips.ts";

type AddedFormat = Pick<ClipFormatRow, "format" | "status" | "progress" | "error" | "video_key" | "created_at">;

/** What others read of a compilation's part that is unlisted, or deleted. */
const hiddenPartName = "A clip";

/**
 * A clip with its formats and its file for chat apps, which only its own page needs, in one query more.
 * @param clip as its visitor sees it
 */
export async function withVideos<Shown extends Clip>(services: Services, clip: Shown): Promise<Shown & ClipVideos> {
  const rows = await services.database
    .selectFrom("clips")
    .leftJoin("demos", "demos.sha256", "clips.demo_sha256")
    .leftJoin("clip_formats", "clip_formats.clip_id", "clips.id")
    .modifyFront(keptPlan)
    .select([
      "clips.share_key",
      "clips.moments",
      "demos.track_key",
      "clip_formats.format",
      "clip_formats.status",
      "clip_formats.progress",
      "clip_formats.error",
      "clip_formats.video_key",
      "clip_formats.created_at",
    ])
    .where("clips.id", "=", clip.id)
    .orderBy("clip_formats.created_at")
    .orderBy("clip_formats.format")
    .execute();
  const parts =
    clip.match_id === null
      ? await services.database
          .selectFrom("clip_parts")
          .leftJoin("clips as part", "part.id", "clip_parts.part_id")
          .select(["clip_parts.part_id", "clip_parts.name", "clip_parts.duration_seconds", "start_seconds"])
          .select(["clip_parts.highlight_ids", "part.link_key"])
          .where("clip_parts.clip_id", "=", clip.id)
          .orderBy("position")
          .execute()
      : [];
  const added = rows
    .filter((row): row is typeof row & AddedFormat => row.format !== null)
    .filter(({ status }) => clip.is_owner || status === "completed");
  const waiting = added.filter(({ status }) => status === "queued");
  const positions =
    waiting.length > 0
      ? await keptQueuePositions(
          services,
          waiting.map(({ format }) => ({ clipId: clip.id, format })),
        )
      : new Map<string, number>();
  const isReady = clip.render_status === "completed";
  const shareKey = isReady ? (rows[0]?.share_key ?? null) : null;
  return {
    ...clip,
    parts: parts.map(({ part_id, name, link_key, highlight_ids: _, ...times }) => {
      // Number and name of an unlisted clip are nobody else's to know. Of one that is gone nobody can tell any more what it was.
      const isShown = clip.is_owner || (part_id !== null && link_key === null);
      return { clip_id: isShown ? part_id : null, name: isShown ? cleanClipName(name) : hiddenPartName, ...times };
    }),
    formats: [
      firstFormat(clip),
      ...added.map((row) =>
        addedFormat(clip.public_id, row, positions.get(queueKey({ clipId: clip.id, format: row.format }))),
      ),
    ],
    share_url: shareKey && `/video/clips/${clip.public_id}/share.mp4?v=${blobVersion(shareKey)}`,
    can_add_formats: clip.is_owner && isReady && rows[0]?.track_key != null,
    marks: isReady ? clipMarks(rows[0]?.moments ?? [], clip.highlights, parts) : [],
  };
}

function firstFormat(clip: Clip): ClipVideo {
  const { format, width, height, render_status, queue_position, progress, render_error, video_url, poster_url } = clip;
  return { format, width, height, render_status, queue_position, progress, render_error, video_url, poster_url };
}

function addedFormat(address: string, row: AddedFormat, position: number | undefined): ClipVideo {
  const { format, status, video_key: videoKey } = row;
  const { width, height } = clipFormats[format];
  const isReady = status === "completed";
  const query = new URLSearchParams({ format, v: blobVersion(videoKey) });
  return {
    format,
    width,
    height,
    render_status: status,
    queue_position: position ?? null,
    progress: row.progress,
    render_error: isReady ? null : row.error,
    video_url: isReady ? `/video/clips/${address}/?${query}` : null,
    poster_url: isReady ? `/video/clips/${address}/poster.jpg?${query}` : null,
  };
}
