import { formatOfSize } from "../../../contract/clip-formats.ts";
import { limits } from "../../../contract/limits.ts";
import type { JobContext } from "../../jobs/job-queue.ts";
import type { Services } from "../../services.ts";
import { BlobMissingError } from "../../storage/blob-store.ts";
import { withNamedBlobs } from "../../storage/named-blobs.ts";
import type { StoredMoment } from "../../storage/schema.ts";
import { codecsDiffer } from "../../video/join-videos.ts";
import { RenderError } from "../../video/render-error.ts";
import { startJoin } from "../../video/start-join.ts";
import { announce } from "../../webhooks/announce.ts";
import { completeJoin, type DrawnClip, type RenderedFiles } from "../clip-life.ts";
import { deleteEarlierVideos } from "../delete-clip.ts";
import { outdateTopLists } from "../lists/top-lists.ts";
import { copyBlob, partsByScore } from "./clip-parts.ts";
import { runVideoJob, VideoRefused, type VideoRun, type VideoWork } from "./video-job.ts";

const joining: VideoWork = { name: "join", failed: "The clips could not be joined." };

/** A compilation is never made of fewer clips than were chosen. */
const partDeleted =
  "A clip of this compilation was deleted before it was joined. Delete it and choose its clips again.";

/**
 * The job `join`: joins the clips of a compilation into one video, stores it with the pictures of its best part, and then marks it as
 * completed. Idempotent, as the render is. It fails with a sentence if a part was deleted before; a finished compilation has files of
 * its own. Decision 150.
 */
export function runJoinJob(services: Services, { clipId }: { clipId: number }, context: JobContext): Promise<void> {
  return runVideoJob(services, { clipId }, context, joining, (clip, run) => joinParts(services, clip, run));
}

/** Blob keys of a part in the compilation's format. */
interface PartFiles {
  id: number;
  video: string;
  poster: string;
  widePoster: string | null;
  thumbnail: string | null;
  seconds: number;
  /** What it shows when, in its own time; empty for older clips. */
  moments: readonly StoredMoment[];
}

async function joinParts(
  services: Services,
  clip: DrawnClip,
  { folder, version, signal, progress }: VideoRun,
): Promise<void> {
  const { blobs, config, containment, database } = services;
  const parts = await partFiles(services, clip);
  const { width, height, framesPerSecond } = clip.spec;
  const opened: { path: string; release(): Promise<void> }[] = [];
  let joint: Awaited<ReturnType<typeof startJoin>>;
  try {
    for (const { video } of parts) opened.push(await openPart(services, video));
    joint = await startJoin(
      {
        parts: opened.map(({ path }) => ({ videoPath: path })),
        framesPerSecond,
        outputDirectory: folder,
        ffmpegPath: config.FFMPEG_PATH,
      },
      { width, height, durationSeconds: parts.reduce((sum, { seconds }) => sum + seconds, 0) },
      { signal, containment, onProgress: (fraction) => progress.report(fraction) },
    );
  } catch (error) {
    if (error instanceof RenderError && error.message === codecsDiffer) throw new VideoRefused(codecsDiffer);
    throw error;
  } finally {
    for (const part of opened) await part.release();
    await progress.settled();
  }
  signal.throwIfAborted();
  const [best] = await partsByScore(database, clip.id);
  const shown = parts.find(({ id }) => id === best?.id) ?? parts[0];
  if (!shown) throw new VideoRefused(partDeleted);
  const place = `clips/${clip.id}/` as const;
  const videoKey = `${place}video-${version}.mp4`;
  const posterKey = `${place}poster-${version}.jpg`;
  const thumbnailKey = shown.thumbnail && `${place}thumbnail-${version}.jpg`;
  const isUpright = height > width;
  const widePosterKey = isUpright ? shown.widePoster && `${place}wide-poster-${version}.jpg` : posterKey;
  const keys = [...new Set([videoKey, posterKey, thumbnailKey, widePosterKey])].filter((key) => key !== null);
  const isCompleted = await withNamedBlobs(services, keys, async () => {
    await blobs.putFile(videoKey, joint.videoPath, "video/mp4");
    const stored = await blobs.stat(videoKey);
    if (stored?.bytes !== joint.bytes) throw new Error("The stored video is not the joint one.");
    await copyPicture(services, shown.poster, posterKey);
    await copyPicture(services, shown.thumbnail, thumbnailKey);
    if (isUpright) await copyPicture(services, shown.widePoster, widePosterKey);
    const files: RenderedFiles = {
      video_key: videoKey,
      poster_key: posterKey,
      thumbnail_key: thumbnailKey,
      wide_poster_key: widePosterKey,
      share_key: joint.bytes <= limits.shareFileBytes ? videoKey : null,
      video_bytes: joint.bytes,
      duration_seconds: joint.durationSeconds,
      moments: parts.flatMap(({ moments }, index) => shifted(moments, joint.startSeconds[index] ?? 0)),
    };
    return complete(services, clip, files, joint.startSeconds);
  });
  if (!isCompleted) return;
  outdateTopLists(services);
  await deleteEarlierVideos(services, place, keys);
}

const shifted = (moments: readonly StoredMoment[], by: number) =>
  moments.map((moment) => ({ ...moment, seconds: Math.round((moment.seconds + by) * 100) / 100 }));

/** As for a rendered clip: jobs make its loop, and its file for chat apps if the video itself is too large. */
function complete(
  { database, jobs, now }: Services,
  clip: DrawnClip,
  files: RenderedFiles,
  startSeconds: readonly number[],
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    if (!(await completeJoin(transaction, clip.id, files, startSeconds, now()))) return false;
    await announce(transaction, { event: "clip.ready", userId: clip.user_id, id: clip.id });
    const sent = { ownerId: clip.user_id, transaction };
    if (files.share_key === null) await jobs.send("share", { clipId: clip.id }, sent);
    await jobs.send("loop", { clipId: clip.id }, sent);
    return true;
  });
}

/** @throws VideoRefused when a part is deleted, or not in this format */
async function partFiles({ database }: Services, clip: DrawnClip): Promise<PartFiles[]> {
  const format = formatOfSize(clip.spec);
  const rows = await database
    .selectFrom("clip_parts")
    .leftJoin("clips", "clips.id", "clip_parts.part_id")
    .leftJoin("clip_formats", (join) =>
      join.onRef("clip_formats.clip_id", "=", "clips.id").on("clip_formats.format", "=", format),
    )
    .select([
      "clips.id",
      "clips.spec",
      "clips.video_key",
      "clips.poster_key",
      "clips.wide_poster_key",
      "clips.thumbnail_key",
      "clip_parts.duration_seconds",
      "clips.moments",
      "clip_formats.video_key as format_video_key",
      "clip_formats.poster_key as format_poster_key",
    ])
    .where("clip_parts.clip_id", "=", clip.id)
    .orderBy("clip_parts.position")
    .execute();
  return rows.map((row) => {
    const isOwn = row.spec !== null && formatOfSize(row.spec) === format;
    const video = isOwn ? row.video_key : row.format_video_key;
    const poster = isOwn ? row.poster_key : row.format_poster_key;
    if (row.id === null || video === null || poster === null) throw new VideoRefused(partDeleted);
    return {
      id: row.id,
      video,
      poster,
      widePoster: row.wide_poster_key,
      thumbnail: row.thumbnail_key,
      seconds: row.duration_seconds,
      moments: row.moments ?? [],
    };
  });
}

async function openPart({ blobs }: Services, key: string) {
  try {
    return await blobs.openLocal(key);
  } catch (error) {
    if (error instanceof BlobMissingError) throw new VideoRefused(partDeleted);
    throw error;
  }
}

async function copyPicture(services: Services, from: string | null, to: string | null): Promise<void> {
  if (!from || !to) return;
  try {
    await copyBlob(services, { from, to, contentType: "image/jpeg" });
  } catch (error) {
    if (error instanceof BlobMissingError) throw new VideoRefused(partDeleted);
    throw error;
  }
}
