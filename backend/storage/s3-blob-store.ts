import { createHash, type Hash, randomBytes } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { AwsClient } from "aws4fetch";
import { deadlines } from "../waits/deadlines.ts";
import { guardedStream } from "../waits/guarded-stream.ts";
import { blobKeyParts, isBlobKey } from "./blob-key.ts";
import {
  type BlobInParts,
  BlobMissingError,
  type BlobPart,
  type BlobStat,
  type BlobStore,
  PartsGoneError,
  type Patience,
  RemoteStoreFullError,
  StoreUnavailableError,
} from "./blob-store.ts";

export interface S3Options {
  /** e.g. https://s3.eu-central-1.amazonaws.com or http://store:9000 */
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** For local copies of blobs, e.g. the scratch folder. */
  temporaryFolder: string;
  /** Whether visitors' browsers reach the endpoint, too. If not, there are no signed addresses and the server sends the blobs. */
  isPublic: boolean;
  /** Larger files are uploaded in parts of this size; S3 wants at least 5 MiB. Default 16 MiB: 160 GB in the 10,000 parts S3 allows. */
  partBytes?: number;
  deadlines?: Partial<Record<keyof typeof deadlines.s3, number>>;
  /** Before the first retry; each further wait is four times as long. */
  retryAfterMs?: number;
}

/** Attempts when a job waits. */
const attempts = 4;
/** Attempts when a visitor waits: a kept-alive connection may have been closed meanwhile. */
const attemptsInTime = 2;
/** A store that did not answer is not asked again for visitors for this long, and then only by one of them. */
const awayForMs = 5000;

/** A bucket that was seen is assumed to exist for this long, so that a missing object usually costs one request. */
const bucketSeenForMs = 3000;
/** Codes about the object or the upload. Any other 404 is about the bucket, or from a proxy without a store behind it. */
const isOfObject = /^NoSuch(Key|Upload)$/;
/** Codes for parts that the store does not have, or not as they were stored. */
const isOfGoneParts = /^(NoSuchUpload|InvalidPart)$/;
/** Handles of blobs that come in parts begin with this, so that those of a folder are told from them. */
const handlePrefix = "s3-";
/** Codes of a store with an internal problem, usually with status 5xx. */
const isOfTrouble = /^(InternalError|ServiceUnavailable|SlowDown)$/;
/** Minimum interval of checks whether a store has room again, since one may upload some MiB. */
const askedForRoomForMs = 30_000;

interface S3Request {
  /** Default: that of a job. With "probe" and "visitor" all attempts share one deadline. */
  patience?: Patience | "probe";
  body?: Uint8Array<ArrayBuffer> | string | FileBody;
  headers?: Record<string, string>;
}

/** A whole local file as a body, read anew for each attempt and never in memory. */
interface FileBody {
  path: string;
  bytes: number;
  /** Hexadecimal. */
  sha256: string;
}

/** An answer other than success. `code` is S3's, "" if the answer has none. */
class S3Error extends Error {
  readonly status: number;
  readonly code: string;

  constructor(action: string, status: number, code: string) {
    super(`The S3 store answered ${action} with ${status}${code && ` ${code}`}.`);
    this.status = status;
    this.code = code;
  }
}

/** The header in which `storeCopy` stores the hash of an object. */
const hashHeader = "x-amz-meta-sha256";

/** The file to store is not the one that was hashed. */
export class SourceChangedError extends Error {}

/** A store that also reports hashes, for copies that have to be verified. */
export interface S3BlobStore extends BlobStore {
  /** `sha256` in hexadecimal is that of the content given to `storeCopy`; null for objects that were stored otherwise. */
  stat(key: string, patience?: Patience): Promise<(BlobStat & { sha256: string | null }) | null>;
  /**
   * As `putFile`, but keeps the file and stores its hash with the object.
   * @param sha256 of the file, in hexadecimal
   * @throws SourceChangedError, without storing anything, if the file has changed
   */
  storeCopy(key: string, sourcePath: string, contentType: string, sha256: string): Promise<void>;
}

/** Stores blobs as objects of a bucket. Addresses are path-style, which every S3 store supports. */
export function openS3BlobStore(options: S3Options): S3BlobStore {
  return new BucketBlobStore(options);
}

class BucketBlobStore implements S3BlobStore {
  readonly #options: S3Options &
    Required<Pick<S3Options, "partBytes" | "retryAfterMs">> & { deadlines: Record<keyof typeof deadlines.s3, number> };
  readonly #client: AwsClient;
  #bucketSeenUntil = 0;
  /** 0: not known to be unreachable for visitors. */
  #awayUntil = 0;
  /** Size of the upload (or its part) for which the store last had no room; null after a success. */
  #lackedBytes: number | null = null;
  #room: { asked: Promise<void>; until: number } | null = null;

  constructor(options: S3Options) {
    const { accessKeyId, secretAccessKey, region } = options;
    this.#options = {
      ...options,
      partBytes: options.partBytes ?? 16 * 1024 ** 2,
      deadlines: { ...deadlines.s3, ...options.deadlines },
      retryAfterMs: options.retryAfterMs ?? 200,
    };
    // We retry by ourselves, because aws4fetch does not repeat requests without an answer.
    this.#client = new AwsClient({ accessKeyId, secretAccessKey, region, service: "s3", retries: 0 });
  }

  #address(path: string, query: Record<string, string> = {}): string {
    const { endpoint, bucket } = this.#options;
    const address = new URL(`${endpoint.replace(/\/+$/, "")}/${bucket}${path && `/${path}`}`);
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
    return address.href;
  }

  #objectAddress(key: string, query?: Record<string, string>): string {
    return this.#address(blobKeyParts(key).join("/"), query);
  }

  /** One request with its whole answer. @throws S3Error for an answer other than success */
  async #request(
    method: string,
    address: string,
    options: S3Request = {},
  ): Promise<{ headers: Headers; text: string }> {
    return this.#answerTo(method, address, options, async (response) => ({
      headers: response.headers,
      text: await response.text(),
    }));
  }

  /**
   * One signed request, repeated when the store does not answer or has a problem.
   * @param take reads the answer, within the deadline
   * @throws S3Error for an answer other than success
   */
  async #answerTo<Taken>(
    method: string,
    address: string,
    { body, headers = {}, patience = "job" }: S3Request,
    take: (response: Response) => Taken | Promise<Taken>,
  ): Promise<Taken> {
    const file = body !== undefined && typeof body === "object" && "path" in body ? body : null;
    const bytes = file ? undefined : (body as Exclude<typeof body, FileBody>);
    const sha256 =
      file?.sha256 ??
      createHash("sha256")
        .update(bytes ?? "")
        .digest("hex");
    const action = `${method} ${new URL(address).pathname}`;
    const { requestMs, probeMs, visitorMs } = this.#options.deadlines;
    const isJob = patience === "job";
    if (patience === "visitor") this.#refuseWhileAway();
    const inTimeUntil = performance.now() + (patience === "visitor" ? visitorMs : probeMs);
    for (let attempt = 1; ; attempt++) {
      const overdue = new AbortController();
      const timer = setTimeout(
        () => overdue.abort(new Error("The S3 store does not answer.")),
        isJob ? requestMs : Math.max(0, inTimeUntil - performance.now()),
      );
      try {
        const signed = await this.#client.sign(address, {
          method,
          ...(bytes === undefined ? {} : { body: bytes }),
          // The store compares the body with its hash, so nothing is stored that was damaged on the way.
          headers: { ...headers, "x-amz-content-sha256": sha256 },
        });
        const response = await fetch(signed, { signal: overdue.signal, ...(file ? streamed(file, signed) : {}) });
        this.#awayUntil = 0;
        if (response.ok) return await take(response);
        const code = /<Code>([^<]*)<\/Code>/.exec(await response.text())?.[1] ?? "";
        throw new S3Error(action, response.status, code);
      } catch (error) {
        const isFinal = error instanceof S3Error && error.status < 500 && error.status !== 429;
        // 507 (Insufficient Storage) and 501 (Not Implemented) are not cured by waiting. Our requests need no special rights, so a refusal
        // means that credentials have expired or a clock is wrong, which an operator has to correct.
        const isRefused = error instanceof S3Error && (error.status === 401 || error.status === 403);
        if (isRefused && !isFull(error))
          throw new StoreUnavailableError(`The S3 store refuses us: ${String(error)}`, { cause: error });
        // Answers to HEAD have no code; `stat` checks the bucket.
        if (isMissing(error) && method !== "HEAD" && !isOfObject.test((error as S3Error).code))
          throw new StoreUnavailableError(`The S3 store is not where it was: ${String(error)}`, { cause: error });
        if (isFinal || (error instanceof S3Error && /^50[17]$/.test(`${error.status}`))) throw error;
        const isOver = isJob ? attempt >= attempts : attempt >= attemptsInTime || overdue.signal.aborted;
        if (isOver && !isJob && !(error instanceof S3Error)) this.#awayUntil = performance.now() + awayForMs;
        if (isOver) throw new StoreUnavailableError(`The S3 store is away: ${String(error)}`, { cause: error });
        await new Promise((resolve) => setTimeout(resolve, this.#options.retryAfterMs * 4 ** (attempt - 1)));
      } finally {
        clearTimeout(timer);
      }
    }
  }

  /**
   * Avoids that one visitor after another waits for an unreachable store. When it may be back one of them tries.
   * @throws StoreUnavailableError
   */
  #refuseWhileAway(): void {
    if (this.#awayUntil === 0) return;
    const now = performance.now();
    if (now < this.#awayUntil) throw new StoreUnavailableError("The S3 store gave no answer a moment ago.");
    this.#awayUntil = now + this.#options.deadlines.visitorMs;
  }

  async putFile(key: string, sourcePath: string, contentType: string): Promise<void> {
    await this.#store(key, sourcePath, { "content-type": contentType }, null);
    await rm(sourcePath, { force: true });
  }

  async storeCopy(key: string, sourcePath: string, contentType: string, sha256: string): Promise<void> {
    await this.#store(key, sourcePath, { "content-type": contentType, [hashHeader]: sha256 }, sha256);
  }

  /** @param expected SHA-256 that the file must have; null for any */
  async #store(
    key: string,
    sourcePath: string,
    headers: Record<string, string>,
    expected: string | null,
  ): Promise<void> {
    const file = await open(sourcePath, "r");
    let attempted = 0;
    try {
      const { size } = await file.stat();
      const hash = createHash("sha256");
      const check = () => {
        if (expected !== null && hash.digest("hex") !== expected) {
          throw new SourceChangedError(`${sourcePath} changed while it was stored.`);
        }
      };
      attempted = Math.min(size, this.#options.partBytes);
      if (size <= this.#options.partBytes) {
        const body = await readBytes(file, 0, size);
        hash.update(body);
        check();
        await this.#request("PUT", this.#objectAddress(key), { body, headers });
      } else await this.#putParts(key, file, size, headers, { hash, check });
    } catch (error) {
      if (!isFull(error)) throw error;
      this.#lackedBytes = Math.max(this.#lackedBytes ?? 0, attempted);
      throw new RemoteStoreFullError("The S3 store is full.", { cause: error });
    } finally {
      await file.close();
    }
  }

  async #putParts(
    key: string,
    file: FileHandle,
    size: number,
    headers: Record<string, string>,
    { hash, check }: { hash: Hash; check: () => void },
  ): Promise<void> {
    const { partBytes } = this.#options;
    const uploadId = await this.#beginParts(key, headers);
    try {
      const parts: string[] = [];
      for (let start = 0, number = 1; start < size; start += partBytes, number++) {
        const body = await readBytes(file, start, Math.min(partBytes, size - start));
        hash.update(body);
        const address = this.#objectAddress(key, { partNumber: String(number), uploadId });
        const etag = (await this.#request("PUT", address, { body })).headers.get("etag") ?? "";
        parts.push(partXml(number, etag));
      }
      check();
      await this.#completeParts(key, uploadId, parts).catch(async (error) => {
        // A repeated request whose first answer was lost finds that the upload no longer exists.
        if (!(error instanceof S3Error) || error.code !== "NoSuchUpload") throw error;
        const stored = await this.stat(key);
        if (stored?.bytes !== size || stored.sha256 !== (headers[hashHeader] ?? null)) throw error;
      });
    } catch (error) {
      await this.#request("DELETE", this.#objectAddress(key, { uploadId })).catch(() => {});
      throw error;
    }
  }

  async #beginParts(key: string, headers: Record<string, string>): Promise<string> {
    const { text } = await this.#request("POST", this.#objectAddress(key, { uploads: "" }), { headers });
    const uploadId = xmlText(text, "UploadId");
    if (!uploadId) throw new Error("The S3 store began no upload in parts.");
    return uploadId;
  }

  async #completeParts(key: string, uploadId: string, parts: readonly string[]): Promise<void> {
    const body = `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`;
    const headers = { "content-type": "application/xml" };
    await this.#answerTo("POST", this.#objectAddress(key, { uploadId }), { body, headers }, async (response) => {
      // S3 begins this answer before it is done, so it can be 200 and still contain an error.
      const code = /<Error>[\s\S]*<Code>([^<]*)<\/Code>/.exec(await response.text())?.[1];
      if (code) throw new S3Error(`completion of ${key}`, isOfTrouble.test(code) ? 503 : response.status, code);
    });
  }

  async beginParts(key: string, contentType: string): Promise<string> {
    return handlePrefix + (await this.#beginParts(key, { "content-type": contentType }));
  }

  async putPart(blob: BlobInParts, { number, path }: BlobPart): Promise<string> {
    const uploadId = uploadIdOf(blob);
    const { bytes, sha256 } = await measured(path);
    try {
      const address = this.#objectAddress(blob.key, { partNumber: String(number), uploadId });
      return (await this.#request("PUT", address, { body: { path, bytes, sha256 } })).headers.get("etag") ?? "";
    } catch (error) {
      if (isFull(error)) {
        this.#lackedBytes = Math.max(this.#lackedBytes ?? 0, bytes);
        throw new RemoteStoreFullError("The S3 store is full.", { cause: error });
      }
      throw error instanceof S3Error && isOfGoneParts.test(error.code) ? partsGone(blob, error) : error;
    }
  }

  async completeParts(blob: BlobInParts, tags: readonly string[], bytes: number): Promise<void> {
    const uploadId = uploadIdOf(blob);
    const parts = tags.map((tag, index) => partXml(index + 1, tag));
    try {
      await this.#completeParts(blob.key, uploadId, parts);
    } catch (error) {
      const isGone =
        error instanceof S3Error ? isOfGoneParts.test(error.code) : await this.#isUploadGone(blob.key, uploadId);
      if (!isGone) throw error;
      if ((await this.stat(blob.key))?.bytes !== bytes) throw partsGone(blob, error);
    }
  }

  /** Ceph answers 500 to the completion of an upload that was aborted. */
  async #isUploadGone(key: string, uploadId: string): Promise<boolean> {
    try {
      await this.#request("GET", this.#objectAddress(key, { uploadId }));
      return false;
    } catch (error) {
      return isMissing(error);
    }
  }

  async abortParts({ key, handle }: BlobInParts): Promise<void> {
    if (!handle.startsWith(handlePrefix)) return;
    const uploadId = handle.slice(handlePrefix.length);
    try {
      await this.#request("DELETE", this.#objectAddress(key, { uploadId }));
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }

  async probe(patience?: Patience): Promise<void> {
    await this.#askForBucket(patience ?? "probe");
    if (patience === "visitor") return;
    if (this.#lackedBytes === null) return;
    const now = performance.now();
    if (!this.#room || this.#room.until < now) {
      this.#room = { asked: this.#askForRoom(this.#lackedBytes), until: now + askedForRoomForMs };
    }
    await this.#room.asked;
  }

  /** @throws StoreUnavailableError when the bucket is gone, or the answer is not from an S3 store */
  async #askForBucket(patience: Patience | "probe"): Promise<void> {
    const query = { "list-type": "2", "max-keys": "1", prefix: "probes/" };
    const { text } = await this.#request("GET", this.#address("", query), { patience });
    if (!text.includes("<ListBucketResult")) throw new StoreUnavailableError("What answers is no S3 store.");
    this.#bucketSeenUntil = performance.now() + bucketSeenForMs;
  }

  /** A store reports that it is full only by refusing an upload. */
  async #askForRoom(bytes: number): Promise<void> {
    const address = this.#objectAddress(`probes/room-${randomBytes(8).toString("hex")}`);
    try {
      await this.#request("PUT", address, { body: new Uint8Array(bytes) });
      this.#lackedBytes = null;
      this.#room = null;
    } catch (error) {
      if (isFull(error)) throw new RemoteStoreFullError("The S3 store is still full.", { cause: error });
      throw error;
    }
    await this.#request("DELETE", address);
  }

  async stat(key: string, patience: Patience = "job"): Promise<(BlobStat & { sha256: string | null }) | null> {
    try {
      const { headers } = await this.#request("HEAD", this.#objectAddress(key), { patience });
      return {
        bytes: Number(headers.get("content-length") ?? 0),
        etag: headers.get("etag") ?? "",
        modifiedAt: new Date(headers.get("last-modified") ?? 0),
        contentType: headers.get("content-type") ?? "application/octet-stream",
        sha256: headers.get(hashHeader),
      };
    } catch (error) {
      if (!isMissing(error)) throw error;
      if (performance.now() > this.#bucketSeenUntil) await this.#askForBucket(patience);
      return null;
    }
  }

  async read(
    key: string,
    range?: { start: number; end: number },
    patience: Patience = "job",
  ): Promise<ReadableStream<Uint8Array>> {
    try {
      const headers: Record<string, string> = range ? { range: `bytes=${range.start}-${range.end}` } : {};
      const response = await this.#answerTo("GET", this.#objectAddress(key), { headers, patience }, (answer) => answer);
      if (range && response.status !== 206) {
        await response.body?.cancel();
        throw new Error(`The S3 store ignored the range of ${key}.`);
      }
      // The deadline only covered the beginning of the answer: the rest takes as long as its reader.
      const { silentMs } = this.#options.deadlines;
      return response.body ? guardedStream(response.body, { silentMs }) : new Blob([]).stream();
    } catch (error) {
      if (isMissing(error)) throw new BlobMissingError(`There is no blob “${key}”.`);
      throw error;
    }
  }

  async openLocal(key: string): Promise<{ path: string; release(): Promise<void> }> {
    const path = join(this.#options.temporaryFolder, `blob-${randomBytes(8).toString("hex")}`);
    const release = () => rm(path, { force: true });
    let lost: Error | undefined;
    try {
      const source = Readable.fromWeb((await this.read(key)) as NodeReadableStream<Uint8Array>);
      // Errors of the download are the store's; errors of the disk are ours.
      source.once("error", (error) => {
        lost ??= error;
      });
      await pipeline(source, createWriteStream(path, { flags: "wx" }));
      return { path, release };
    } catch (error) {
      await release();
      if (lost && error === lost)
        throw new StoreUnavailableError(`The S3 store broke off: ${String(error)}`, { cause: error });
      throw error;
    }
  }

  async delete(key: string): Promise<void> {
    try {
      await this.#request("DELETE", this.#objectAddress(key));
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }

  async signedUrl(
    key: string,
    { contentType, seconds }: { contentType: string; seconds: number },
  ): Promise<string | null> {
    if (!this.#options.isPublic) return null;
    const address = this.#objectAddress(key, {
      "X-Amz-Expires": String(Math.round(seconds)),
      "response-content-type": contentType,
    });
    return (await this.#client.sign(address, { method: "GET", aws: { signQuery: true } })).url;
  }

  async *list(prefix: string, after = ""): AsyncIterable<string> {
    for await (const { key } of this.listSizes(prefix, after)) yield key;
  }

  async *listSizes(prefix: string, after = ""): AsyncIterable<{ key: string; bytes: number }> {
    let next: string | null = null;
    do {
      const query: Record<string, string> = { "list-type": "2", prefix };
      if (after) query["start-after"] = after;
      if (next) query["continuation-token"] = next;
      const { text: page } = await this.#request("GET", this.#address("", query));
      for (const [, blob = ""] of page.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
        const key = xmlText(blob, "Key");
        // A bucket may contain keys that no blob has: consoles create folder marks that end with a slash.
        if (key !== null && isBlobKey(key)) yield { key, bytes: Number(xmlText(blob, "Size") ?? 0) };
      }
      next = xmlText(page, "IsTruncated") === "true" ? xmlText(page, "NextContinuationToken") : null;
    } while (next);
  }

  // MinIO lists uploads of one whole key only, and so none here; it aborts them itself after a day.
  async endUploads(prefix: string, begunBefore: Date, inUse: ReadonlySet<string> = new Set()): Promise<number> {
    let ended = 0;
    let next: Record<string, string> | null = {};
    try {
      while (next) {
        const { text: page } = await this.#request("GET", this.#address("", { uploads: "", prefix, ...next }));
        for (const [, upload = ""] of page.matchAll(/<Upload>(.*?)<\/Upload>/gs)) {
          const key = xmlText(upload, "Key");
          const uploadId = xmlText(upload, "UploadId");
          const begunAt = new Date(xmlText(upload, "Initiated") ?? Number.NaN);
          if (!key?.startsWith(prefix) || !isBlobKey(key) || !uploadId || !(begunAt < begunBefore)) continue;
          if (inUse.has(handlePrefix + uploadId)) continue;
          await this.#request("DELETE", this.#objectAddress(key, { uploadId }));
          ended++;
        }
        next =
          xmlText(page, "IsTruncated") === "true"
            ? {
                "key-marker": xmlText(page, "NextKeyMarker") ?? "",
                "upload-id-marker": xmlText(page, "NextUploadIdMarker") ?? "",
              }
            : null;
      }
    } catch (error) {
      // It ended meanwhile, or the store does not support this call, or the credentials may not make it: a rule of the bucket can abort
      // them.
      const cause = error instanceof StoreUnavailableError ? error.cause : error;
      if (!(cause instanceof S3Error) || (cause.status >= 500 && cause.status !== 501)) throw error;
    }
    return ended;
  }
}

async function readBytes(file: FileHandle, start: number, bytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const buffer = new Uint8Array(bytes);
  for (let filled = 0; filled < bytes; ) {
    const { bytesRead } = await file.read(buffer, filled, bytes - filled, start + filled);
    if (bytesRead === 0) throw new Error("The file became shorter while it was stored.");
    filled += bytesRead;
  }
  return buffer;
}

/** The whole file as the body of a signed request: its length is known, which S3 demands. */
function streamed({ path, bytes }: FileBody, { headers }: Request): RequestInit {
  const body = Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>;
  const withLength = new Headers(headers);
  withLength.set("content-length", String(bytes));
  return { body, headers: withLength, duplex: "half" } as RequestInit;
}

async function measured(path: string): Promise<Pick<FileBody, "bytes" | "sha256">> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(piece);
    bytes += piece.byteLength;
  }
  return { bytes, sha256: hash.digest("hex") };
}

/** @throws PartsGoneError for the handle of another kind of store */
function uploadIdOf(blob: BlobInParts): string {
  if (!blob.handle.startsWith(handlePrefix)) throw partsGone(blob);
  return blob.handle.slice(handlePrefix.length);
}

function partsGone({ key }: BlobInParts, cause?: unknown): PartsGoneError {
  return new PartsGoneError(`The S3 store has not all parts of ${key}.`, { cause });
}

function partXml(number: number, etag: string): string {
  return `<Part><PartNumber>${number}</PartNumber><ETag>${etag.replaceAll('"', "&quot;")}</ETag></Part>`;
}

function xmlText(xml: string, element: string): string | null {
  const text = new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml)?.[1];
  return text === undefined ? null : unescapeXml(text);
}

function unescapeXml(text: string): string {
  const characters: Record<string, string> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };
  return text.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => characters[name] ?? "");
}

function isMissing(error: unknown): boolean {
  return error instanceof S3Error && error.status === 404;
}

/** MinIO: XMinioStorageFull; Ceph: QuotaExceeded; by status: 507. */
function isFull(error: unknown): boolean {
  return error instanceof S3Error && (error.status === 507 || /StorageFull|QuotaExceeded/.test(error.code));
}
