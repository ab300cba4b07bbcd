/** Who waits for a store that may not answer: a job has minutes, a visitor seconds. */
export type Patience = "job" | "visitor";

/**
 * Where files live: demos, replay tracks, videos, posters. Two implementations: a folder (`folder-blob-store.ts`) and any
 * S3 store (`s3-blob-store.ts`). Keys look like `clips/12/video-3f2a.mp4`; they never come from user input.
 */
export interface BlobStore {
  /**
   * Stores a finished local file under a key atomically: readers see the whole blob or none. The file is moved if possible (same disk), so
   * the source may be gone afterwards.
   * @throws BlobStoreFullError when the disk is full; RemoteStoreFullError when it is somebody else's
   */
  putFile(key: string, sourcePath: string, contentType: string): Promise<void>;
  /**
   * For use before expensive work: checks that the store is reachable and, after it had no room for something, that it has some again.
   * @throws StoreUnavailableError, RemoteStoreFullError
   */
  probe(patience?: Patience): Promise<void>;
  /** null if there is no such blob. `etag` changes with the content. */
  stat(key: string, patience?: Patience): Promise<BlobStat | null>;
  /** Bytes from `start` to `end` inclusive; the whole blob by default. @throws BlobMissingError */
  read(key: string, range?: { start: number; end: number }, patience?: Patience): Promise<ReadableStream<Uint8Array>>;
  /** A local file with the blob's bytes: the blob itself or a copy. Call `release` when done. @throws BlobMissingError */
  openLocal(key: string): Promise<{ path: string; release(): Promise<void> }>;
  /** Does nothing if there is no such blob. */
  delete(key: string): Promise<void>;
  /** A short-lived address from which browsers can fetch the blob; null if this store has none (a folder). */
  signedUrl(key: string, options: { contentType: string; seconds: number }): Promise<string | null>;
  /**
   * Keys below a prefix, sorted, for clean-up.
   * @param after begins after this key, which need not exist
   */
  list(prefix: string, after?: string): AsyncIterable<string>;
  /** The same with the size of each blob; blobs that are deleted meanwhile may be missing. */
  listSizes(prefix: string, after?: string): AsyncIterable<{ key: string; bytes: number }>;
  /**
   * Begins a blob that comes in parts, over hours and several processes. No reader sees it before it is complete.
   * @returns the handle by which the store knows it, at most 2,048 characters
   */
  beginParts(key: string, contentType: string): Promise<string>;
  /**
   * Stores one part from a local file, which stays. A part with the same number is replaced.
   * @returns its tag, for `completeParts`
   * @throws PartsGoneError; BlobStoreFullError as `putFile`
   */
  putPart(blob: BlobInParts, part: BlobPart): Promise<string>;
  /**
   * Makes the blob of its parts. Does nothing if that is done already.
   * @param tags of all parts, in order
   * @param bytes of the blob
   * @throws PartsGoneError when not all parts are there
   */
  completeParts(blob: BlobInParts, tags: readonly string[], bytes: number): Promise<void>;
  /** Deletes the parts. Does nothing if there are none. */
  abortParts(blob: BlobInParts): Promise<void>;
  /**
   * Aborts unfinished uploads below a prefix that were begun before a time: a process that died during one leaves parts that no list of
   * keys contains.
   * @param inUse handles of `beginParts` whose blobs may still be completed
   * @returns how many; 0 for a store that does not list them
   */
  endUploads(prefix: string, begunBefore: Date, inUse?: ReadonlySet<string>): Promise<number>;
}

/** An unfinished blob. */
export interface BlobInParts {
  key: string;
  handle: string;
}

export interface BlobPart {
  /** From 1. */
  number: number;
  /** Where it begins in the blob. All parts but the last have the same size, at least 5 MiB. */
  start: number;
  path: string;
}

export interface BlobStat {
  bytes: number;
  etag: string;
  modifiedAt: Date;
  contentType: string;
}

export class BlobMissingError extends Error {}

/** The store no longer has the parts of a blob, or never had them: it is another store, or a restored one. */
export class PartsGoneError extends Error {}

export class BlobStoreFullError extends Error {}

/** A store on other disks than ours is full, or its quota is used up. The blob is not at fault: the store's operator has to make room. */
export class RemoteStoreFullError extends BlobStoreFullError {}

/** The store does not answer, or reports an internal problem; the request is not at fault. */
export class StoreUnavailableError extends Error {}
