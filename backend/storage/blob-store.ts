/** Who waits for a store that may be silent: a job has minutes, a visitor seconds. */
export type Patience = "job" | "visitor";

/**
 * Where files live: demos, replay tracks, videos, posters. Two implementations: a folder (`folder-blob-store.ts`) and any
 * S3 store (`s3-blob-store.ts`). Keys look like `clips/12/video-3f2a.mp4`; they never come from user input.
 */
export interface BlobStore {
  /**
   * Stores a finished local file under a key, all or nothing: readers see the whole blob or none. Moves the file when it
   * can (same disk), so the source is gone afterwards.
   * @throws BlobStoreFullError when the disk is full; RemoteStoreFullError when it is somebody else's
   */
  putFile(key: string, sourcePath: string, contentType: string): Promise<void>;
  /**
   * Before work that is dear: whether the store is there and, after it had no room for something, whether it has some again.
   * @throws StoreUnavailableError, RemoteStoreFullError
   */
  probe(patience?: Patience): Promise<void>;
  /** null when there is no such blob. `etag` changes with the content. */
  stat(key: string, patience?: Patience): Promise<BlobStat | null>;
  /** Bytes from `start` to `end` inclusive; the whole blob by default. @throws BlobMissingError */
  read(key: string, range?: { start: number; end: number }, patience?: Patience): Promise<ReadableStream<Uint8Array>>;
  /** A local file with the blob's bytes: the blob itself or a copy. Call `release` when done. @throws BlobMissingError */
  openLocal(key: string): Promise<{ path: string; release(): Promise<void> }>;
  /** Deleting what is not there is no error. */
  delete(key: string): Promise<void>;
  /** A short-lived address that browsers can fetch the blob from, or null when this store has none (a folder). */
  signedUrl(key: string, options: { contentType: string; seconds: number }): Promise<string | null>;
  /**
   * Keys below a prefix, for clean-up, in the order of their names.
   * @param after begins behind this key; it need not be there
   */
  list(prefix: string, after?: string): AsyncIterable<string>;
  /** The same with how large each blob is; what is deleted meanwhile may be left out. */
  listSizes(prefix: string, after?: string): AsyncIterable<{ key: string; bytes: number }>;
  /**
   * Gives up uploads below a prefix that were begun before a moment and have not ended: who died in one leaves its parts behind, which no
   * list of keys names.
   * @returns how many; 0 of a store that has none, or tells nobody of them
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

/**
 * A store on other disks than ours has no room, or its quota is used up. It is not what is to be stored that is wrong with: its
 * operator makes room.
 */
export class RemoteStoreFullError extends BlobStoreFullError {}

/** The store does not answer, or answers that it is in trouble: nothing is wrong with what was asked of it. */
export class StoreUnavailableError extends Error {}
