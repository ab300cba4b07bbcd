import type { BlobStore } from "./blob-store.ts";

/** What a player reads at a clip whose work rests meanwhile. */
export const waitingForStore = "Waiting for this server's file store, which is out of reach at the moment.";

/** The same at a match, behind "Queued, ". */
export const importWaitsForStore = "waiting for this server's file store";

/** While the store or the database is there and has no room. */
export const waitingForRoom = "This server's storage is full. The video goes on by itself when there is room.";

/** The same at a match, behind "Queued, ", where 64 characters have room. */
export const importWaitsForRoom = "the storage is full; goes on by itself when there is room";

/**
 * For work that is long or dear, before it begins: while the store is away, or full, a demo is not downloaded again and again.
 * @throws StoreUnavailableError, RemoteStoreFullError
 */
export async function requireStore({ blobs }: { blobs: BlobStore }): Promise<void> {
  await blobs.probe();
}
