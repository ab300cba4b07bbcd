import { randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Busboy } from "@fastify/busboy";
import { ApiError } from "../api/request-context.ts";
import type { Services } from "../services.ts";
import { BlobStoreFullError } from "../storage/blob-store.ts";

const fieldName = "demo_file";

/**
 * Takes an uploaded demo file from a multipart form (field `demo_file`) into the blob store, streamed through the disk.
 * @returns its blob key
 * @throws ApiError 400 without a file, 413 when it is larger than MAX_DOWNLOAD_BYTES, 507 when the disk is full
 */
export async function receiveDemoFile(services: Services, request: Request): Promise<string> {
  const contentType = request.headers.get("content-type") ?? "";
  if (!/^multipart\/form-data\b/i.test(contentType) || !request.body) throw noFile();
  const most = services.config.MAX_DOWNLOAD_BYTES;
  if (Number(request.headers.get("content-length") ?? 0) > most + formOverheadBytes) throw tooLarge(most);
  const token = randomBytes(12).toString("hex");
  const folder = join(services.scratchDirectory, `upload-${token}`);
  const path = join(folder, "demo");
  await mkdir(folder, { recursive: true });
  try {
    await streamFile(request, contentType, path, most);
    if ((await stat(path).catch(() => null))?.size === undefined) throw noFile();
    const key = `uploads/${token}`;
    await services.blobs.putFile(key, path, "application/octet-stream");
    return key;
  } catch (error) {
    if (error instanceof BlobStoreFullError || isDiskFull(error)) {
      throw new ApiError(507, "disk_full", "This server has no disk space left for the demo. Try again later.");
    }
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What a form adds around its file: boundaries, headers, the other fields. */
const formOverheadBytes = 64 * 1024;

async function streamFile(request: Request, contentType: string, path: string, mostBytes: number): Promise<void> {
  const form = new Busboy({
    headers: { "content-type": contentType },
    limits: { files: 1, fileSize: mostBytes, fields: 20, fieldSize: 4096, parts: 30 },
  });
  let stored: Promise<void> | null = null;
  let truncated = false;
  form.on("file", (name, file) => {
    if (name !== fieldName || stored) {
      file.resume();
      return;
    }
    file.on("limit", () => {
      truncated = true;
    });
    stored = pipeline(file, createWriteStream(path));
    // Awaited below; without this an early failure would count as unhandled until then.
    stored.catch((error: unknown) => form.destroy(error as Error));
  });
  try {
    await pipeline(Readable.fromWeb(request.body as import("node:stream/web").ReadableStream), form);
    await stored;
  } catch (error) {
    if (truncated) throw tooLarge(mostBytes);
    if (isDiskFull(error)) throw error;
    throw new ApiError(400, "upload_cut_off", "The upload was cut off. Please try again.");
  }
  if (truncated) throw tooLarge(mostBytes);
  if (!stored) throw noFile();
}

function noFile(): ApiError {
  return ApiError.field(fieldName, "Please choose a demo file");
}

function tooLarge(bytes: number): ApiError {
  const sentence = `The file is larger than this server accepts (${Math.floor(bytes / 1024 ** 2)} MiB).`;
  return new ApiError(413, "file_too_large", sentence, { fields: { [fieldName]: [sentence] } });
}

function isDiskFull(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return code === "ENOSPC" || code === "EDQUOT";
}
