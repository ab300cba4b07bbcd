import type { BlobStore } from "./blob-store.ts";

/** What a player reads at a clip whose work rests meanwhile. */
export const waitingForStore = "Waiting for this server's file store, which is out of reach at the moment.";

/** The same at a match, behind "Queued, ". */
export const importWaitsForStore = "waiting for this server's file store";

/** Nothing is ever stored there: that the store says so is all that is asked. */
const asked = "probes/is-there";

/**
 * For work that is long or dear, before it begins: while the store is away a demo is not downloaded again and again.
 * @throws StoreUnavailableError
 */
export async function requireStore({ blobs }: { blobs: BlobStore }): Promise<void> {
  await blobs.stat(asked);
}
