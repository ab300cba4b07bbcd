import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ConnectionError } from "../../outgoing/connection-error.ts";
import { explainConnection, HostError } from "../../outgoing/host-error.ts";
import { type PinnedResponse, pinnedRequest } from "../../outgoing/pinned-request.ts";
import { checkedAddresses, type LookUpHost } from "../../outgoing/public-address.ts";
import { AtMostEvery } from "../../waits/at-most-every.ts";
import { deadlines } from "../../waits/deadlines.ts";
import { IdleTimer } from "../../waits/idle-timer.ts";
import { type MinSpeed, SpeedWatch, TooSlowError } from "../../waits/speed-watch.ts";
import { untilAborted } from "../../waits/until-aborted.ts";
import { DemoImportError, type DemoImportErrorCode, fromFileSystem, writtenBytes } from "../demo-import-error.ts";
import { formatOf, looksLikeHtml, sniffedBytes } from "../unpack/demo-format.ts";

export interface DownloadProgress {
  receivedBytes: number;
  /** Null until the server has told the size. */
  totalBytes: number | null;
}

export interface DownloadOptions {
  /** An existing folder of this job. */
  directory: string;
  /** `host` or `host:port` entries that may resolve to private addresses. */
  allowHosts: readonly string[];
  /** Limit of the file as downloaded, packed or not. */
  maxBytes: number;
  /** Aborts the download; the promise rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Called at most four times a second. @param fraction 0..1; null when the size is unknown */
  onProgress?: (fraction: number | null, progress: DownloadProgress) => void;
  /** Deadline for establishing a connection, including TLS. */
  connectMs?: number;
  /** A connection that receives nothing for this long counts as dead. */
  idleMs?: number;
  /** Minimum speed of the whole download, whatever the number of connections. */
  minSpeed?: MinSpeed;
  /** Deadline of the whole download; shorter for small files. */
  totalMs?: number;
  /** Tries in a row with next to no progress before giving up. */
  tries?: number;
  /** Wait before the second try; doubles with every further one. */
  backoffMs?: number;
  /** Name resolution; the system's by default. */
  lookUpHost?: LookUpHost;
}

export interface DownloadedFile {
  path: string;
  bytes: number;
  /** Last part of the address, by which people recognise the file. */
  fileName: string;
  /** When the host says the file was made (`Last-Modified`), which for demos is soon after the match; null when it does not say. */
  lastModified: Date | null;
}

const maxRedirects = 5;
/** Includes redirects and broken connections: more requests would be an attack, on us or through us on somebody else. */
const maxConnections = 20;
/** A try that downloads this much, or a twentieth of the file, counts as progress. */
const worthyBytes = 1024 ** 2;
/** Each of these takes its whole deadline, so they get only half as many tries. */
const slowFailures = new Set<DemoImportErrorCode>(["host_unreachable", "lookup_failed"]);
/** Only these are retried; other failures would repeat. */
const retriedFailures = new Set<DemoImportErrorCode>([...slowFailures, "connection_refused", "connection_failed"]);
const maxBackoffMs = 15_000;
const progressEveryMs = 250;

/**
 * Downloads a demo file from an address entered by a visitor.
 *
 * Each address on the way is resolved, must be public, and is the one connected to. A broken connection is resumed where it broke if the
 * server supports that and the file is still the same. Other files are recognised by their first bytes.
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

/** Another try may succeed after this failure. The player sees `error` if none does. */
class TryAgain extends Error {
  readonly error: DemoImportError;
  /** How long the server asked us to wait. */
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
  /** ETag or date by which the server identifies the file that is partly downloaded. */
  private validator: string | null = null;
  private head = Buffer.alloc(0);
  private isHeadChecked = false;
  private readonly progress = new AtMostEvery(progressEveryMs);
  private connections = 0;
  /** Shown to the player if there is no further try. */
  private lastFailure: DemoImportError | null = null;
  private readonly url: URL;
  /** The address after redirects. */
  private currentUrl: URL;
  private readonly partPath: string;
  private readonly options: DownloadOptions;
  private readonly speed: SpeedWatch;
  private readonly whole: TotalTime;

  constructor(url: URL, partPath: string, options: DownloadOptions) {
    this.url = url;
    this.currentUrl = url;
    this.partPath = partPath;
    this.options = options;
    this.speed = new SpeedWatch(options.minSpeed ?? deadlines.download.minSpeed);
    this.whole = new TotalTime(options.totalMs ?? deadlines.download.total.atMostMs);
  }

  async run(): Promise<void> {
    const { signal } = this.options;
    const slow = AbortSignal.any([this.speed.signal, this.whole.signal]);
    const stop = signal ? AbortSignal.any([signal, slow]) : slow;
    let file: FileHandle | null = null;
    try {
      file = await open(this.partPath, "w");
      await this.tryUntilDone(file, stop);
    } catch (error) {
      signal?.throwIfAborted();
      throw slow.aborted ? this.slowness(error) : error;
    } finally {
      this.speed.stop();
      this.whole.stop();
      await file?.close();
    }
  }

  private async tryUntilDone(file: FileHandle, stop: AbortSignal): Promise<void> {
    const { tries = 4, backoffMs = 1000 } = this.options;
    let failures = 0;
    let maxReceived = 0;
    for (;;) {
      try {
        await this.tryOnce(file, stop);
        return;
      } catch (error) {
        stop.throwIfAborted();
        if (!(error instanceof TryAgain)) throw error;
        this.lastFailure = error.error;
        const worthy = Math.min(worthyBytes, (this.totalBytes ?? Number.POSITIVE_INFINITY) / 20);
        if (this.receivedBytes - maxReceived >= worthy) failures = 0;
        failures += slowFailures.has(error.error.code) ? 2 : 1;
        maxReceived = Math.max(maxReceived, this.receivedBytes);
        if (failures >= tries) throw error.error;
        const backoff = Math.min(backoffMs * 2 ** (failures - 1), maxBackoffMs);
        // Jitter, so that many imports cut off by one broken server do not return at the same moment.
        await wait(Math.max(backoff * (0.5 + Math.random() / 2), error.afterMs), undefined, { signal: stop });
      }
    }
  }

  /** When little or nothing was received, the previous failure explains more than the speed. */
  private slowness(cause: unknown): DemoImportError {
    const { reason } = this.speed.signal;
    const isSilent = reason instanceof TooSlowError && reason.bytes === 0;
    if (isSilent && this.lastFailure) return this.lastFailure;
    return new DemoImportError(isSilent ? "timeout" : "slow_host", { host: this.currentUrl.host }, cause);
  }

  /** One try, from the first address through all redirects to the last byte. */
  private async tryOnce(file: FileHandle, stop: AbortSignal): Promise<void> {
    const idle = new IdleTimer(this.options.idleMs ?? deadlines.download.idleMs);
    const signal = AbortSignal.any([stop, idle.signal]);
    try {
      await this.followRedirects(file, signal, idle);
    } catch (error) {
      if (error instanceof TryAgain || stop.aborted) throw error;
      const { host } = this.currentUrl;
      if (idle.signal.aborted) throw new TryAgain(new DemoImportError("timeout", { host }, error));
      const explained = inWordsOfImport(error, host);
      if (!(explained instanceof DemoImportError) || !retriedFailures.has(explained.code)) throw explained;
      const isCutOff = this.receivedBytes > 0 && explained.code === "connection_failed";
      throw new TryAgain(isCutOff ? new DemoImportError("cut_off", { host }, error) : explained);
    } finally {
      idle.stop();
    }
  }

  private async followRedirects(file: FileHandle, signal: AbortSignal, idle: IdleTimer): Promise<void> {
    const { allowHosts, lookUpHost, connectMs } = this.options;
    this.currentUrl = this.url;
    for (let redirects = 0; redirects <= maxRedirects; redirects++) {
      const url = this.currentUrl;
      const addresses = await untilAborted(checkedAddresses(url, allowHosts, lookUpHost), signal);
      if (++this.connections > maxConnections) throw this.lastFailure ?? new DemoImportError("too_many_redirects");
      const response = await pinnedRequest(url, addresses, {
        headers: this.headers(),
        signal,
        connectMs,
        onConnect: () => idle.refresh(),
      });
      try {
        idle.refresh();
        const next = redirectTarget(response, url);
        if (!next) {
          await this.receive(file, response, url, idle);
          return;
        }
        this.currentUrl = next;
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
    // The file has become shorter than the part we have.
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
    if (this.totalBytes !== null) this.whole.allowFor(this.totalBytes);
    const isHtmlType = /^\s*(text\/html|application\/xhtml)/i.test(textOf(headers["content-type"]));
    for await (const piece of body) {
      idle.refresh();
      this.speed.add(piece.length);
      this.checkHead(piece, isHtmlType);
      this.checkSize(this.receivedBytes + piece.length);
      await file.write(piece, 0, piece.length, this.receivedBytes);
      this.receivedBytes += piece.length;
      this.reportProgress();
    }
    if (this.totalBytes !== null && this.receivedBytes !== this.totalBytes) {
      // More bytes than the whole file: the parts do not belong together.
      if (this.receivedBytes > this.totalBytes) this.forget();
      throw new TryAgain(new DemoImportError("cut_off"));
    }
    if (!this.isHeadChecked) this.decideByHead(isHtmlType);
  }

  /** Whether a partial response continues the same file exactly where we are. */
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
    const isComplete = this.receivedBytes === this.totalBytes;
    if (!this.progress.isDue() && !isComplete) return;
    const { receivedBytes, totalBytes } = this;
    this.options.onProgress?.(totalBytes ? receivedBytes / totalBytes : null, { receivedBytes, totalBytes });
  }
}

/** Aborts a download that takes longer than its size can explain. */
class TotalTime {
  private readonly controller = new AbortController();
  private readonly started = performance.now();
  private readonly maxMs: number;
  private timer: NodeJS.Timeout;

  constructor(maxMs: number) {
    this.maxMs = maxMs;
    this.timer = this.endAfter(maxMs);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  allowFor(bytes: number): void {
    const { atLeastMs, bytesPerSecond } = deadlines.download.total;
    const allowedMs = Math.min(atLeastMs + (bytes / bytesPerSecond) * 1000, this.maxMs);
    clearTimeout(this.timer);
    this.timer = this.endAfter(this.started + allowedMs - performance.now());
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private endAfter(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.controller.abort(new Error("The download takes too long.")), Math.max(0, ms));
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

/** Turns failures to reach a host into a DemoImportError; returns all other errors as they are. */
function inWordsOfImport(error: unknown, host: string): unknown {
  const explained = error instanceof ConnectionError ? explainConnection(host, error) : error;
  if (!(explained instanceof HostError)) return explained;
  return new DemoImportError(explained.problem, explained.facts, explained.cause);
}

function statusError(status: number, headers: PinnedResponse["headers"], url: URL): Error {
  const facts = { host: url.host, status };
  if (status === 404) return new DemoImportError("not_found", facts);
  if (status === 410) return new DemoImportError("gone", facts);
  if (status === 204) return new DemoImportError("empty_file");
  if (status < 200) return new DemoImportError("not_http", facts);
  const error = new DemoImportError("server_error", facts);
  if (status === 416 || status === 408 || status === 429 || status >= 500) {
    const seconds = wholeNumber(headers["retry-after"]) ?? 0;
    return new TryAgain(error, Math.min(seconds * 1000, maxBackoffMs));
  }
  return status >= 400 ? new DemoImportError("access_denied", facts) : error;
}

/** A strong ETag, otherwise the date. Weak ETags do not guarantee that parts belong together (RFC 9110, section 13.1.5). */
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
