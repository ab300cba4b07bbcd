import { randomBytes } from "node:crypto";
import { mkdir, open, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Busboy, type BusboyFileStream } from "@fastify/busboy";
import { requireDiskRoom } from "../accounts/disk-quota.ts";
import { checkImportRoom } from "../matches/import-quota.ts";
import type { Services } from "../services.ts";
import { isDiskFull } from "../storage/disk-full.ts";
import { abortWhenFull } from "../storage/disk-space.ts";
import type { User } from "../storage/schema.ts";
import { takeSharedPlace } from "../storage/shared-places.ts";
import { deadlines } from "../waits/deadlines.ts";
import { IdleTimer } from "../waits/idle-timer.ts";
import { type MinSpeed, SpeedWatch } from "../waits/speed-watch.ts";
import { untilAborted } from "../waits/until-aborted.ts";
import { ApiError } from "./api-error.ts";

/** Its name in the form. */
export const demoFileField = "demo_file";
const maxUploadsAtOnce = 2;

export interface ReceivedFile {
  key: string;
  bytes: number;
  /** As the browser sent it, so it is untrusted. */
  fileName: string;
}

export interface UploadDeadlines {
  idleMs: number;
  minSpeed: MinSpeed;
}

/**
 * Streams an uploaded demo file from a multipart form (field `demo_file`) through the disk into the blob store. Checks that do not need the
 * body come before it is read; the form's own length is bounded by `limitBodies`. However the upload ends, its file is closed and removed
 * from the scratch folder when this returns.
 * @returns its blob key, and the player's name for the file
 * @throws ApiError 400 without a file or when it is cut off or too slow (a browser would repeat the upload after 408), 413 when it is
 * larger than MAX_DOWNLOAD_BYTES, 429 when the player has imported enough or is uploading already, 507 when the disk is full or nearly so
 */
export async function receiveDemoFile(
  services: Services,
  user: User,
  request: Request,
  limits: UploadDeadlines = deadlines.upload,
): Promise<ReceivedFile> {
  const contentType = request.headers.get("content-type") ?? "";
  if (!/^multipart\/form-data\b/i.test(contentType) || !request.body) throw noFile();
  await checkImportRoom(services, user);
  await requireDiskRoom(services, user.id, Number(request.headers.get("content-length") ?? 0));
  if (services.diskSpace.isShort()) throw noDiskSpace();
  const release = await takeUploadPlace(services, user);
  const full = abortWhenFull(services.diskSpace);
  const token = randomBytes(12).toString("hex");
  const folder = join(services.scratchDirectory, `upload-${token}`);
  const path = join(folder, "demo");
  try {
    await mkdir(folder, { recursive: true });
    const fileName = await storeFile(
      request.body,
      contentType,
      path,
      services.config.MAX_DOWNLOAD_BYTES,
      limits,
      full.signal,
    );
    const key = `uploads/${token}`;
    const { size: bytes } = await stat(path);
    await services.blobs.putFile(key, path, "application/octet-stream");
    return { key, bytes, fileName };
  } catch (error) {
    throw isDiskFull(error) ? noDiskSpace() : error;
  } finally {
    full.stop();
    await release();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Counts an upload as running. @throws ApiError 429 when the player has no more places, in all processes together */
export async function takeUploadPlace(services: Services, { id }: User): Promise<() => Promise<void>> {
  const release = await takeSharedPlace(services, `uploads:${id}`, maxUploadsAtOnce);
  if (release) return release;
  throw new ApiError(429, "upload_limit", "You are uploading two files already. Wait until one of them is here.", {
    headers: { "retry-after": "30" },
  });
}

/** Enough for a form with one file; further parts and fields are skipped. */
const formLimits = { files: 4, fields: 20, fieldSize: 4096, parts: 30, headerPairs: 32, headerSize: 16 * 1024 };

/** Writes the first file in the form's field of that name. */
async function storeFile(
  body: ReadableStream<Uint8Array>,
  contentType: string,
  path: string,
  maxBytes: number,
  limits: UploadDeadlines,
  diskFull: AbortSignal,
): Promise<string> {
  const form = openForm(contentType, maxBytes);
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, diskFull]);
  const finished = new Promise<void>((resolve) => form.once("finish", resolve));
  // Never removed: after an abort the form still emits an error about its early end.
  form.on("error", (error: unknown) => stop.abort(error));
  let file: BusboyFileStream | null = null;
  let fileName = "";
  let written: Promise<void> | null = null;
  form.on("file", (name, part, givenName) => {
    part.on("error", () => {});
    if (name !== demoFileField || file) {
      part.resume();
      return;
    }
    file = part;
    fileName = givenName ?? "";
    part.once("limit", () => stop.abort(tooLarge(maxBytes, demoFileField)));
    written = writeFile(path, part);
    // Also awaited below; here it stops reading.
    written.catch((error: unknown) => stop.abort(error));
  });
  try {
    await readUpload(body, limits, signal, {
      take: (piece) => new Promise<void>((resolve) => form.write(Buffer.from(piece), () => resolve())),
      async end() {
        form.end();
        await untilAborted(finished, signal);
        await written;
      },
    });
    if (!file) throw noFile();
    return fileName;
  } finally {
    // A file that is cut off within its form never ends by itself: it would stay open, and occupy the disk although deleted.
    (file as BusboyFileStream | null)?.destroy();
    await (written as Promise<void> | null)?.catch(() => {});
  }
}

/** What an uploaded body is given to, piece by piece. */
export interface UploadReader {
  take(piece: Uint8Array): Promise<void>;
  end(): Promise<void>;
}

/**
 * Reads a body at the speed that uploads need.
 * @param signal ends it with its reason
 * @throws ApiError 400 when it is cut off or too slow; other ApiErrors and full disks as they come
 */
export async function readUpload(
  body: ReadableStream<Uint8Array>,
  limits: UploadDeadlines,
  signal: AbortSignal,
  { take, end }: UploadReader,
): Promise<void> {
  const idle = new IdleTimer(limits.idleMs);
  const speed = new SpeedWatch(limits.minSpeed);
  const ended = AbortSignal.any([signal, idle.signal, speed.signal]);
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await untilAborted(reader.read(), ended);
      if (done) break;
      idle.refresh();
      speed.add(value.byteLength);
      await untilAborted(take(value), ended);
    }
    await untilAborted(end(), ended);
  } catch (error) {
    if (error instanceof ApiError || isDiskFull(error)) throw error;
    if (idle.signal.aborted || speed.signal.aborted) {
      throw new ApiError(400, "upload_too_slow", "The upload came too slowly, so we stopped it. Please try again.");
    }
    throw new ApiError(400, "upload_cut_off", "The upload was cut off. Please try again.");
  } finally {
    idle.stop();
    speed.stop();
    reader.releaseLock();
  }
}

/** @throws ApiError 400 for a content type without a boundary */
function openForm(contentType: string, maxBytes: number) {
  try {
    return new Busboy({ headers: { "content-type": contentType }, limits: { ...formLimits, fileSize: maxBytes } });
  } catch {
    throw noFile();
  }
}

/** The file is closed when this resolves or rejects. */
async function writeFile(path: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, "wx");
  try {
    for await (const piece of pieces) {
      for (let written = 0; written < piece.byteLength; ) {
        written += (await file.write(piece, written)).bytesWritten;
      }
    }
  } finally {
    await file.close();
  }
}

export function noDiskSpace(): ApiError {
  return new ApiError(507, "disk_full", "This server has no disk space left for the demo. Try again later.");
}

function noFile(): ApiError {
  return ApiError.field(demoFileField, "Please choose a demo file");
}

/** @param field of the form or body that is at fault */
export function tooLarge(maxBytes: number, field: string): ApiError {
  const sentence = `The file is larger than this server accepts (${Math.floor(maxBytes / 1024 ** 2)} MiB).`;
  return new ApiError(413, "file_too_large", sentence, { fields: { [field]: [sentence] } });
}
