import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { untilAborted } from "../http/until-aborted.ts";
import { formatOf, looksLikeHtml, sniffedBytes } from "./demo-format.ts";
import { DemoImportError, fromFileSystem, writtenBytes } from "./demo-import-error.ts";
import { type PinnedResponse, pinnedRequest } from "./pinned-request.ts";
import { checkedAddresses, type LookUpHost } from "./public-address.ts";

export interface DownloadProgress {
  receivedBytes: number;
  /** null while the server has not said. */
  totalBytes: number | null;
}

export interface DownloadOptions {
  /** An existing folder of the job's own. */
  directory: string;
  /** `host` or `host:port` entries that may lead to private addresses. */
  allowHosts: readonly string[];
  /** Most bytes of the file as it comes, packed. */
  maxBytes: number;
  /** Ends the download; the promise rejects with the signal's reason. */
  signal?: AbortSignal;
  /** At most four times a second. @param fraction 0..1; null when the size is not known */
  onProgress?: (fraction: number | null, progress: DownloadProgress) => void;
  /** Without a byte for this long a connection is taken for dead. */
  idleMs?: number;
  /** Longest time for everything. */
  totalMs?: number;
  /** Tries in a row that bring nothing new before giving up. */
  tries?: number;
  /** Wait before the second try; doubles with each. */
  backoffMs?: number;
  /** Name resolution; the system's by default. */
  lookUpHost?: LookUpHost;
}

export interface DownloadedFile {
  path: string;
  bytes: number;
  /** Last part of the address, for people to recognise the file by. */
  fileName: string;
  /** When the host says the file was made (`Last-Modified`): for demos soon after the match ended. null when it does not. */
  lastModified: Date | null;
}

const mostRedirects = 5;
const longestBackoffMs = 15_000;
const progressEveryMs = 250;

/**
 * Downloads a demo file from an address a visitor gave us.
 *
 * Each address on the way is resolved, has to be public, and is the one connected to. A connection that breaks is taken up
 * where it broke when the server can do that and the file is still the same. What is no demo is noticed by its first bytes.
 *
 * @throws DemoImportError with a sentence for the player; the signal's reason when aborted
 */
export async function downloadDemo(address: string, options: DownloadOptions): Promise<DownloadedFile> {
  if (!URL.canParse(address)) throw new DemoImportError("bad_url");
  const url = new URL(address);
  const partPath = join(options.directory, "download.part");
  const download = new Download(url, partPath, options);
  try {
    await download.run();
    const path = join(options.directory, "download");
    await rename(partPath, path);
    const { receivedBytes: bytes, lastModified } = download;
    return { path, bytes, fileName: fileNameOf(url), lastModified };
  } catch (error) {
    await rm(partPath, { force: true });
    options.signal?.throwIfAborted();
    throw fromFileSystem(error);
  }
}

function fileNameOf(url: URL): string {
  const last = url.pathname.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

/** A failure after which another try may succeed; `error` is what the player reads when none does. */
class TryAgain extends Error {
  readonly error: DemoImportError;
  /** How long the server asked us to stay away. */
  readonly afterMs: number;

  constructor(error: DemoImportError, afterMs = 0) {
    super(error.message, { cause: error });
    this.error = error;
    this.afterMs = afterMs;
  }
}

class Download {
  receivedBytes = 0;
  lastModified: Date | null = null;
  private totalBytes: number | null = null;
  /** ETag or date by which the server knows the file we have a part of. */
  private validator: string | null = null;
  private head = Buffer.alloc(0);
  private isHeadChecked = false;
  private lastProgress = 0;
  private readonly url: URL;
  private readonly partPath: string;
  private readonly options: DownloadOptions;

  constructor(url: URL, partPath: string, options: DownloadOptions) {
    this.url = url;
    this.partPath = partPath;
    this.options = options;
  }

  async run(): Promise<void> {
    const { signal, totalMs = 30 * 60_000, tries = 4, backoffMs = 1000 } = this.options;
    const timeUp = AbortSignal.timeout(totalMs);
    const stop = signal ? AbortSignal.any([signal, timeUp]) : timeUp;
    let failures = 0;
    let mostReceived = 0;
    const file = await open(this.partPath, "w");
    try {
      for (;;) {
        try {
          await this.tryOnce(file, stop);
          return;
        } catch (error) {
          if (timeUp.aborted) throw new DemoImportError("timeout", { host: this.url.host }, error);
          stop.throwIfAborted();
          if (!(error instanceof TryAgain)) throw error;
          failures = this.receivedBytes > mostReceived ? 1 : failures + 1;
          mostReceived = Math.max(mostReceived, this.receivedBytes);
          if (failures >= tries) throw error.error;
          const backoff = Math.min(backoffMs * 2 ** (failures - 1), longestBackoffMs);
          // Jitter: many imports cut off by one broken server do not come back at the same moment.
          await wait(Math.max(backoff * (0.5 + Math.random() / 2), error.afterMs), undefined, { signal: stop }).catch(
            () => {
              if (timeUp.aborted) throw new DemoImportError("timeout", { host: this.url.host });
              stop.throwIfAborted();
            },
          );
        }
      }
    } finally {
      await file.close();
    }
  }

  /** One connection, from the first address through all redirects to the last byte. */
  private async tryOnce(file: FileHandle, stop: AbortSignal): Promise<void> {
    const idle = new IdleTimer(this.options.idleMs ?? 30_000);
    const signal = AbortSignal.any([stop, idle.signal]);
    try {
      await this.followRedirects(file, signal, idle);
    } catch (error) {
      if (error instanceof TryAgain || stop.aborted) throw error;
      if (idle.signal.aborted) throw new TryAgain(new DemoImportError("timeout", { host: this.url.host }, error));
      if (error instanceof DemoImportError) {
        throw error.code === "connection_failed" ? new TryAgain(error) : error;
      }
      if (isFileSystemError(error)) throw error;
      const code = this.receivedBytes > 0 ? "cut_off" : "connection_failed";
      throw new TryAgain(new DemoImportError(code, { host: this.url.host }, error));
    } finally {
      idle.stop();
    }
  }

  private async followRedirects(file: FileHandle, signal: AbortSignal, idle: IdleTimer): Promise<void> {
    let url = this.url;
    for (let redirects = 0; redirects <= mostRedirects; redirects++) {
      const addresses = await untilAborted(
        checkedAddresses(url, this.options.allowHosts, this.options.lookUpHost),
        signal,
      );
      const response = await pinnedRequest(url, addresses, { headers: this.headers(), signal });
      try {
        idle.refresh();
        const next = redirectTarget(response, url);
        if (!next) {
          await this.receive(file, response, url, idle);
          return;
        }
        url = next;
      } finally {
        response.close();
      }
    }
    throw new DemoImportError("too_many_redirects");
  }

  private headers(): Record<string, string> {
    const headers: Record<string, string> = {
      "user-agent": "Clutchcast",
      accept: "*/*",
      "accept-encoding": "identity",
    };
    if (this.receivedBytes > 0 && this.validator) {
      headers.range = `bytes=${this.receivedBytes}-`;
      headers["if-range"] = this.validator;
    }
    return headers;
  }

  private async receive(file: FileHandle, response: PinnedResponse, url: URL, idle: IdleTimer): Promise<void> {
    const { statusCode, headers, body } = response;
    // What we have a part of is no longer that long.
    if (statusCode === 416) this.forget();
    if (statusCode !== 200 && statusCode !== 206) throw statusError(statusCode, headers, url);
    if (statusCode === 206 && !this.continues(headers)) {
      this.forget();
      throw new TryAgain(new DemoImportError("cut_off"));
    }
    if (statusCode === 200) {
      this.forget();
      await file.truncate(0);
      this.totalBytes = wholeNumber(headers["content-length"]);
      this.validator = validatorOf(headers);
      this.lastModified = dateOf(headers["last-modified"]);
    }
    this.checkSize(this.totalBytes ?? 0);
    const isHtmlType = /^\s*(text\/html|application\/xhtml)/i.test(textOf(headers["content-type"]));
    for await (const piece of body) {
      idle.refresh();
      this.checkHead(piece, isHtmlType);
      this.checkSize(this.receivedBytes + piece.length);
      await file.write(piece, 0, piece.length, this.receivedBytes);
      this.receivedBytes += piece.length;
      this.reportProgress();
    }
    if (this.totalBytes !== null && this.receivedBytes < this.totalBytes) {
      throw new TryAgain(new DemoImportError("cut_off"));
    }
    if (!this.isHeadChecked) this.decideByHead(isHtmlType);
  }

  /** Whether a partial answer goes on exactly where we are, in the same file. */
  private continues(headers: PinnedResponse["headers"]): boolean {
    const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(textOf(headers["content-range"]));
    if (!range || Number(range[1]) !== this.receivedBytes) return false;
    if (range[2] === "*") return true;
    this.totalBytes ??= Number(range[2]);
    return Number(range[2]) === this.totalBytes;
  }

  private forget(): void {
    this.receivedBytes = 0;
    this.totalBytes = null;
    this.validator = null;
    this.head = Buffer.alloc(0);
    this.isHeadChecked = false;
  }

  private checkSize(bytes: number): void {
    const { maxBytes } = this.options;
    if (bytes > maxBytes) throw new DemoImportError("too_large", { limit: writtenBytes(maxBytes) });
  }

  private checkHead(piece: Buffer, isHtmlType: boolean): void {
    if (this.isHeadChecked) return;
    this.head = Buffer.concat([this.head, piece.subarray(0, sniffedBytes)]);
    if (this.head.length >= sniffedBytes) this.decideByHead(isHtmlType);
  }

  private decideByHead(isHtmlType: boolean): void {
    this.isHeadChecked = true;
    if (looksLikeHtml(this.head)) throw new DemoImportError("html_page");
    try {
      formatOf(this.head);
    } catch (error) {
      const isUnknown = error instanceof DemoImportError && error.code === "not_a_demo";
      throw isUnknown && isHtmlType ? new DemoImportError("html_page") : error;
    }
  }

  private reportProgress(): void {
    const now = performance.now();
    const isComplete = this.receivedBytes === this.totalBytes;
    if (!isComplete && now - this.lastProgress < progressEveryMs) return;
    this.lastProgress = now;
    const { receivedBytes, totalBytes } = this;
    this.options.onProgress?.(totalBytes ? receivedBytes / totalBytes : null, { receivedBytes, totalBytes });
  }
}

/** Aborts when nothing happened for a while. */
class IdleTimer {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;

  constructor(idleMs: number) {
    this.timer = setTimeout(() => this.controller.abort(new Error("idle")), idleMs);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  refresh(): void {
    this.timer.refresh();
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}

function redirectTarget(response: PinnedResponse, from: URL): URL | null {
  if (![301, 302, 303, 307, 308].includes(response.statusCode)) return null;
  const location = textOf(response.headers.location);
  if (!location || !URL.canParse(location, from)) {
    throw new DemoImportError("server_error", { host: from.host, status: response.statusCode });
  }
  return new URL(location, from);
}

function statusError(status: number, headers: PinnedResponse["headers"], url: URL): Error {
  const facts = { host: url.host, status };
  if (status === 404) return new DemoImportError("not_found", facts);
  if (status === 410) return new DemoImportError("gone", facts);
  if (status === 204) return new DemoImportError("empty_file");
  const error = new DemoImportError("server_error", facts);
  if (status === 416 || status === 408 || status === 429 || status >= 500) {
    const seconds = wholeNumber(headers["retry-after"]) ?? 0;
    return new TryAgain(error, Math.min(seconds * 1000, longestBackoffMs));
  }
  return status >= 400 ? new DemoImportError("access_denied", facts) : error;
}

/** A strong ETag, or else the date; a weak ETag promises too little to join parts by (RFC 9110, section 13.1.5). */
function validatorOf(headers: PinnedResponse["headers"]): string | null {
  const etag = textOf(headers.etag);
  if (etag && !etag.startsWith("W/")) return etag;
  return textOf(headers["last-modified"]) || null;
}

function textOf(header: string | string[] | undefined): string {
  return (Array.isArray(header) ? header[0] : header) ?? "";
}

function dateOf(header: string | string[] | undefined): Date | null {
  const time = Date.parse(textOf(header));
  return Number.isNaN(time) ? null : new Date(time);
}

function wholeNumber(header: string | string[] | undefined): number | null {
  const text = textOf(header).trim();
  return /^\d+$/.test(text) ? Number(text) : null;
}

/** System errors that come from writing, not from the network. */
function isFileSystemError(error: unknown): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return (
    ["ENOSPC", "EDQUOT", "EIO", "EROFS", "EFBIG"].includes(code ?? "") || syscall === "write" || syscall === "open"
  );
}
