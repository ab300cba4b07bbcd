import { create } from "content-disposition";
import { type ConnectionBindings, hasHungUp } from "../../http/client-address.ts";
import type { Services } from "../../services.ts";
import { BlobMissingError } from "../../storage/blob-store.ts";
import { deadlines } from "../../waits/deadlines.ts";
import { guardedStream } from "../../waits/guarded-stream.ts";
import { ApiError } from "../api-error.ts";
import type { ApiContext } from "../request-context.ts";

export interface BlobAnswer {
  key: string;
  contentType: string;
  /** Set when the blob is compressed and the browser is to unpack it. */
  contentEncoding?: "gzip";
  /** `private` if only its owner may see it: no shared cache keeps it, and no signed address is given out. */
  audience: "public" | "private";
  /** Whether the address names this exact content (`?v=`), so that caches may keep it without revalidation. */
  isVersioned: boolean;
  /** The name under which a browser saves it. */
  fileName: string;
  asDownload: boolean;
}

const yearSeconds = 31_536_000;
const sharedCacheSeconds = 3600;
const signedUrlSeconds = 3600;

/**
 * Answers with a stored file, or one range of it, for GET and HEAD, with the conditions of RFC 9110 (sections 13 and 14). A store that can
 * sign addresses serves the bytes itself.
 * @throws ApiError 404 when the file is not stored
 */
export async function blobResponse(c: ApiContext, services: Services, answer: BlobAnswer): Promise<Response> {
  // Taken before the first await: it does not report a disconnect that happened before it was taken.
  const { signal } = c.req.raw;
  const stat = await services.blobs.stat(answer.key, "visitor");
  if (!stat) throw ApiError.notFound("This file is no longer stored");
  const etag = /^(W\/)?"/.test(stat.etag) ? stat.etag : `"${stat.etag}"`;
  const headers = new Headers({
    "accept-ranges": "bytes",
    etag,
    "last-modified": stat.modifiedAt.toUTCString(),
    "cache-control": cacheControl(answer),
  });
  // Pages may be on another origin than the API, and other sites' link previews play the video.
  if (answer.audience === "public") headers.set("cross-origin-resource-policy", "cross-origin");
  const request = c.req.raw;
  const condition = failedCondition(request.headers, etag, stat.modifiedAt);
  if (condition) return new Response(null, { status: condition, headers });

  // A signature is valid for GET only, and sets no file name.
  if (request.method !== "HEAD" && !answer.asDownload && answer.audience === "public") {
    const signed = await services.blobs.signedUrl(answer.key, {
      contentType: answer.contentType,
      seconds: signedUrlSeconds,
    });
    if (signed) {
      headers.set("location", signed);
      // The redirect must not outlive the signature.
      headers.set("cache-control", `private, max-age=${signedUrlSeconds / 2}`);
      return new Response(null, { status: 302, headers });
    }
  }

  headers.set("content-type", answer.contentType);
  if (answer.contentEncoding) headers.set("content-encoding", answer.contentEncoding);
  headers.set("content-disposition", contentDisposition(answer.asDownload ? "attachment" : "inline", answer.fileName));
  const range = rangeApplies(request.headers, etag, stat.modifiedAt)
    ? parseRange(request.headers.get("range"), stat.bytes)
    : null;
  if (range === "unsatisfiable") {
    headers.set("content-range", `bytes */${stat.bytes}`);
    headers.delete("content-disposition");
    headers.delete("content-type");
    headers.set("content-length", "0");
    return new Response(null, { status: 416, headers });
  }
  headers.set("content-length", String(range ? range.end - range.start + 1 : stat.bytes));
  if (range) headers.set("content-range", `bytes ${range.start}-${range.end}/${stat.bytes}`);
  const status = range ? 206 : 200;
  if (request.method === "HEAD") return new Response(null, { status, headers });
  try {
    const stored = await services.blobs.read(answer.key, range ?? undefined, "visitor");
    const isGone = hasHungUp(c.env as ConnectionBindings | undefined);
    const body = guardedStream(stored, {
      signal: isGone ? AbortSignal.abort() : signal,
      unreadMs: deadlines.visitor.unreadMs,
    });
    return new Response(body as unknown as BodyInit, { status, headers });
  } catch (error) {
    if (error instanceof BlobMissingError) throw ApiError.notFound("This file is no longer stored");
    throw error;
  }
}

/** A browser may keep versioned content for ever. Shared caches have to revalidate, since clips are deleted and become unlisted. */
function cacheControl({ audience, isVersioned }: BlobAnswer): string {
  if (!isVersioned) return `${audience}, no-cache`;
  const shared = audience === "public" ? `, s-maxage=${sharedCacheSeconds}` : "";
  return `${audience}, max-age=${yearSeconds}${shared}, immutable`;
}

/** The status that ends the request early: 304 when the visitor has this content, 412 when they asked for another. */
function failedCondition(request: Headers, etag: string, modifiedAt: Date): 304 | 412 | null {
  const ifMatch = request.get("if-match");
  const ifUnmodifiedSince = request.get("if-unmodified-since");
  if (ifMatch !== null) {
    if (!matchesEtag(ifMatch, etag, "strong")) return 412;
  } else if (ifUnmodifiedSince !== null && isAfter(modifiedAt, ifUnmodifiedSince)) return 412;
  const ifNoneMatch = request.get("if-none-match");
  if (ifNoneMatch !== null) return matchesEtag(ifNoneMatch, etag, "weak") ? 304 : null;
  const ifModifiedSince = request.get("if-modified-since");
  const since = ifModifiedSince === null ? Number.NaN : Date.parse(ifModifiedSince);
  return !Number.isNaN(since) && wholeSeconds(modifiedAt) <= since ? 304 : null;
}

/** Whether a condition's list of tags, or "*", matches the current tag. */
export function matchesEtag(list: string, etag: string, comparison: "strong" | "weak"): boolean {
  if (list.trim() === "*") return true;
  const plain = (tag: string) => tag.replace(/^W\//, "");
  return list.split(",").some((entry) => {
    const tag = entry.trim();
    if (comparison === "weak") return plain(tag) === plain(etag);
    return tag === etag && !tag.startsWith("W/");
  });
}

/** If-Range: the range applies only if the visitor has part of this content; otherwise they need all of it. */
function rangeApplies(request: Headers, etag: string, modifiedAt: Date): boolean {
  const ifRange = request.get("if-range")?.trim();
  if (!ifRange) return true;
  if (ifRange.startsWith('"')) return ifRange === etag;
  return Date.parse(ifRange) === wholeSeconds(modifiedAt);
}

/**
 * The requested range, both ends inclusive.
 * @returns null for the whole file: no range, an unreadable one, or several (a server may answer these in full)
 */
function parseRange(header: string | null, bytes: number): { start: number; end: number } | "unsatisfiable" | null {
  const [, first = "", last = ""] = header?.trim().match(/^bytes=\s*(\d*)\s*-\s*(\d*)$/i) ?? [];
  if (first === "" && last === "") return null;
  if (first === "") {
    const suffix = Number(last);
    if (suffix === 0 || bytes === 0) return "unsatisfiable";
    return { start: Math.max(0, bytes - suffix), end: bytes - 1 };
  }
  const start = Number(first);
  const end = last === "" ? bytes - 1 : Math.min(Number(last), bytes - 1);
  if (last !== "" && Number(last) < start) return null;
  return start >= bytes ? "unsatisfiable" : { start, end };
}

function isAfter(date: Date, httpDate: string): boolean {
  const limit = Date.parse(httpDate);
  return !Number.isNaN(limit) && wholeSeconds(date) > limit;
}

/** Rounded down, because HTTP dates have no milliseconds. */
function wholeSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000) * 1000;
}

/**
 * The header that names a file (RFC 6266). A name that is not plain ASCII is accompanied by one without accents, for old programs.
 * @throws URIError for a name with half a surrogate pair, which no stored text has
 */
export function contentDisposition(type: "inline" | "attachment", fileName: string): string {
  const fallback = fileName
    .normalize("NFKD")
    .replace(/[^\x20-\x7e]+/g, "")
    .replace(/["\\%/]/g, "")
    .trim();
  return create(fileName, { type, fallback });
}
