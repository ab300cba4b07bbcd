import { randomBytes } from "node:crypto";
import { mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Services } from "../services.ts";
import { isDiskFull } from "../storage/disk-full.ts";
import { abortWhenFull } from "../storage/disk-space.ts";
import type { User } from "../storage/schema.ts";
import { deadlines } from "../waits/deadlines.ts";
import { ApiError } from "./api-error.ts";
import { noDiskSpace, readUpload, takeUploadPlace, type UploadDeadlines } from "./receive-demo-file.ts";

/**
 * Receives a part of a demo file through the scratch folder, from which it is gone when this returns. Takes one of the two places that a
 * player's uploads have.
 * @param bytes the length that it must have
 * @param store is given the local file
 * @throws ApiError 400 for another length, or when it is cut off or too slow, 429 when both places are taken, 507 when the disk is full
 *   or nearly so; what `store` throws
 */
export async function receivePart<Stored>(
  services: Services,
  user: User,
  request: Request,
  bytes: number,
  store: (path: string) => Promise<Stored>,
  limits: UploadDeadlines = deadlines.upload,
): Promise<Stored> {
  const announced = request.headers.get("content-length");
  if (!request.body || (announced !== null && Number(announced) !== bytes)) throw wrongLength(bytes);
  if (services.diskSpace.isShort()) throw noDiskSpace();
  const release = await takeUploadPlace(services, user);
  const full = abortWhenFull(services.diskSpace);
  const folder = join(services.scratchDirectory, `upload-${randomBytes(12).toString("hex")}`);
  const path = join(folder, "part");
  try {
    await mkdir(folder, { recursive: true });
    await writePart(request.body, path, bytes, limits, full.signal);
    return await store(path);
  } catch (error) {
    throw isDiskFull(error) ? noDiskSpace() : error;
  } finally {
    full.stop();
    await release();
    await rm(folder, { recursive: true, force: true });
  }
}

async function writePart(
  body: ReadableStream<Uint8Array>,
  path: string,
  bytes: number,
  limits: UploadDeadlines,
  diskFull: AbortSignal,
): Promise<void> {
  const file = await open(path, "wx");
  let length = 0;
  try {
    await readUpload(body, limits, diskFull, {
      async take(piece) {
        length += piece.byteLength;
        if (length > bytes) throw wrongLength(bytes);
        for (let written = 0; written < piece.byteLength; ) {
          written += (await file.write(piece, written)).bytesWritten;
        }
      },
      async end() {
        if (length !== bytes) throw wrongLength(bytes);
      },
    });
  } finally {
    await file.close();
  }
}

function wrongLength(bytes: number): ApiError {
  return new ApiError(400, "part_length", `This part must have exactly ${bytes} bytes.`);
}
