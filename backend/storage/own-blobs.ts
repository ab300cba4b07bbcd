import { prefixesAfter } from "./blob-key.ts";
import type { BlobStore } from "./blob-store.ts";

/** All blobs of a store that are ours, in the order of their keys: of a bucket only what lies where ours do. */
export async function* ownBlobs(store: BlobStore, after = ""): AsyncIterable<{ key: string; bytes: number }> {
  for (const prefix of prefixesAfter(after)) yield* store.listSizes(prefix, after);
}
