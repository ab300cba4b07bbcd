import { blobPrefixes } from "./blob-key.ts";
import type { BlobStore } from "./blob-store.ts";

/** All blobs of a store that are ours, in the order of their keys: of a bucket only what lies where ours do. */
export async function* ownBlobs(store: BlobStore, after = ""): AsyncIterable<{ key: string; bytes: number }> {
  // Those before it have all their keys before it.
  const rest = blobPrefixes.filter((prefix) => prefix > after || after.startsWith(prefix));
  for (const prefix of rest) yield* store.listSizes(prefix, after);
}
