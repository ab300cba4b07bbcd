import { clipFormats } from "../../../contract/clip-formats.ts";
import { limits } from "../../../contract/limits.ts";
import type { ClipSpec } from "../../../replay/clip-spec.ts";
import type { JobContext } from "../../jobs/job-queue.ts";
import { sendMapJob } from "../../maps/map-job.ts";
import { openClipMap } from "../../maps/open-clip-map.ts";
import type { Services } from "../../services.ts";
import { BlobMissingError } from "../../storage/blob-store.ts";
import { withNamedBlobs } from "../../storage/named-blobs.ts";
import type { DemoRow } from "../../storage/schema.ts";
import { dropRelief, keepRelief } from "../../video/kept-reliefs.ts";
import { RenderError } from "../../video/render-error.ts";
import { type StartedRender, startRender } from "../../video/start-render.ts";
import { announce } from "../../webhooks/announce.ts";
import { completeRender, type DrawnClip, type RenderedFiles, type RenderTarget } from "../clip-life.ts";
import { storedMoments } from "../clip-marks.ts";
import { type ClipFilePrefix, deleteEarlierVideos } from "../delete-clip.ts";
import { outdateTopLists } from "../lists/top-lists.ts";
import { keptReliefs, type ReliefNames, reliefNames } from "./clip-reliefs.ts";
import { playerAvatars } from "./player-avatars.ts";
import { runVideoJob, VideoRefused, type VideoRun, type VideoWork } from "./video-job.ts";

/** What is said of a render that failed for good. */
const drawing: VideoWork = {
  name: "render",
  failed: "The video could not be rendered.",
};

/**
 * The job `render`: draws a clip, stores video, posters and thumbnail, and then marks it as completed. Idempotent: a second run, after a
 * crash, draws it again from the beginning. Deleting the clip stops the render and leaves no file. While the disk is short it waits. With a
 * format it renders that format of a finished clip, whose other files stay as they are.
 */
export function runRenderJob(services: Services, target: RenderTarget, context: JobContext): Promise<void> {
  const { isAutomatic } = context;
  return runVideoJob(services, target, context, drawing, (clip, run) =>
    draw(services, clip, target, { ...run, isAutomatic }),
  );
}

async function draw(
  services: Services,
  clip: DrawnClip,
  target: RenderTarget,
  run: VideoRun & Pick<JobContext, "isAutomatic">,
): Promise<void> {
  const video = await render(services, clip, target, run);
  run.signal.throwIfAborted();
  const place: ClipFilePrefix = `clips/${clip.id}/${target.format === undefined ? "" : `${target.format}-`}`;
  const videoKey = `${place}video-${run.version}.mp4`;
  const posterKey = `${place}poster-${run.version}.jpg`;
  // Lists show a clip in the format in which it was created.
  const thumbnailKey = video.thumbnailPath && `${place}thumbnail-${run.version}.jpg`;
  const widePosterKey = video.widePosterPath && `${place}wide-poster-${run.version}.jpg`;
  const keys = [videoKey, posterKey, thumbnailKey, widePosterKey].filter((key) => key !== null);
  const isCompleted = await withNamedBlobs(services, keys, async () => {
    const { blobs } = services;
    await blobs.putFile(videoKey, video.videoPath, "video/mp4");
    await blobs.putFile(posterKey, video.posterPath, "image/jpeg");
    if (thumbnailKey && video.thumbnailPath) await blobs.putFile(thumbnailKey, video.thumbnailPath, "image/jpeg");
    if (widePosterKey && video.widePosterPath) await blobs.putFile(widePosterKey, video.widePosterPath, "image/jpeg");
    const stored = await blobs.stat(videoKey);
    const poster = await blobs.stat(posterKey);
    if (stored?.bytes !== video.bytes || !poster?.bytes) throw new Error("The stored video is not the rendered one.");
    const files = {
      video_key: videoKey,
      poster_key: posterKey,
      thumbnail_key: thumbnailKey,
      wide_poster_key: widePosterKey ?? posterKey,
      share_key: video.bytes <= limits.shareFileBytes ? videoKey : null,
      video_bytes: video.bytes,
      duration_seconds: video.durationSeconds,
      moments: storedMoments(video.moments),
    };
    return complete(services, clip, target, files, run.isAutomatic);
  });
  if (!isCompleted) return;
  outdateTopLists(services);
  await deleteEarlierVideos(services, place, keys);
}

/** Renders into the folder of the run, and keeps the reliefs that were drawn. */
async function render(
  services: Services,
  clip: DrawnClip,
  target: RenderTarget,
  { folder, signal, progress }: VideoRun,
): Promise<StartedRender> {
  const demo = await services.database
    .selectFrom("demos")
    .select(["track_key", "players", "map"])
    .where("sha256", "=", clip.demo_sha256 ?? "")
    .executeTakeFirst();
  const track = await openTrack(services, demo);
  let map: Awaited<ReturnType<typeof openClipMap>> = null;
  const spec = specOf(clip, target);
  const reliefs = reliefNames(clip, track.key, spec);
  let video: StartedRender;
  try {
    map = await openClipMap(services, clip);
    video = await startRender(
      {
        trackPath: track.path,
        spec,
        hasListPictures: target.format === undefined,
        avatars: await playerAvatars(services, demo?.players ?? [], signal),
        mapFootprintsPath: map?.path,
        reliefPaths: await keptReliefs(services, reliefs),
        outputDirectory: folder,
        ffmpegPath: services.config.FFMPEG_PATH,
      },
      { signal, onProgress: (fraction) => progress.report(fraction), containment: services.containment },
    );
  } catch (error) {
    // The kept relief of this match may have been the cause.
    if (error instanceof RenderError) await dropRelief(services, reliefs.match);
    throw error;
  } finally {
    await map?.release();
    await track.release();
    await progress.settled();
  }
  await settleReliefs(services, { clipId: clip.id, map: track.map }, reliefs, video);
  return video;
}

/** An added format shows the clip's current name, which may have changed since the spec was made. */
function specOf(clip: DrawnClip, { format }: RenderTarget): ClipSpec {
  return format === undefined ? clip.spec : { ...clip.spec, ...clipFormats[format], title: clip.name };
}

/** Marks a clip as completed, and sends jobs for its loop, and for its file for chat apps if the video itself is too large. */
function complete(
  { database, jobs, now }: Services,
  clip: DrawnClip,
  target: RenderTarget,
  files: RenderedFiles,
  isAutomatic: boolean,
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    if (!(await completeRender(transaction, target, files, now()))) return false;
    if (target.format !== undefined) {
      const { format } = target;
      await announce(transaction, { event: "clip.format_ready", userId: clip.user_id, id: clip.id, format });
      return true;
    }
    await announce(transaction, { event: "clip.ready", userId: clip.user_id, id: clip.id });
    const sent = { ownerId: clip.user_id, transaction, isAutomatic };
    if (files.share_key === null) await jobs.send("share", { clipId: clip.id }, sent);
    await jobs.send("loop", { clipId: clip.id }, sent);
    return true;
  });
}

/** Keeps the drawn reliefs for the next clip. If they cannot be kept, this clip is finished all the same. */
async function settleReliefs(
  services: Services,
  { clipId, map }: { clipId: number; map: string },
  names: ReliefNames,
  { drawnOn, reliefPath }: StartedRender,
): Promise<void> {
  const { log } = services;
  if (drawnOn.mapProblem) log.warn({ err: drawnOn.mapProblem, clipId }, "drawn without the map's footprints");
  try {
    const name = names[drawnOn.ground];
    if (drawnOn.relief === "damaged" && name) await dropRelief(services, name);
    // Drawn and kept by a process that has read nothing of any one match.
    if (drawnOn.ground === "map" && drawnOn.relief !== "kept") await sendMapJob(services, map);
    if (reliefPath) await keepRelief(services, names.match, reliefPath);
  } catch (error) {
    log.warn({ err: error, clipId }, "relief not kept");
  }
}

async function openTrack(services: Services, demo: Pick<DemoRow, "track_key" | "map"> | undefined) {
  const gone = "The replay data of this match has been deleted, so the clip cannot be rendered.";
  if (!demo?.track_key) throw new VideoRefused(gone);
  try {
    return { ...(await services.blobs.openLocal(demo.track_key)), key: demo.track_key, map: demo.map };
  } catch (error) {
    if (error instanceof BlobMissingError) throw new VideoRefused(gone);
    throw error;
  }
}
