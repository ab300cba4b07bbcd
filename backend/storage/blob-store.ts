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
   * Aborts unfinished uploads below a prefix that were begun before a time: a process that died during one leaves parts that no list of
   * keys contains.
   * @returns how many; 0 for a store without such uploads, or one that does not list them
   */
  endUploads(prefix: string, begunBefore: Date): Promise<number>;
}

export interface BlobStat {
  bytes: number;
  etag: string;
  modifiedAt: Date;
  contentType: string;
}

export class BlobMissingError extends Error {}

export class BlobStoreFullError extends Error {}

/** A store on other disks than ours is full, or its quota is used up. The blob is not at fault: the store's operator has to make room. */
export class RemoteStoreFullError extends BlobStoreFullError {}

/** The store does not answer, or reports an internal problem; the request is not at fault. */
export class StoreUnavailableError extends Error {}
