import type { BlobStore } from "./blob-store.ts";

/** What a player is told at a clip whose work is paused. */
export const waitingForStore = "Waiting for this server's file store, which is out of reach at the moment.";

/** The same at a match, after "Queued, ". */
export const importWaitsForStore = "waiting for this server's file store";

/** When the store or the database is reachable but full. */
export const waitingForRoom = "This server's storage is full. The video goes on by itself when there is room.";

/** The same at a match, after "Queued, ", in at most 64 characters. */
export const importWaitsForRoom = "the storage is full; goes on by itself when there is room";

/**
 * For use before long or expensive work: while the store is unreachable or full, a demo must not be downloaded again and again.
 * @throws StoreUnavailableError, RemoteStoreFullError
 */
export async function requireStore({ blobs }: { blobs: BlobStore }): Promise<void> {
  await blobs.probe();
}
